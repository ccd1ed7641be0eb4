import Readiness
import Verifications

/// The machine-readable report of every command that judges functions, schema `callcheck.report/6`.
///
/// Keys are always present and always in the same order. Integers are written as integers, other numbers in the fewest
/// digits that read back as the same number. Outer levels have one key per line, and leaves are on one line, which
/// suits both `jq` and readers of a diff.
struct JSONReport {
    static let schema = "callcheck.report/6"

    func write(_ summary: Summary, _ check: GateCheck? = nil, to sink: inout some TextOutputStream) {
        JSONWriter.write(JSONReport.schema, to: &sink) { json, sink in
            json.member("asOf", summary.asOf)
            json.add(summary, check)
            json.addChanges(of: summary)
            json.addPlan(of: summary)
            json.addFindings(of: summary)
            json.add("functions", summary.functions.filter { !$0.identity.isService }, FunctionRow.fields, to: &sink)
            json.add(
                "services", summary.functions.filter { $0.identity.isService }, FunctionRow.serviceFields, to: &sink)
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
        let functions = summary.functions.filter { !$0.identity.isService }
        let verdicts = functions.reduce(into: [:]) { $0[$1.assessment.verdict, default: 0] += 1 }
        object(.lines, key: "totals") { json in
            json.object(.inline, key: "app") { json in
                let totals = functions.reduce(into: StatusMatrix()) { $0.merge($1.totals) }
                for app in TokenStatus.allCases { json.member(app.name, totals.total(app: app)) }
            }
            json.object(.inline, key: "verdicts") { json in
                for verdict in Verdict.allCases { json.member(verdict.rawValue, verdicts[verdict] ?? 0) }
            }
        }
        add(check, of: summary)
    }

    fileprivate mutating func add(
        _ key: String, _ functions: [FunctionSummary], _ fields: [Field<FunctionRow>],
        to sink: inout some TextOutputStream
    ) {
        array(.lines, key: key) { json in
            for function in functions {
                let row = FunctionRow(function)
                json.object(.lines) { for field in fields { field.write(row, &$0) } }
                json.drain(into: &sink)
            }
        }
    }

    private mutating func add(_ policy: VerdictPolicy) {
        object(.inline, key: "policy") { json in
            for key in SettingKey.all where key.isNumber && key != SettingKey[\.quietDays] {
                json.add([key.json: key.value(in: policy).map { Leaf($0, of: key) } ?? .null])
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
            filtered: input.filtered, "later": input.later, "ignored": input.ignored, "malformed": input.malformed,
            "oversized": input.oversized, "unexpected": input.unexpected, "undated": input.undated,
            "unread": input.unread.total, "serviceRequests": input.serviceRequests,
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
        object(.lines, key: "gate") { json in
            func list(_ key: String, _ isListed: (Assessment) -> Bool) {
                json.objects(key, summary.functions.filter { isListed($0.assessment) }) { $0.subject }
            }
            json.add([
                "passed": check.hasPassed(summary), "failOn": check.gate.failOn.rawValue,
                "selected": summary.functions.count(where: \.isFunction),
            ])
            list("against") { check.gate.outcome(of: $0) == .against }
            list("undecided") { [.undecided, .unclear].contains(check.gate.outcome(of: $0)) }
            list("lockedOut", \.isLockout)
            json.member("inputComplete", !check.isIncomplete(summary))
        }
    }

    /// Every change has the same keys, null where they do not apply to its kind; all is null without a comparison.
    fileprivate mutating func addChanges(of summary: Summary) {
        member("comparedTo", summary.comparison?.since)
        guard let comparison = summary.comparison else { return null("changes") }
        let names = summary.names
        array(.lines, key: "changes") { json in
            for change in comparison.changes { json.object(.lines) { $0.add(change, names) } }
        }
    }

    /// Adds the functions to enforce next, in order.
    fileprivate mutating func addPlan(of summary: Summary) {
        array(.lines, key: "plan") { json in
            for step in summary.plan {
                json.object(.inline) { json in
                    json.object("of", step.function.subject)
                    json.add(["date": step.day, "owner": step.function.owner])
                }
            }
        }
    }

    private mutating func add(_ change: Change, _ names: FunctionNames) {
        let state: String? =
            switch change.kind {
            case .lockout(let lockout): lockout.rawValue
            case .urgent(_, let state): state.rawValue
            case .aftermath(let aftermath): aftermath.answer?.rawValue
            default: nil
            }
        add([
            "code": change.code, "urgency": change.urgency.rawValue, "state": state,
            "late": change.origin != .newRequests, "cause": change.suspect?.name,
        ])
        array(.lines, key: "functions") { json in
            for function in change.functions {
                json.object(nil, function.subject)
            }
        }
        let now = change.functions.first?.assessment
        add([
            "verdictBefore": change.before?.verdict.rawValue, "verdict": now?.verdict.rawValue,
            "readyBefore": change.before?.ready, "ready": now?.readyDay,
            "admittedBefore": change.before?.requests, "blockedBefore": change.before?.blocked,
            "detail": change.wording(names).text(ascii: false),
        ])
    }
}

extension Leaf {
    fileprivate init(_ value: SettingKey.Value, of key: SettingKey) {
        let text = key.text(of: value)
        self =
            if key.form == .list { .list(text.split(separator: ",").map(String.init)) } else {
                (value as? any LeafValue)?.leaf ?? Bool(text).map(Leaf.flag) ?? .text(text)
            }
    }
}
