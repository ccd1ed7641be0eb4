import Entries
import LogStream
import Readiness
import Rollout
import Verifications

/// One pass over the inputs of a rollout: rows of a Google Analytics export and a Remote Config template.
///
/// Logs of functions and metrics of services among them are read once more, for the tokens that were sent.
///
/// The result does not depend on the order of the inputs, nor on how the rows are split over them.
struct RolloutAnalysis: Sendable {
    var inputs: [LogInput]
    var horizon: Day
    var jobs = 1
    var scan = ScanOptions()

    struct Result: Sendable {
        var tally: EventTally
        var input = InputSummary()
        /// The templates among the inputs, each once; at most two, because two are one too many.
        var templates: [TemplateDocument]
        /// The requests in the logs and metrics among the inputs; nil without any, and if they cannot be read twice.
        var requests: LogAnalysis.Result?
    }

    func run(progress: ReadProgress = ReadProgress()) -> Result {
        var scanner = EventReader(options: scan, sink: RolloutSink(tally: EventTally(horizon: horizon)))
        var input = InputSummary()
        var logs: [LogInput] = []
        for next in inputs {
            let known = scanner.sink.requestRecords
            let scanned = scanner.scan(next, isPipelined: jobs > 1, progress: progress)
            input.merge(scanned.summary)
            // What has no size, such as a pipe, is gone once it was read.
            if scanner.sink.requestRecords > known, next.size != nil { logs.append(next) }
        }
        var tally = scanner.sink.tally
        tally.clients = scanner.clients
        return Result(
            tally: tally, input: input, templates: scanner.sink.templates,
            requests: logs.isEmpty ? nil : requests(in: logs))
    }

    private func requests(in logs: [LogInput]) -> LogAnalysis.Result {
        var analysis = LogAnalysis(inputs: logs, horizon: Instant(day: horizon.advanced(by: 1), nanosecondOfDay: 0))
        analysis.jobs = jobs
        analysis.scan = scan
        return analysis.run()
    }
}

private struct RolloutSink: EventSink {
    var tally: EventTally
    var templates: [TemplateDocument] = []
    /// The records that are read once more.
    private(set) var requestRecords = 0

    mutating func count(_ event: AnalyticsEvent) {
        tally.widen(day: event.day, instant: event.instant)
        let kind: EventTally.Kinds =
            switch event.kind {
            case .success: .success
            case .failure: .failure
            case .other: .other
            case .foreign: []
            }
        guard !kind.isEmpty else { return }
        tally.count(kind, user: event.user, day: event.day, client: event.client)
    }

    mutating func keep(template: [UInt8], of source: String) {
        guard templates.count < 2, !templates.contains(where: { $0.bytes == template }) else { return }
        templates.append(TemplateDocument(source: source, bytes: template))
    }

    mutating func countLogEntry() {
        tally.logEntries += 1
        requestRecords += 1
    }

    mutating func countServices() { requestRecords += 1 }
}

/// A Remote Config template as it was read.
///
/// It is one of three: the file that `firebase remoteconfig:get -o` writes, the answer of the REST interface, which has
/// its `version` as well, or `firebase --json`'s `{"status": "success", "result": …}` around that.
struct TemplateDocument: Hashable, Sendable {
    let source: String
    let bytes: [UInt8]

    /// How far the rollout is that a parameter controls.
    func rollout(of parameter: String) throws(TemplateFault) -> RolloutTemplate {
        let template = template
        let found = template.allParameters.filter { $0.key == parameter }.map(\.value)
        guard let value = found.first else { throw .noParameter(boolean: template.booleanParameters) }
        guard found.count == 1 else { throw .ambiguousParameter }
        let conditional = value["conditionalValues"]?.members ?? []
        let conditions = template.conditions.filter { condition in conditional.contains { $0.key == condition.name } }
        guard conditions.count == Set(conditional.map(\.key)).count else { throw .unknownCondition }
        var rollout = try RolloutTemplate(
            defaultValue: value["defaultValue"].map(RolloutTemplate.Value.init),
            conditional: conditions.map { condition in
                let node = value["conditionalValues"]?[condition.name]
                return (
                    TemplateCondition(name: condition.name, expression: condition.expression),
                    node.map(RolloutTemplate.Value.init) ?? .notBoolean
                )
            })
        rollout.version = template["version"]?["versionNumber"]?.number.flatMap { Int(exactly: $0) }
        if let condition = rollout.condition, !rollout.isUnconditional {
            rollout.siblings = template.allParameters
                .filter { $0.key != parameter && $0.value["conditionalValues"]?[condition] != nil }.map(\.key).sorted()
        }
        return rollout
    }

    /// The template with the percentage of a parameter's condition changed, every other byte kept.
    ///
    /// From the output of `firebase --json`, only `result` is written: the rest is not a template, and deploying it
    /// would delete every parameter.
    func patched(_ parameter: String, percent: Double) throws(TemplateFault) -> [UInt8] {
        let rollout = try rollout(of: parameter)
        guard !rollout.isConsoleRollout else { throw .consoleRollout }
        let template = template
        guard let atom = rollout.atom,
            let condition = template.conditions.first(where: { $0.name == rollout.condition })
        else { throw .noCondition }
        guard let number = atom.number(for: percent) else { throw .noRoom }
        let places = condition.node.placesOfText(in: bytes)
        guard atom.place.upperBound < places.count else { throw .notReadBack }
        let place = places[atom.place.lowerBound]..<places[atom.place.upperBound]
        let outer = template.place
        let changed =
            bytes[outer.lowerBound..<place.lowerBound] + TemplateDocument.digits(of: number).utf8
            + bytes[place.upperBound..<outer.upperBound]
        var expected = rollout
        expected.percent = percent
        expected.atom = nil
        var found = try TemplateDocument(source: source, bytes: Array(changed)).rollout(of: parameter)
        guard (found.percent - percent).magnitude < 1e-9 else { throw .notReadBack }
        found.percent = percent
        found.atom = nil
        guard found == expected else { throw .notReadBack }
        return Array(changed)
    }

    /// A percentage in millionths at most, which is what Remote Config counts in.
    private static func digits(of number: Double) -> String {
        let millionths = Int((number * 1_000_000).rounded())
        var fraction = String(1_000_000 + millionths % 1_000_000).dropFirst()
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(millionths / 1_000_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    /// The template itself, without what it is wrapped in.
    private var template: JSONNode {
        guard let root = JSONNode(document: bytes) else { preconditionFailure("it was read before") }
        let isTemplate = ["conditions", "parameters", "parameterGroups"].contains { root[$0] != nil }
        return isTemplate ? root : root["result"] ?? root
    }
}

extension JSONNode {
    fileprivate var conditions: [(name: String, expression: String, node: JSONNode)] {
        (self["conditions"]?.elements ?? []).compactMap { condition in
            guard let name = condition["name"]?.string, let node = condition["expression"], let text = node.string
            else { return nil }
            return (name, text, node)
        }
    }

    /// All parameters, in any group.
    fileprivate var allParameters: [Member] {
        (self["parameters"]?.members ?? [])
            + (self["parameterGroups"]?.members ?? []).flatMap { $0.value["parameters"]?.members ?? [] }
    }

    fileprivate var booleanParameters: [String] {
        allParameters.filter { member in
            member.value["valueType"]?.string == "BOOLEAN"
                || ["true", "false"].contains(member.value["defaultValue"]?["value"]?.string?.lowercased() ?? "")
        }.map(\.key).sorted()
    }
}

extension RolloutTemplate.Value {
    /// The value of a parameter; text as Firebase reads it, in whichever case.
    fileprivate init(_ node: JSONNode) {
        if let rollout = node["rolloutValue"] {
            let isOn = rollout["value"]?.string?.lowercased() == "true"
            let percent = rollout["percent"]?.number.flatMap { (0...100).contains($0) ? $0 : nil }
            self = percent.map { .rollout(percent: $0, value: isOn) } ?? .notBoolean
        } else if node["personalizationValue"] != nil {
            self = .personalization
        } else if node["experimentValue"] != nil {
            self = .experiment
        } else if node["useInAppDefault"]?.content == .bool(true) {
            self = .inAppDefault
        } else {
            switch (node["value"]?.content, node["value"]?.string?.lowercased()) {
            case (.bool(let isOn), _): self = .bool(isOn)
            case (_, "true"): self = .bool(true)
            case (_, "false"): self = .bool(false)
            default: self = .notBoolean
            }
        }
    }
}
