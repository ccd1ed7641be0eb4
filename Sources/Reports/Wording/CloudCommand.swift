import Readiness
import Verifications

/// Commands of `gcloud`, as lines to copy.
///
/// They are printed, never run. Text from a log is put into a command only when it is made of the characters that such
/// names have. Otherwise a word in capitals takes its place, so that a hostile name cannot become a command.
struct CloudCommand {
    private let project: String
    /// Restricts a filter to one function; nil when its name cannot be put into a command.
    private let resource: String?

    init(_ identity: FunctionIdentity) {
        project = CloudCommand.isPlain(identity.project) ? identity.project : "PROJECT"
        let label = identity.generation == .second ? "service_name" : "function_name"
        resource = CloudCommand.isPlain(identity.name) ? "resource.labels.\(label)=\"\(identity.name)\"" : nil
    }

    /// A complete export, as long as the longest window; a read that fails is not compressed, so it cannot pass for a
    /// complete one.
    func export(days: Int) -> [String] {
        lines(
            LogFilter.complete,
            [options("--freshness=\(days)d --format=json > export.json && gzip -f export.json")])
    }

    /// An export of some days only; a filter that names a time needs no freshness.
    func export(of days: ClosedRange<Day>) -> [String] {
        lines(
            LogFilter.complete + [
                "timestamp>=\"\(days.lowerBound)T00:00:00Z\"",
                "timestamp<\"\(days.upperBound.advanced(by: 1))T00:00:00Z\"",
            ],
            [options("--format=json > days.json && gzip -f days.json")])
    }

    /// A few passed verifications of the function, if the log has any.
    var passes: [String] {
        lines(
            [LogFilter.label, "severity<=INFO", resource],
            [options("--freshness=7d --limit=5 --format=json")])
    }

    /// What the SDK wrote about tokens that it refused.
    var refusals: [String] {
        lines(
            [resource, #""Failed to validate AppCheck token""#],
            [
                options("--freshness=7d --limit=20"),
                "--format='value(timestamp, textPayload, jsonPayload.message)'",
            ])
    }

    /// Which apps call the function, most frequent first: generation 2 only, whose request log names them.
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

    private func options(_ options: String) -> String {
        "--project=\(project) \(options)"
    }

    /// The command, with one condition of the filter to a line, all of which must hold, and lines of options below.
    private func lines(_ conditions: [String?], _ options: [String]) -> [String] {
        let filter = conditions.compactMap { $0 }
        return ["gcloud logging read '"] + filter.dropLast().map { "    \($0)" }
            + ["    \(filter.last ?? "")' \\"] + options.dropLast().map { "    \($0) \\" }
            + ["    \(options.last ?? "")"]
    }

    /// True for what names of projects, functions and services are made of.
    private static func isPlain(_ name: String) -> Bool {
        name != FunctionIdentity.unknown && !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            } && !name.hasPrefix("-")
    }
}
