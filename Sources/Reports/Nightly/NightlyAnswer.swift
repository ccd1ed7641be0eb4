import Readiness
import Verifications

/// The answer in three lines: what is ready, how it stands with the rest, what changed.
struct NightlyAnswer {
    /// The verdict that has the sign and the colour of the answer.
    let mark: Verdict
    let lines: [Wording]

    init(_ report: NightlyReport) {
        let summary = report.summary
        let hasLockout = summary.functions.contains(where: \.assessment.isLockout)
        mark = hasLockout ? .wait : summary.ready.isEmpty ? .insufficient : .enforce
        lines = [report.readyLine, report.standingLine, report.changesLine]
    }
}

extension NightlyReport {
    fileprivate var readyLine: Wording {
        let lockedOut = summary.functions.filter(\.assessment.isLockout)
        let lockouts: Wording =
            lockedOut.isEmpty ? "" : "Signed-in people are locked out of \(names: summary.names(of: lockedOut)). "
        guard !summary.ready.isEmpty else { return lockouts + "Ready to enforce: none yet." }
        return lockouts + "Ready to enforce: \(names: summary.names(of: summary.ready))."
    }

    /// How many functions have which standing, and which is ready next.
    fileprivate var standingLine: Wording {
        let functions = summary.functions.filter(\.isFunction)
        guard !functions.isEmpty else { return "There is no function to report on." }
        func count(_ verdicts: Verdict...) -> Int { functions.count { verdicts.contains($0.assessment.verdict) } }
        let lockouts = functions.count(where: \.assessment.isLockout)
        let counts = [
            (lockouts, "locking people out"), (count(.enforce), "ready"), (count(.wait, .investigate), "not safe"),
            (count(.insufficient, .blind), "not known yet"), (count(.enforced) - lockouts, "enforced"),
            (count(.exempt), "exempt"), (count(.superseded), "superseded"),
        ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
        let line: Wording = "\(Figures.counted(functions.count, "function")): \(counts.joined(separator: ", "))."
        return nextLine.map { line + " " + $0 } ?? line
    }

    /// Which function is ready next; nil when no day is known for any.
    var nextLine: Wording? {
        let dates = summary.functions.compactMap { function -> (day: Day, name: ExactName)? in
            guard case .expected(let day)? = readyDay(of: function) else { return nil }
            return (day, ExactName(function.name))
        }
        guard let next = dates.min(by: <) else { return nil }
        return "Next, if things go on as they do: \(name: next.name.text), on \(CalendarText.day(next.day))."
    }

    fileprivate var changesLine: Wording {
        guard let comparedTo else {
            let start = firstDay.map { ": the log begins on \(CalendarText.day($0))" } ?? ""
            return "Nothing to compare with\(start)."
        }
        let day = CalendarText.day(comparedTo)
        guard !changes.isEmpty else { return "Nothing has changed since \(day)." }
        let counts = Change.Urgency.allCases.compactMap { urgency -> String? in
            let count = changes.count { $0.urgency == urgency }
            return count == 0 ? nil : "\(Figures.grouped(count)) \(urgency.noun)"
        }
        return "Since \(day): \(counts.joined(separator: ", "))."
    }

    /// How changes of rates were told from chance.
    var method: Wording {
        guard let comparedTo, ratesCompared > 0 else { return "" }
        return """
            Compared with the end of \(CalendarText.day(comparedTo)). Rates: conditional binomial test with \
            overdispersion, corrected by Holm's method for \(Figures.counted(ratesCompared, "function")), at \
            \(Figures.exactRate(summary.policy.confidence)) confidence. Ready means ready on \
            \(Figures.counted(nightsWanted, "night")) in a row.
            """
    }

    /// The functions with those in front that need action, then those that are ready, in the order of each kind.
    var functionsInOrder: [FunctionSummary] {
        summary.functionsInOrder
    }
}

extension Change.Urgency {
    fileprivate var noun: String {
        switch self {
        case .act: "to act on"
        case .worse: "worse"
        case .better: "better"
        case .neutral: "otherwise changed"
        }
    }
}

extension ReadyDay {
    /// `since 12 Oct 2026`, `26 Oct 2026`, `not falling`.
    var text: String {
        switch self {
        case .since(let day): "since \(CalendarText.day(day))"
        case .expected(let day): CalendarText.day(day)
        case .notFalling: "not falling"
        case .noRequests: "no requests"
        }
    }
}
