import Readiness
import Verifications

/// Commands of `gcloud`, as lines to copy.
///
/// They are printed, never run. Text from a log is put into a command only when it is made of the characters that such
/// names have. Otherwise a word in capitals takes its place, so that a hostile name cannot become a command.
struct CloudCommand {
    let project: String
    private let region: String
    private let service: String
    /// Restricts a filter to one function; nil when its name cannot be put into a command.
    private let resource: String?

    init(_ identity: FunctionIdentity) {
        project = CloudCommand.isPlain(identity.project) ? identity.project : "PROJECT"
        region = CloudCommand.isPlain(identity.region) ? identity.region : "REGION"
        service = CloudCommand.isPlain(identity.name) ? identity.name : "SERVICE"
        let label = identity.generation == .second ? "service_name" : "function_name"
        resource = CloudCommand.isPlain(identity.name) ? "resource.labels.\(label)=\"\(identity.name)\"" : nil
    }

    /// The command that prints one for a complete export, as long as all nights of the longest window need.
    func export(_ policy: VerdictPolicy) -> [String] {
        let days = max(policy.maxWindow, policy.window) + policy.confirm - 1
        return ["callcheck export --project \(project)" + (days > ExportScript.usualDays ? " --days \(days)" : "")]
    }

    /// An export of some days only; a filter that names a time needs no freshness.
    ///
    /// One that fails is not compressed, so that it cannot pass for a complete one.
    func export(of days: ClosedRange<Day>) -> [String] {
        lines(
            LogFilter.withCallers(services: []) + [
                "timestamp>=\"\(days.lowerBound)T00:00:00Z\"",
                "timestamp<\"\(days.upperBound.advanced(by: 1))T00:00:00Z\"",
            ],
            [options("--format=json > days.json && gzip -f days.json")])
    }

    var passes: [String] {
        lines([LogFilter.label, "severity<=INFO", resource], [options("--freshness=7d --limit=5 --format=json")])
    }

    var refusals: [String] {
        lines(
            [resource, #""Failed to validate AppCheck token""#],
            [options("--freshness=7d --limit=20"), "--format='value(timestamp, textPayload, jsonPayload.message)'"])
    }

    /// The command for the apps that call the function, most frequent first: generation 2 only, whose log names them.
    var clients: [String] {
        lines(
            [resource, LogFilter.requests, #"httpRequest.requestMethod="POST""#],
            [options("--freshness=1d"), "--format='value(httpRequest.userAgent)' | sort | uniq -c | sort -rn"])
    }

    /// Requests that the function answered with 401, generation 2 only.
    var unauthorized: [String] {
        lines(
            [resource, LogFilter.requests, "httpRequest.status=401"],
            [options("--freshness=1d"), "--format='value(timestamp, httpRequest.userAgent)'"])
    }

    /// Sends all requests of a generation 2 function to one of its revisions.
    func sendingRequests(to revision: String) -> [String] {
        [
            "gcloud run services update-traffic \(service) --project=\(project) --region=\(region) \\",
            "    --to-revisions=\(CloudCommand.isPlain(revision) ? revision : "REVISION")=100",
        ]
    }

    private func options(_ options: String) -> String { "--project=\(project) \(options)" }

    /// The command, with one condition of the filter to a line, all of which must hold, and lines of options below.
    private func lines(_ conditions: [String?], _ options: [String]) -> [String] {
        let filter = conditions.compactMap { $0 }
        return ["gcloud logging read '"] + filter.dropLast().map { "    \($0)" } + ["    \(filter.last ?? "")' \\"]
            + options.dropLast().map { "    \($0) \\" } + ["    \(options.last ?? "")"]
    }

    private static func isPlain(_ name: String) -> Bool {
        name != FunctionIdentity.unknown && name.wholeMatch(of: #/[A-Za-z0-9_:.][A-Za-z0-9_:.-]*/#) != nil
    }
}

/// Text as one word of a POSIX shell, which treats all of it as text.
///
/// ```swift
/// ShellWord("it's").quoted  // 'it'\''s'
/// ```
package struct ShellWord: Hashable, Sendable {
    package let quoted: String

    /// The placeholder replaces a text that cannot be printed as it is, and so cannot be copied either.
    package init(_ text: String, placeholder: String) {
        guard DisplayText(text).text == text else {
            quoted = placeholder
            return
        }
        quoted = "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// The text as it is where a shell takes it for one word without quotes, else in quotes.
    package static func plain(_ text: String, placeholder: String) -> String {
        text.wholeMatch(of: #/[A-Za-z0-9_.\/:=@%+-]+/#) == nil
            ? ShellWord(text, placeholder: placeholder).quoted : text
    }
}

/// The id of a Google Cloud project, which contains only characters that such ids have.
///
/// 6 to 30 lower-case letters, digits and hyphens, a letter first and no hyphen last; the domain of an organisation and
/// a colon may come before it. So nothing that a shell would take for more than text is a valid id.
///
/// Source: <https://cloud.google.com/resource-manager/docs/creating-managing-projects>.
package struct ProjectID: Hashable, Sendable {
    package let text: String

    package static let placeholder = ProjectID(unchecked: "PROJECT")

    /// - Returns: nil when `text` is not the id of a project.
    package init?(_ text: String) {
        guard text.wholeMatch(of: #/(?:[a-z0-9](?:[a-z0-9.-]{0,60}[a-z0-9])?:)?[a-z][a-z0-9-]{4,28}[a-z0-9]/#) != nil
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The id without a domain: names of buckets have no colon.
    var name: Substring { text.split(separator: ":").last ?? "" }
}

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
    /// One line per request, of generation 2 only.
    static let requests = #"log_id("run.googleapis.com/requests")"#

    /// Everything that a verdict is based on, as one condition over a few lines.
    ///
    /// It is in parentheses because `gcloud` puts a time in front of it with AND.
    static let complete = any([label] + texts + [errorStream])

    /// The same, plus what shows who calls and why tokens are refused.
    ///
    /// The request log holds every request of every service: only rows of calls to functions are selected. Generation 1
    /// has no request log, and one log for everything: from that, only the SDK's lines about refused tokens and the
    /// platform's about answers are selected. Without service names, the label that firebase-tools sets finds the rows.
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

    /// Filters for the SDK's lines next to a refused token, and for generation 1's lines about an answered request.
    private static let refusals = [
        #"textPayload:"Failed to validate AppCheck token""#,
        #"textPayload:"Allowing request with invalid AppCheck token""#,
        #"textPayload:"Error validating token""#,
        #"jsonPayload.message:"Error validating token""#,
        #"textPayload:"finished with status code""#,
    ]

    private static func any(_ conditions: [String]) -> [String] {
        var lines = conditions.map { " \($0) OR" }
        lines[0] = "(" + lines[0].dropFirst()
        lines[lines.count - 1] = lines[lines.count - 1].dropLast(" OR".count) + ")"
        return lines
    }
}
