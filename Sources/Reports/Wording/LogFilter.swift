/// Filters of Cloud Logging's query language, in one place: commands, notes and pages show these and no others.
///
/// None of them names a `resource.type`, so they hold for both generations; none names a severity, which would drop
/// passed verifications; none holds the word `timestamp`, which would switch off the `--freshness` of
/// `gcloud logging read`. `:` matches part of a text, `=` all of it.
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
    /// Like the failures themselves, shows that generation 2's log of failures arrived.
    static let errorStream = #"log_id("run.googleapis.com/stderr")"#
    /// One line per request, whatever it wrote: generation 2 only.
    static let requests = #"log_id("run.googleapis.com/requests")"#

    /// Everything that a verdict is based on, as one condition over a few lines.
    ///
    /// It stands in parentheses because `gcloud` puts a time in front of it with AND.
    static let complete = any([label] + texts + [errorStream])

    /// The same, plus what shows who calls and why tokens are refused.
    ///
    /// The request log holds every request of every service: only rows of calls to functions are selected. Generation 1
    /// has no request log, and one log for everything: from that, only the SDK's lines about refused tokens are
    /// selected. Without service names, rows are found by the label that firebase-tools sets.
    static func withCallers(services: [String]) -> [String] {
        let names = services.map { "\"\($0)\"" }
        let callable =
            names.isEmpty
            ? [#"labels."deployment-callable"="true"))"#]
            : ["resource.labels.service_name=("]
                + names.enumerated().map { $1 + ($0 + 1 < names.count ? " OR" : ")))") }
        let rows = "(\(requests) AND httpRequest.requestMethod=\"POST\" AND"
        return any([label] + texts + [errorStream] + refusals + [""]).dropLast() + [" \(rows)"]
            + callable.map { "  \($0)" }
    }

    /// What the SDK writes next to a refused token.
    private static let refusals = [
        #"textPayload:"Failed to validate AppCheck token""#,
        #"textPayload:"Allowing request with invalid AppCheck token""#,
    ]

    /// One condition over a few lines, true where any of them is.
    private static func any(_ conditions: [String]) -> [String] {
        var lines = conditions.map { " \($0) OR" }
        lines[0] = "(" + lines[0].dropFirst()
        lines[lines.count - 1] = lines[lines.count - 1].dropLast(" OR".count) + ")"
        return lines
    }
}
