/// Filters of Cloud Logging's query language, in one place: commands, notes and pages show these and no others.
///
/// None of them names a `resource.type`, so they hold for both generations; none names a severity, which would drop
/// passed verifications; none holds the word `timestamp`, which would switch the `--freshness` of
/// `gcloud logging read` off. `:` finds a part of a text, `=` the whole of it.
///
/// Source: <https://cloud.google.com/logging/docs/view/logging-query-language>.
enum LogFilter {
    /// The label that the SDK for Node puts on each verification.
    static let label = #"labels."firebase-log-type"="callable-request-verification""#
    /// The SDK for Python writes text and no label.
    private static let texts = [
        #"textPayload:"Callable request verification""#,
        #"jsonPayload.message:"Callable request verification""#,
    ]
    /// Shows that generation 2's log of failures arrived, beside the failures themselves.
    static let errorStream = #"log_id("run.googleapis.com/stderr")"#
    /// One line per request, whatever it wrote: generation 2 only.
    static let requests = #"log_id("run.googleapis.com/requests")"#

    /// Everything that a verdict rests on, as one condition over a few lines.
    ///
    /// It stands in parentheses because `gcloud` puts a time in front of it with AND.
    static let complete: [String] = {
        var lines = ([label] + texts + [errorStream]).map { " \($0) OR" }
        lines[0] = "(" + lines[0].dropFirst()
        lines[lines.count - 1] = lines[lines.count - 1].dropLast(" OR".count) + ")"
        return lines
    }()
}
