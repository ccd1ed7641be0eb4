import Readiness
import Verifications

/// The machine-readable report, schema `callcheck.summary/4`.
///
/// Keys are always present and always in the same order. Integers are written as integers, other numbers in the fewest
/// digits that read back as the same number. Outer levels have one key per line, and leaves are on one line, which
/// suits both `jq` and readers of a diff.
struct JSONReport {
    static let schema = "callcheck.summary/4"
    static let nightlySchema = "callcheck.report/4"

    func write(_ summary: Summary, _ check: GateCheck? = nil, to sink: inout some TextOutputStream) {
        JSONWriter.write(JSONReport.schema, to: &sink) { json, sink in
            json.member("asOf", summary.asOf)
            json.add(summary, check)
            json.addFunctions(of: summary, to: &sink)
        }
    }

    /// The morning report: the summary, and what changed.
    ///
    /// Every change has the same keys, null where they do not apply to its kind.
    func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        let words = ChangeWording(report)
        JSONWriter.write(JSONReport.nightlySchema, to: &sink) { json, sink in
            json.add([
                "asOf": report.summary.asOf, "confirm": report.nightsWanted, "comparedTo": report.comparedTo,
                "ratesCompared": report.ratesCompared,
            ])
            json.add(report.summary, nil)
            json.array(.lines, key: "changes") { json in
                for change in report.changes {
                    json.add(change, words)
                    json.drain(into: &sink)
                }
            }
            json.addFunctions(of: report.summary, to: &sink)
        }
    }
}

extension JSONWriter {
    mutating func add(_ summary: Summary, _ check: GateCheck?) {
        add(summary.policy)
        object(.lines, key: "input") { json in
            json.addCounts(of: summary.input)
            json.addProblems(of: summary.input)
        }
        let verdicts = summary.functions.reduce(into: [:]) { $0[$1.assessment.verdict, default: 0] += 1 }
        object(.lines, key: "totals") { json in
            json.object(.inline, key: "app") { json in
                let totals = summary.totals
                for app in TokenStatus.allCases { json.member(app.name, totals.total(app: app)) }
            }
            json.object(.inline, key: "verdicts") { json in
                for verdict in Verdict.allCases { json.member(verdict.rawValue, verdicts[verdict] ?? 0) }
            }
        }
        add(check, of: summary)
        objects("groups", summary.groups) { group in
            [
                "name": "quiet", "project": group.project,
                "functions": group.members.map { "\($0.identity.region)/\($0.name)" },
                "admitted": group.counts.admitted, "blocked": group.counts.blocked,
                "blockedRateUpper": group.counts.blockedRateUpper, "verdict": group.verdict.rawValue,
            ]
        }
    }

    mutating func addFunctions(of summary: Summary, to sink: inout some TextOutputStream) {
        array(.lines, key: "functions") { json in
            for function in summary.functions {
                let row = FunctionRow(function)
                json.object(.lines) { for field in FunctionRow.fields { field.write(row, &$0) } }
                json.drain(into: &sink)
            }
        }
    }

    private mutating func add(_ policy: VerdictPolicy) {
        object(.inline, key: "policy") { json in
            for key in SettingKey.allCases where key.row.isNumber && key != .quietDays {
                json.add([key.json: key.row.value(in: policy)?.leaf ?? .null])
            }
            guard let settings = policy.settings else { return json.null("settings") }
            json.object(.inline, key: "settings") { json in
                json.add(["file": settings.file, "loosened": settings.loosened.map(\.json)])
                if settings.selectsFunctions { json.member("selection", true) }
            }
        }
    }

    /// The counts of records; some are called otherwise where a store takes them.
    mutating func addCounts(
        of input: InputSummary, verifications: String = "verifications", duplicates: String = "duplicates",
        filtered: String = "filtered"
    ) {
        add([
            "sources": input.sources, "bytesRead": input.bytesRead, "bytesDecompressed": input.bytesDecompressed,
            "records": input.records, verifications: input.verifications, duplicates: input.duplicates,
            filtered: input.filtered, "ignored": input.ignored, "malformed": input.malformed,
            "oversized": input.oversized, "unexpected": input.unexpected, "undated": input.undated,
            "unread": input.unread.total,
        ])
    }

    mutating func addProblems(of input: InputSummary, namingSources: Bool = true) {
        array(.lines, key: "problems") { json in
            for problem in input.problems.entries {
                json.object(.inline) { json in
                    if namingSources { json.member("source", problem.source) }
                    json.add([
                        "kind": problem.kind.rawValue, "byteOffset": problem.byteOffset, "record": problem.record,
                        "detail": problem.detail,
                    ])
                }
            }
        }
    }

    private mutating func add(_ check: GateCheck?, of summary: Summary) {
        guard let check else { return null("gate") }
        func names(_ isListed: (Assessment) -> Bool) -> [String] {
            summary.functions.filter { isListed($0.assessment) }.map { function in
                "\(function.identity.project)/\(function.identity.region)/\(function.name)"
            }
        }
        // A gate that looks for lock-outs asks nothing else.
        let asksAll = check.gate.failOn != .lockout
        func standing(_ assessment: Assessment) -> Standing { check.gate.standing(of: assessment) }
        object(.lines, key: "gate") { json in
            json.add([
                "passed": check.hasPassed(summary), "failOn": check.gate.failOn.rawValue,
                "selected": summary.functions.count(where: \.isFunction),
                "against": names { standing($0) == .lockedOut || asksAll && standing($0) == .notSafe },
                "undecided": names { standing($0) == .switchUnclear || asksAll && standing($0) == .unsure },
                "lockedOut": names(\.isLockout),
                "inputComplete": !check.isIncomplete(summary),
            ])
        }
    }

    fileprivate mutating func add(_ change: Change, _ words: ChangeWording) {
        let details = change.details
        object(.lines) { json in
            json.add(["code": change.code, "urgency": change.urgency.words.name, "state": details.state])
            json.add(JSONWriter.place(of: change.function, project: change.project))
            json.add([
                "verdictBefore": details.verdict?.before.rawValue, "verdict": details.verdict?.now.rawValue,
                "reason": details.verdict?.reason?.code ?? details.client?.name,
            ])
            json.object("rateBefore", (details.rate?.before).map(JSONWriter.members))
            json.object("rate", (details.rate?.now).map(JSONWriter.members))
            json.add([
                "dispersion": details.rate?.dispersion, "pValue": details.rate?.pValue, "lastSeen": details.lastSeen,
                "days": details.days.map(\.description),
            ])
            json.array(.lines, key: "functions") { json in
                for verdict in details.explained {
                    json.object(.inline) { json in
                        json.add(
                            JSONWriter.place(of: verdict.function, project: verdict.function.identity.project))
                        json.add(["verdictBefore": verdict.before.rawValue, "verdict": verdict.now.rawValue])
                    }
                }
            }
            json.member("detail", words.sentences(change).text(ascii: false))
        }
    }

    private static func place(of function: ChangedFunction?, project: String) -> Members {
        [
            "project": project, "region": function?.identity.region, "function": function?.name,
            "generation": function?.identity.generation.map { Int($0.rawValue) },
        ]
    }

    private static func members(_ side: RateChange.Side) -> Members {
        [
            "from": side.window.from, "to": side.window.to, "admitted": side.admitted, "blocked": side.blocked,
            "blockedRate": side.rate,
        ]
    }
}

extension Change {
    /// What a change of any kind can have.
    fileprivate struct Details {
        /// Which of several things its code can mean.
        var state: String?
        var verdict: VerdictChange?
        var client: ClientKind?
        var rate: RateChange?
        /// A date, or an instant where one is known.
        var lastSeen = Leaf.null
        var days: [Day] = []
        var explained: [VerdictChange] = []
    }

    fileprivate var details: Details {
        switch self {
        case .lockout(let lockout): Details(state: lockout.state.rawValue)
        case .aftermath(_, let aftermath): Details(state: aftermath.answer?.rawValue)
        case .verdict(let change): Details(verdict: change, client: change.rate?.client, rate: change.rate)
        case .rate(_, let rate): Details(state: rate.isRise ? "rise" : "fall", client: rate.client, rate: rate)
        case .clients(_, let kind, let rate): Details(state: rate.isRise ? "rise" : "fall", client: kind, rate: rate)
        case .silent(let silence): Details(verdict: silence.verdict, lastSeen: silence.last.leaf)
        case .appeared(let appearance):
            Details(state: appearance.silentSince == nil ? "new" : "again", lastSeen: appearance.silentSince.leaf)
        case .missingExport(let missing):
            switch missing.kind {
            case .everything(let newest, _): Details(lastSeen: newest.leaf, explained: missing.verdicts)
            case .days(let days): Details(days: days, explained: missing.verdicts)
            case .failures, .passes: Details(explained: missing.verdicts)
            }
        }
    }
}

extension SettingValue {
    fileprivate var leaf: Leaf {
        switch self {
        case .texts(let texts): .list(texts)
        case .text(let text): Bool(text).map(Leaf.flag) ?? .text(text)
        case .flag(let isOn): .flag(isOn)
        case .count(let count): .number(count)
        case .number(let number): .decimal(number)
        }
    }
}
