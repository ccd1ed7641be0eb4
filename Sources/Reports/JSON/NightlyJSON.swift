import Readiness
import Verifications

/// The machine-readable morning report, schema `callcheck.report/2`: ``JSONReport`` and what changed.
///
/// `functions` has the shape it has there. Every change has the same keys, null where they do not apply to its kind.
struct NightlyJSON {
    /// Names the schema; a changed schema gets a new number.
    static let schema = "callcheck.report/2"

    func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        let words = ChangeWording(report)
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", NightlyJSON.schema)
            json.member("asOf", report.summary.asOf?.description)
            json.member("confirm", report.nightsWanted)
            json.member("comparedTo", report.comparedTo?.description)
            json.member("ratesCompared", report.ratesCompared)
            json.add(report.summary.policy)
            json.add(report.summary.input)
            json.addTotals(of: report.summary)
            json.add(nil, of: report.summary)
            json.add(report.summary.groups)
            json.array(.lines, key: "changes") { json in
                for change in report.changes {
                    json.add(change, words)
                    json.drain(into: &sink)
                }
            }
            json.array(.lines, key: "functions") { json in
                for function in report.summary.functions {
                    json.add(function)
                    json.drain(into: &sink)
                }
            }
        }
        json.drain(into: &sink)
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ change: Change, _ words: ChangeWording) {
        object(.lines) { json in
            json.member("code", change.code)
            json.member("urgency", change.urgency.name)
            json.member("state", change.state)
            json.addIdentity(change.function, project: change.project)
            json.member("verdictBefore", change.verdict?.before.rawValue)
            json.member("verdict", change.verdict?.now.rawValue)
            json.member("reason", change.verdict?.reason?.code ?? change.client?.name)
            json.add(change.rate?.before, key: "rateBefore")
            json.add(change.rate?.now, key: "rate")
            json.member("dispersion", change.rate?.dispersion)
            json.member("pValue", change.rate?.pValue)
            json.member("lastSeen", change.lastSeen)
            json.array(.inline, key: "days") { json in
                for day in change.days { json.element(day.description) }
            }
            json.array(.lines, key: "functions") { json in
                for verdict in change.explained { json.add(verdict) }
            }
            json.member("detail", words.sentences(change).text(ascii: false))
        }
    }

    private mutating func addIdentity(_ function: ChangedFunction?, project: String) {
        member("project", project)
        member("region", function?.identity.region)
        member("function", function?.name)
        member("generation", function?.identity.generation.map { Int($0.rawValue) })
    }

    private mutating func add(_ side: RateChange.Side?, key: String) {
        guard let side else { return null(key) }
        object(.inline, key: key) { json in
            json.member("from", side.window.from.description)
            json.member("to", side.window.to.description)
            json.member("admitted", side.admitted)
            json.member("blocked", side.blocked)
            json.member("blockedRate", side.rate)
        }
    }

    private mutating func add(_ verdict: VerdictChange) {
        object(.inline) { json in
            json.addIdentity(verdict.function, project: verdict.function.identity.project)
            json.member("verdictBefore", verdict.before.rawValue)
            json.member("verdict", verdict.now.rawValue)
        }
    }
}

extension Change.Urgency {
    /// The spelling in machine-readable output.
    var name: String {
        switch self {
        case .act: "act"
        case .worse: "worse"
        case .better: "better"
        case .neutral: "neutral"
        }
    }
}

extension Change {
    /// Which of several things a code can mean; nil where it means one.
    fileprivate var state: String? {
        switch self {
        case .lockout(let lockout): lockout.state.rawValue
        case .appeared(let appearance): appearance.silentSince == nil ? "new" : "again"
        case .rate(_, let rate), .clients(_, _, let rate): rate.isRise ? "rise" : "fall"
        case .missingExport, .verdict, .silent: nil
        }
    }

    fileprivate var verdict: VerdictChange? {
        switch self {
        case .verdict(let change): change
        case .silent(let silence): silence.verdict
        case .lockout, .missingExport, .rate, .clients, .appeared: nil
        }
    }

    fileprivate var client: ClientKind? {
        if case .clients(_, let kind, _) = self { kind } else { nil }
    }

    fileprivate var rate: RateChange? {
        switch self {
        case .rate(_, let rate), .clients(_, _, let rate): rate
        case .verdict(let change): change.rate
        case .lockout, .missingExport, .silent, .appeared: nil
        }
    }

    /// A date, or an instant where one is known.
    fileprivate var lastSeen: String? {
        switch self {
        case .silent(let silence): return silence.last.description
        case .appeared(let appearance): return appearance.silentSince?.description
        case .missingExport(let missing):
            guard case .everything(let newest, _) = missing.kind else { return nil }
            return newest.description
        case .lockout, .verdict, .rate, .clients: return nil
        }
    }

    fileprivate var days: [Day] {
        guard case .missingExport(let missing) = self, case .days(let days) = missing.kind else { return [] }
        return days
    }

    fileprivate var explained: [VerdictChange] {
        guard case .missingExport(let missing) = self else { return [] }
        return missing.verdicts
    }
}
