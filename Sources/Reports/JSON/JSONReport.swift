import Readiness
import Verifications

/// The machine-readable report, schema `callcheck.summary/3`.
///
/// Keys are always present and always in the same order. Integers are written as integers, other numbers in the fewest
/// digits that read back as the same number. Outer levels have one key per line, and leaves are on one line, which
/// suits both `jq` and readers of a diff.
struct JSONReport {
    static let schema = "callcheck.summary/3"
    static let nightlySchema = "callcheck.report/3"

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
            json.member("asOf", report.summary.asOf)
            json.member("confirm", report.nightsWanted)
            json.member("comparedTo", report.comparedTo)
            json.member("ratesCompared", report.ratesCompared)
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
    /// What every report says of a summary before it lists its functions.
    mutating func add(_ summary: Summary, _ check: GateCheck?) {
        add(summary.policy)
        object(.lines, key: "input") { json in
            json.addCounts(of: summary.input)
            json.addProblems(of: summary.input)
        }
        object(.lines, key: "totals") { json in
            let totals = summary.totals
            json.object(.inline, key: "app") { json in
                for app in TokenStatus.allCases { json.member(app.name, totals.total(app: app)) }
            }
            json.addVerdicts(of: summary.functions)
        }
        add(check, of: summary)
        add(summary.groups)
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
            json.member("maxBlocked", policy.maxBlocked)
            json.member("confidence", policy.confidence)
            json.member("window", policy.window)
            json.member("maxWindow", policy.maxWindow)
            json.member("minDays", policy.minDays)
            json.member("requiresAuth", policy.requiresAuth)
            json.member("confirm", policy.confirm)
            switch policy.assumeComplete {
            case .failures: json.member("assumeComplete", policy.assumeComplete.rawValue)
            case .nothing, .everything: json.member("assumeComplete", policy.assumeComplete == .everything)
            }
            json.member("maxPerWeek", policy.maxPerWeek)
            json.array(.inline, key: "ignoreClients") { json in
                for kind in policy.ignoredClients.sorted() { json.element(kind.name) }
            }
            json.array(.inline, key: "acceptPlatforms") { json in
                for name in policy.acceptedPlatforms { json.element(name.text) }
            }
            json.member("requireCallers", policy.requiresCallers)
            json.add(policy.settings)
        }
    }

    private mutating func add(_ settings: SettingsEffect?) {
        guard let settings else { return null("settings") }
        object(.inline, key: "settings") { json in
            json.member("file", settings.file)
            json.array(.inline, key: "loosened") { json in
                for spelling in settings.loosened { json.element(spelling.camelCased) }
            }
            if settings.selectsFunctions { json.member("selection", true) }
        }
    }

    /// The counts of records; some are called otherwise where a store takes them.
    mutating func addCounts(
        of input: InputSummary, verifications: String = "verifications", duplicates: String = "duplicates",
        filtered: String = "filtered"
    ) {
        member("sources", input.sources)
        member("bytesRead", input.bytesRead)
        member("bytesDecompressed", input.bytesDecompressed)
        member("records", input.records)
        member(verifications, input.verifications)
        member(duplicates, input.duplicates)
        member(filtered, input.filtered)
        member("ignored", input.ignored)
        member("malformed", input.malformed)
        member("oversized", input.oversized)
        member("unexpected", input.unexpected)
        member("undated", input.undated)
        member("unread", input.unread.total)
    }

    mutating func addProblems(of input: InputSummary, namingSources: Bool = true) {
        array(.lines, key: "problems") { json in
            for problem in input.problems.entries {
                json.object(.inline) { json in
                    if namingSources { json.member("source", problem.source) }
                    json.member("kind", problem.kind.rawValue)
                    json.member("byteOffset", problem.byteOffset)
                    json.member("record", problem.record)
                    json.member("detail", problem.detail)
                }
            }
        }
    }

    mutating func addWindow(_ days: ClosedRange<Day>?) {
        guard let days else { return null("window") }
        object(.inline, key: "window") { json in
            json.member("from", days.lowerBound)
            json.member("to", days.upperBound)
        }
    }

    private mutating func addVerdicts(of functions: [FunctionSummary]) {
        let counts = functions.reduce(into: [:]) { $0[$1.assessment.verdict, default: 0] += 1 }
        object(.inline, key: "verdicts") { json in
            for verdict in Verdict.allCases { json.member(verdict.rawValue, counts[verdict] ?? 0) }
        }
    }

    private mutating func add(_ check: GateCheck?, of summary: Summary) {
        guard let check else { return null("gate") }
        object(.lines, key: "gate") { json in
            json.member("passed", check.hasPassed(summary))
            json.member("failOn", check.gate.failOn.rawValue)
            json.member("selected", summary.functions.count(where: \.isFunction))
            for (key, standing) in [("against", Standing.notSafe), ("undecided", .unsure), ("lockedOut", .lockedOut)] {
                json.array(.inline, key: key) { json in
                    let isListed = { (assessment: Assessment) in
                        standing == .lockedOut
                            ? assessment.isLockout : check.gate.standing(of: assessment) == standing
                    }
                    for function in summary.functions where isListed(function.assessment) {
                        json.element("\(function.identity.project)/\(function.identity.region)/\(function.name)")
                    }
                }
            }
            json.member("inputComplete", !check.isIncomplete(summary))
        }
    }

    private mutating func add(_ groups: [FunctionGroup]) {
        array(.lines, key: "groups") { json in
            for group in groups {
                json.object(.inline) { json in
                    json.member("name", "quiet")
                    json.member("project", group.project)
                    json.array(.inline, key: "functions") { json in
                        for member in group.members { json.element("\(member.identity.region)/\(member.name)") }
                    }
                    json.member("admitted", group.counts.admitted)
                    json.member("blocked", group.counts.blocked)
                    json.member("blockedRateUpper", group.counts.blockedRateUpper)
                    json.member("verdict", group.verdict.rawValue)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ change: Change, _ words: ChangeWording) {
        let details = change.details
        object(.lines) { json in
            json.member("code", change.code)
            json.member("urgency", change.urgency.words.name)
            json.member("state", details.state)
            json.addIdentity(change.function, project: change.project)
            json.member("verdictBefore", details.verdict?.before.rawValue)
            json.member("verdict", details.verdict?.now.rawValue)
            json.member("reason", details.verdict?.reason?.code ?? details.client?.name)
            json.add(details.rate?.before, key: "rateBefore")
            json.add(details.rate?.now, key: "rate")
            json.member("dispersion", details.rate?.dispersion)
            json.member("pValue", details.rate?.pValue)
            json.member("lastSeen", details.lastSeen)
            json.array(.inline, key: "days") { json in
                for day in details.days { json.element(day.description) }
            }
            json.array(.lines, key: "functions") { json in
                for verdict in details.explained { json.add(verdict) }
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
            json.member("from", side.window.from)
            json.member("to", side.window.to)
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

extension String {
    /// `max-blocked` as programs know it: `maxBlocked`.
    var camelCased: String {
        let words = split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
