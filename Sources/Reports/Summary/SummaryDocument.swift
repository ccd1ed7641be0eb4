import Readiness
import Verifications

extension Summary {
    /// The answer in one line, what changed, every function grouped by what can be done with it, and what would
    /// mislead.
    func document(_ view: TableView) -> Document {
        var document = Document(title: [title])
        if view.isBrief, !view.isVerbose {
            let nothing = notes.filter(\.finding.isOfNothing)
            let whole =
                functions.isEmpty ? nothing.map(\.sentence) : [lockouts].compactMap(\.self) + statements
            // Beside a lock-out the plan can wait.
            let short =
                functions.isEmpty
                ? nothing.map(\.short)
                : lockoutsInALine.map { $0 + [oldLog()?.firstSentence].compactMap(\.self) }
                    ?? statements + cautions().shorts + endings
            return .brief(
                document.title, [whole + cautions().sentences + endings, short], qualifying: qualifying().sentences)
        }
        let answers = functions.isEmpty ? [] : answers(view)
        let facts = view.isVerbose || answers.isEmpty ? context : place
        let line: [Document.Block] = facts.isEmpty ? [] : [.facts(facts, rest: answers.isEmpty ? .plain : .faint)]
        document.add(answers.map { .answer($0) } + line)
        if view.isVerbose { document.sections += refusals + [planSection(view)].compactMap(\.self) }
        document.sections += changeSections
        if !view.isBrief { document.sections += listing(view) }
        if view.isVerbose || functions.isEmpty {
            document.add(notes.filter { $0.isCaution || !view.isBrief }.map { .note($0) })
        }
        return document
    }

    var title: Wording {
        functions.contains { $0.identity.isService } ? "App Check" : "App Check on callable functions"
    }

    /// The functions that refuse signed-in people: since when, how many and whom, and how to roll back.
    var refusals: [Document.Section] {
        let names = names
        let sections = lockedOut.prefix(Summary.mostRefusals).compactMap { function -> Document.Section? in
            guard let aftermath = function.assessment.aftermath else {
                return nil
            }
            return Document.Section(
                title: "Refused by \(names[function].text(ascii: false)), \(function.assessment.enforcement.span)",
                blocks: [.paragraph(aftermath.wording(of: function.assessment))]
                    + aftermath.refused + function.rollback)
        }
        let rest = lockedOut.count - Summary.mostRefusals
        guard rest > 0 else { return sections }
        let those = Figures.counted(rest, "more function refuses", plural: "more functions refuse")
        return sections + [Document.Section(blocks: [.paragraph("\(those) \(lockedOut.refusedUsers).")])]
    }

    /// True where ``refusals`` has all of them.
    var showsRefusals: Bool {
        lockedOut.count <= Summary.mostRefusals && lockedOut.allSatisfy { $0.assessment.aftermath != nil }
    }

    private static let mostRefusals = 3

    /// The answer; on the usual screen, who is refused comes first, with a mark and the command to copy.
    private func answers(_ view: TableView) -> [Document.Headline] {
        let isUrgent = lockouts != nil || failing != nil
        let tone: Verdict = isUrgent ? .wait : ready.isEmpty ? .insufficient : .enforce
        let lines = [view.isVerbose ? progress : nil, changesLine].compactMap { $0 }
        let undoing = refusing == nil || showsRefusals ? [] : [EnforcementCode.rollback(lockedOut)]
        guard !view.isVerbose, let refusing else {
            let statements = [refusing].compactMap(\.self) + statements
            return [Document.Headline(tone: tone, isMarked: false, statements: statements, lines: undoing + lines)]
        }
        return [
            Document.Headline(tone: tone, conclusion: refusing, lines: EnforcementCode.rollbackLines(lockedOut)),
            Document.Headline(tone: tone, isMarked: false, statements: statements, lines: lines),
        ]
    }

    /// The statements of what is failing now, and of how many functions can be enforced.
    private var statements: [Wording] { [failing.map { $0 + "." }, headline].compactMap(\.self) }

    func listing(gate: Gate? = nil, _ view: TableView) -> [Document.Section] {
        guard !functions.isEmpty else { return [] }
        guard view.isVerbose else {
            return [
                Document.Section(
                    blocks: [.table(.ofVerdicts(self, gate: gate, view))]
                        + Summary.footer(notes, next: why, underTable: true))
            ]
        }
        let legend: [Document.Block] = span == nil ? [] : [.legend]
        return [
            Document.Section(blocks: [.table(.ofVerdicts(self, gate: gate, view))]),
            Document.Section(blocks: legend + [.paragraph(basis, .faint)] + hints.map { .paragraph($0) }),
        ] + (view.hasCounts ? [Document.Section(blocks: [.table(.ofCounts(self, view))])] : [])
    }

    /// Returns the footer: what to type next, and what may change an answer, in few words; the rest is counted.
    static func footer(
        _ notes: [Statement], next: Wording?, underTable: Bool = false, isMore: Bool = false
    ) -> [Document.Block] {
        let shown = notes.filter(\.mayChangeAnswer)
        let rest = notes.count - shown.count
        let verbose: Wording = ": \(code: "--verbose")"
        let counted: Wording? = rest == 0 ? nil : "\(Figures.counted(rest, "warning"))" + verbose
        let more: Wording = "More" + (counted.map { " and " + $0 } ?? verbose)
        let lines = isMore ? [more] : [next, counted].compactMap(\.self)
        let hasRoom = Document(blocks: shown.map { .note($0) }).estimatedLines <= mostLines
        return (lines.isEmpty && !underTable ? [] : [.footer(lines)]) + shown.map { .note(hasRoom ? $0 : $0.inBrief) }
    }

    private static let mostLines = 4

    /// The scope of the report: where the functions run, the time span, and how many requests there are.
    ///
    /// Each part stays together when a line is broken.
    var context: [Wording] {
        let count = input.verifications + input.serviceRequests
        let parts = place + names.context.dropFirst(names.places.count)
        // Nothing of an error is a count.
        guard count > 0 || input.records > 0 else { return parts }
        let requests = Figures.counted(count, "request")
        let records = Figures.counted(input.records, "record")
        return parts + [count > 0 ? "\(requests)" : "\(requests) in \(records)"]
    }

    /// The places where the functions run, and the time span.
    private var place: [Wording] {
        var parts = names.places
        if let span {
            let isShort = span.first.adding(seconds: 2 * Instant.secondsPerDay) > span.last
            parts.append(
                isShort
                    ? "\(CalendarText.span(from: span.first, to: span.last)) UTC"
                    : "\(CalendarText.span(from: span.first.day, to: span.last.day))\(logAge)")
        }
        return parts
    }

    /// How long ago the log ended, where that is not today or yesterday.
    var logAge: String {
        guard let age, age > Summary.recentSeconds else { return "" }
        return " (the log ended \(Figures.duration(hours: Double(age) / 3600)) ago)"
    }

    private static let recentSeconds: Int64 = 36 * 3600

    var totals: StatusMatrix { functions.reduce(into: StatusMatrix()) { $0.merge($1.totals) } }

    var provenance: Wording {
        let plain =
            input.bytesRead == input.bytesDecompressed
            ? "" : " compressed, \(Figures.bytes(input.bytesDecompressed)) plain"
        let span = span.map { " \(CalendarText.during($0.first.day, $0.last.day))" } ?? ""
        let asOf = asOf.map { "As of \(CalendarText.minute($0)) UTC. " } ?? ""
        return """
            \(asOf)Based on \(Figures.counted(input.verifications + input.serviceRequests, "request"))\(span): \
            \(Figures.counted(input.records, "record")) of \(Figures.counted(input.sources, "input")) \
            (\(Figures.bytes(input.bytesRead))\(plain)).
            """
    }
}

extension VerdictPolicy {
    /// ` or 1 request a week`; nothing if only the share counts.
    var fewAccepted: String { maxPerWeek.map { " or \(Figures.perWeek($0))" } ?? "" }

    var terms: Wording {
        let longest = Figures.counted(maxWindow, "day")
        let windows = window < maxWindow ? "\(window) to \(longest)" : longest
        let guarded = requiresAuth ? "; only signed-in requests count" : ""
        return """
            Rule: enforcement may refuse at most \(Figures.exactRate(maxBlocked)) of requests\(fewAccepted) \
            (\(Figures.exactRate(confidence)) confidence)\(guarded). Windows: \(windows). Log: at least \
            \(Figures.counted(minDays, "day"))
            """
    }
}
