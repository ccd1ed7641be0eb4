import Readiness
import Verifications

extension NightlyReport {
    /// The morning for a terminal: the answer in three lines, what changed, then every function.
    var document: Document {
        var document = Document(title: ["App Check on callable functions"])
        document.add([.facts(summary.context, first: .faint, rest: .faint)])
        document.add([.answer(answer)])
        for group in changesByUrgency { document.add(group.blocks) }
        if !summary.functions.isEmpty {
            document.add([.table(.ofMorning(self))])
            document.add([.paragraph(basis, .faint), .legend])
        }
        document.add(summary.notes.map { .note($0) })
        return document
    }

    /// What is ready, how it stands with the rest, what changed.
    var answer: Document.Answer {
        let hasLockout = summary.functions.contains(where: \.assessment.isLockout)
        return Document.Answer(
            mark: hasLockout ? .wait : summary.ready.isEmpty ? .insufficient : .enforce, conclusion: readyLine,
            lines: [standingLine, changesLine])
    }

    /// What changed by what it asks of the reader: a heading, and a sentence for each change.
    var changesByUrgency: [(urgency: Change.Urgency, blocks: [Document.Block])] {
        let words = ChangeWording(self)
        return Change.Urgency.allCases.compactMap { urgency in
            let changes = changes.filter { $0.urgency == urgency }
            guard !changes.isEmpty else { return nil }
            let items = changes.map { Document.Block.item(words.sentences($0), mark: urgency.mark) }
            return (urgency, [.paragraph("\(urgency.heading)", .strong)] + items)
        }
    }

    /// What verdicts are compared with, and how changes of rates were told from chance.
    var basis: Wording {
        method.parts.isEmpty ? summary.basis : summary.basis + " " + method
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

    var changesLine: Wording {
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
