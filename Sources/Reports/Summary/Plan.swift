import Readiness
import Verifications

extension Summary {
    /// The functions that counts are about: not those of which nothing says that the client SDKs call them.
    fileprivate var callable: [FunctionSummary] {
        functions.filter { $0.isFunction && $0.listing != .deployed(.unknown) }
    }

    /// The number of functions that can be enforced, and the next one, in one line.
    var headline: Wording {
        let count = callable.count
        guard count > 0 else { return missing("The log") ?? "No callable function had a request." }
        let date = asOf.map { "As of \(CalendarText.day($0.day)), " } ?? ""
        let verb = ready.count == 1 || count == 1 ? "is" : "are"
        let total = Figures.counted(count, noun.one, plural: noun.many)
        let answer = "\(date)\(Figures.grouped(ready.count)) of \(total) \(verb) ready"
        if let oldLog = oldLog() { return "\(answer). \(oldLog)" }
        guard let next = ready.first else {
            return ["\(answer).", mainReason, firstExpected].compactMap(\.self).joined
        }
        return "\(answer): enforce \(names[next])\(count > 1 ? " first" : "")."
    }

    /// Why nothing can be said about today, and how to look back; nil unless all logs are too old.
    func oldLog(_ log: String = "The log") -> Wording? {
        // Functions that nobody calls have no log that could be too old, and of others nothing is asked.
        let open = functions.filter { !$0.days.isEmpty }.map(\.assessment)
            .filter { !$0.isSettled || $0.enforcement.isOn }
        let ends = open.compactMap(\.oldExport)
        guard let end = ends.min(by: { $0.hours < $1.hours }), ends.count == open.count else { return nil }
        return """
            \(log) ended \(Figures.duration(hours: end.hours)) ago, so it says nothing about today. Export it again, or \
            judge it as of its end with \(code: "--as-of \(end.day)").
            """
    }

    /// How far all functions are, and when the last one will be ready; nil where that adds nothing.
    var progress: Wording? {
        let all = callable.map(\.assessment)
        func count(_ verdicts: Verdict...) -> Int { all.count { verdicts.contains($0.verdict) } }
        let dates = all.compactMap { $0.nextStep?.day }.sorted()
        let (enforced, ready, others) = (count(.enforced), count(.enforce), count(.exempt, .superseded))
        let undated = all.count - enforced - ready - others - dates.count
        guard all.count > 1, enforced > 0 || !dates.isEmpty else { return nil }
        let number = Figures.grouped
        let parts = [
            enforced > 0 ? "\(number(enforced)) of \(number(all.count)) enforced" : nil,
            others > 0 ? "\(number(others)) exempt or replaced" : nil,
            dates.last.map { last in
                let those = dates.count == all.count ? "all" : undated == 0 ? "the rest" : "\(number(dates.count)) more"
                return "\(those) ready by \(CalendarText.short(last))"
            },
            undated > 0 ? "\(number(undated)) without a date" : nil,
        ].compactMap { $0 }
        return "\(parts.joined(separator: ", "))."
    }

    var ready: [FunctionSummary] {
        functions.filter { $0.assessment.verdict == .enforce }.inOrderOfEnforcement
    }

    var basis: Wording {
        let guarded = policy.requiresAuth ? "signed-in requests" : "requests"
        return """
            Ready means: at most \(Figures.exactRate(policy.maxBlocked)) of \(guarded)\(policy.fewAccepted) would be refused \
            (\(Figures.exactRate(policy.confidence)) confidence)\
            \(policy.confirm > 1 ? ", on \(policy.confirm) days in a row" : "").
            """
    }

    /// The command that shows why a function is not ready, first one that the first line names; nil if all are.
    var why: Wording? {
        func busiest(_ standing: GateClass) -> FunctionSummary? {
            functions.filter { $0.isFunction && $0.assessment.gateClass == standing }
                .max { $0.totals.total < $1.totals.total }
        }
        let failing = functions.first { $0.isFunction && $0.assessment.failing != nil }
        return (busiest(.lockedOut) ?? failing ?? busiest(.notSafe) ?? busiest(.unsure)).map(explaining)
    }

    /// The next command to type, and how to go about it; empty without functions.
    var hints: [Wording] {
        [why].compactMap { $0 } + waits
            + (ready.isEmpty
                ? [] : ["Enforce one \(noun.one) a day."])
    }

    /// The app versions that must disappear before the busiest functions are ready.
    private var waits: [Wording] {
        let names = names
        return functions.compactMap { function in
            function.outdatedWording(names[function]).map { (function: function, wording: $0) }
        }.sorted {
            ($1.function.requestsPerDay, ExactName($0.function.name))
                < ($0.function.requestsPerDay, ExactName($1.function.name))
        }.prefix(3).map(\.wording)
    }

    private var mainReason: Wording? {
        let all = functions.filter(\.isFunction)
        let open = all.filter { [.notSafe, .unsure].contains($0.assessment.gateClass) }
        let counts = Dictionary(grouping: open.isEmpty ? all : open, by: \.assessment.word).mapValues(\.count)
        let words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key): \(Figures.grouped($0.value))" }.joined(separator: ", ")
        return words.isEmpty ? nil : "\(words.prefix(1).uppercased() + words.dropFirst())."
    }

    /// The function that will be ready first, in a sentence; nil if no day is known for any.
    private var firstExpected: Wording? {
        let dates = functions.compactMap { function -> (day: Day, name: ExactName, function: FunctionSummary)? in
            function.assessment.nextStep?.day.map { ($0, ExactName(function.name), function) }
        }
        guard let next = dates.min(by: { ($0.day, $0.name) < ($1.day, $1.name) }) else { return nil }
        return "At the current rate, \(names[next.function]) will be ready first, on \(CalendarText.day(next.day))."
    }
}

extension Assessment {
    /// When a log that is too old ended; nil for one that is not.
    fileprivate var oldExport: (day: Day, hours: Double)? {
        listed[.exportOld].flatMap { finding in finding.instant.map { ($0.day, finding.value ?? 0) } }
    }
}

extension Summary {
    /// The functions to enforce next: by the day on which they are ready, then those with the fewest requests.
    ///
    /// Functions without a day are left out. Ask once: all functions are looked at.
    var plan: [(function: FunctionSummary, day: Day)] {
        guard let today = asOf?.day else { return [] }
        return open.inOrderOfEnforcement.enumerated().compactMap { rank, function in
            function.plannedDay.map { (day: max($0, today), rank: rank, function: function) }
        }.sorted { ($0.day, $0.rank) < ($1.day, $1.rank) }.map { ($0.function, $0.day) }
    }

    private var open: [FunctionSummary] {
        callable.filter { function in
            !function.assessment.isSettled && !function.assessment.enforcement.isOn
                && function.name != FunctionIdentity.unknown
        }
    }

    /// As many as can be read; CSV has all.
    private static let longestPlan = 92

    /// The plan as a table; nil where nothing has a date.
    func planSection(_ view: TableView) -> Document.Section? {
        let (plan, names) = (plan, names)
        let steps = plan.filter { view.includes($0.function) }
        guard !steps.isEmpty else { return nil }
        let hasOwners = steps.contains { $0.function.owner != nil }
        let rows = steps.prefix(min(view.limit ?? .max, Summary.longestPlan)).map { function, day -> [Table.Cell] in
            let date = function.assessment.verdict == .enforce ? "now" : CalendarText.weekday(day)
            return [.words(names[function]), .number(function.totals.total), .words("\(date)")]
                + (hasOwners ? [.words(function.owner.map { "\(name: $0)" } ?? "")] : [])
        }
        let table = Table(
            lead: Table.Column(head: "enforce"), numbers: ["requests"],
            words: ["ready"] + (hasOwners ? ["owner"] : []), rows: rows)
        let rest = steps.count - rows.count
        let all: Wording = view.limit == nil ? "" : ": \(code: "--limit all")"
        let more: Wording = rest > 0 ? " \(Figures.counted(rest, "more step"))\(all)." : ""
        let others = open.count - plan.count
        let undated: Wording =
            others == 0
            ? ""
            : " \(Figures.counted(others, noun.one, plural: noun.many)) \(others == 1 ? "has" : "have") no date yet."
        let advice: Wording = """
            In the order of their dates; on the same day, fewest requests first. Later dates are forecasts: look again \
            before each step.
            """
        return Document.Section(
            title: "Plan", anchor: "plan", blocks: [.table(table), .paragraph(advice + more + undated, .faint)])
    }
}

extension Sequence<FunctionSummary> {
    /// A mistake does least harm where the fewest requests come in; functions without a bad day come first.
    var inOrderOfEnforcement: [FunctionSummary] {
        sorted {
            ($0.hasTrouble ? 1 : 0, $0.requestsPerDay, ExactName($0.name))
                < ($1.hasTrouble ? 1 : 0, $1.requestsPerDay, ExactName($1.name))
        }
    }
}

extension FunctionSummary {
    /// The versions of an app without which the rule says that the function is ready; nil where that is not enough.
    var oldVersions: Suspect.Unit? {
        guard let tried = assessment.whatIfs.first, tried.verdict == .enforce,
            case .without(let unit) = tried.change
        else { return nil }
        switch unit {
        case .versions, .platform(.release): return unit
        case .platform, .unknown: return nil
        }
    }

    /// Returns the sentence on the versions that must disappear before it is ready.
    func outdatedWording(_ subject: @autoclosure () -> Wording) -> Wording? {
        oldVersions.map { unit in
            let verb = if case .versions = unit { "are" } else { "is" }
            return "\(subject()) will be ready once " + unit.clients + " \(verb) gone."
        }
    }

    /// Whom the policy names for it.
    var owner: String? { assessment.policy.owner }

    /// The day on which the function is ready; nil where none is known.
    var plannedDay: Day? { assessment.verdict == .enforce ? assessment.readyDay : assessment.nextStep?.day }

    var hasTrouble: Bool { assessment.failing != nil || assessment.listed.has(.raisedShare) }

    fileprivate var requestsPerDay: Double {
        Double(assessment.period.admitted) / max(1, assessment.observedDays)
    }
}
