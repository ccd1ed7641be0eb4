import Readiness
import Verifications

extension Explanation {
    /// The verdict, the numbers, what would change the answer, and what to do next; a page has the function's row, as
    /// its card has the rest.
    func document(policyFile: String?, isVerbose: Bool = true, isPage: Bool = false) -> Document {
        guard isVerbose || isPage else { return screen(answer, title, notes) }
        var document = Document(
            title: isPage ? [summary.title] : title, isTitledOnTerminals: true)
        var answer = answer
        if isPage { answer.conclusion = "\(name: function.name): " + answer.conclusion }
        document.add([.answer(answer)] + (isPage ? [.facts(summary.context)] : []))
        document.sections += isPage ? [Document.Section(blocks: [.table(.ofVerdicts(summary))])] : sections
        document.add([.provenance(summary.provenance), .provenance(terms(policyFile))] + notes.map { .note($0) })
        return document
    }

    var sections: [Document.Section] {
        let clients = clientSection(isAdvised: !advisesOnTokens)
        return [
            whySection, aftermathSection, revisionSection, daySection, clients, tokenSection, certaintySection,
            outlookSection, changeSection, nextSection,
        ].compactMap { $0 }
    }

    /// What a page of many functions shows about each; who would be refused comes first.
    var card: [Document.Section] {
        [aftermathSection, clientSection(), tokenSection, whySection, outlookSection, daySection].compactMap { $0 }
    }

    private var answer: Document.Headline {
        let assessment = function.assessment
        // In a table, the column head says what the number is.
        let isRate = !assessment.isLockout && [.enforce, .wait, .investigate].contains(assessment.verdict)
        let brief = assessment.decidingPlatforms ?? (assessment.standing == .notSafe ? share : function.brief)
        let counts: Wording =
            assessment.decidingPlatforms == nil && assessment.standing == .notSafe ? " " + countsAndLimit : ""
        // `enforced since 8 Oct`, `replaced by addmessage`.
        let goesOn = assessment.standing == .clear && [.enforced, .superseded].contains(assessment.verdict)
        return Document.Headline(
            tone: assessment.isLockout ? .wait : assessment.verdict, conclusion: "\(assessment.word)",
            reason: (goesOn ? " " : ": ") + brief
                + (isRate ? assessment.enforcement.hasRefused ? " without a valid token" : " would be refused" : "")
                + counts
                + (function.cause.map { ", mostly \($0)" } ?? ""))
    }

    private var share: Wording { "\(function.assessment.counts.blockedRate.map { Figures.rate($0) } ?? "")" }

    /// `(187 of 1,051 requests in 28 days; limit 1%)`.
    private var countsAndLimit: Wording {
        let (counts, numbers) = (function.assessment.counts, function.assessment.policy.numbers)
        return """
            (\(Figures.grouped(counts.blocked)) of \(Figures.counted(counts.admitted, "request")) in \
            \(Figures.counted(counts.window?.dayCount ?? 0, "day")); limit \(Figures.exactRate(numbers.maxBlocked)))
            """
    }

    /// What the sections have not said: the other functions are left out on purpose.
    private var notes: [Note] {
        let said = Set((grounds + function.assessment.listed).map(\.name)).union(["filtered"])
        return summary.notes.filter { !said.contains($0.finding.name) }
    }

    private var title: [Wording] {
        let identity = function.identity
        let places = [identity.project, identity.region].filter { $0 != FunctionIdentity.unknown }
        return ["\(name: function.name)"] + places.map { "\(name: $0)" }
            + (identity.generation.map { ["generation \(String($0.rawValue))"] } ?? [])
    }

    /// Which settings apply to this function, and which entries of the policy set them.
    private func terms(_ policyFile: String?) -> Wording {
        let policy = function.assessment.policy
        let since = policy.since.map { "; days before \(CalendarText.day($0)) do not count" } ?? ""
        guard let policyFile, !policy.lines.isEmpty else { return policy.numbers.terms + "\(since)." }
        let lines = policy.lines.map(String.init).joined(separator: ", ")
        let noun = policy.lines.count == 1 ? "line" : "lines"
        return policy.numbers.terms + "\(since). Entries of \(name: policyFile) apply: \(noun) \(lines)."
    }

    private var whySection: Document.Section {
        Document.Section(
            title: function.assessment.verdict.meaning,
            blocks: grounds.map { .item($0.wording(of: function.assessment)) })
    }

    /// What the answer is based on.
    var grounds: [Finding] {
        let stated: Set<Finding.Code> = [.refusedRecently, .policyContradicted, .notCalled, .perhapsNotCallable]
        let notices = function.notices.filter { stated.contains($0.code) }
        // An outage says more than that something fails.
        let reasons = function.assessment.listed.filter { $0.code != .failingNow || function.assessment.outage == nil }
        return (reasons + notices).byUrgency
    }

    /// True for a function that an inventory names and nobody calls: nothing more is known.
    var isDeployedOnly: Bool {
        if case .deployed = function.listing { true } else { false }
    }

    private var daySection: Document.Section? {
        DaySeries(self).map { Document.Section(title: "Requests by day", blocks: [.chart($0)]) }
    }
}

extension Explanation {
    var outlookSection: Document.Section? {
        let paragraphs = [function.assessment.wait?.sentence, function.outdatedWording("It")].compactMap { $0 }
        guard function.assessment.verdict != .enforce, !paragraphs.isEmpty else { return nil }
        return Document.Section(title: "When it may be safe", blocks: paragraphs.map { .paragraph($0) })
    }

    var changeSection: Document.Section? {
        guard !whatIfs.isEmpty else { return nil }
        let hasEntry = !function.assessment.policy.lines.isEmpty
        let lines = whatIfs.map { (figure: $0.change.label(hasEntry: hasEntry), text: text(of: $0)) }
        return Document.Section(
            title: "What would change the answer",
            blocks: [.figures(lines)] + (unavailable.map { [.paragraph($0)] } ?? []))
    }

    private var unavailable: Wording? {
        let verdict = function.assessment.verdict
        guard verdict == .wait || verdict == .investigate || verdict == .insufficient else { return nil }
        let hasSince = whatIfs.contains { if case .since = $0.change { true } else { false } }
        let hasWindow = whatIfs.contains { if case .set(.window, _) = $0.change { true } else { false } }
        var reasons: Wording = ""
        if !hasSince, let lastBadDay {
            reasons = """
                \(code: "--since") does not help yet: the newest day, \(CalendarText.day(lastBadDay)), is bad too. 
                """
        }
        if !hasWindow, let firstDay {
            reasons = reasons + "The window cannot be longer: the log starts on \(CalendarText.day(firstDay))."
        }
        return reasons.parts.isEmpty ? nil : reasons
    }

    /// For a log that is too short for the required nights of such a window.
    private func tooShort(for whatIf: WhatIf) -> Wording? {
        guard case .set(.window, .count(let days)) = whatIf.change, let asOf = summary.asOf?.day, let firstDay,
            let reason = whatIf.assessment.reasons.first, reason.code == .notConfirmed
        else { return nil }
        let (nights, required) = (reason.number, reason.bar)
        let (log, needed) = (firstDay.distance(to: asOf) + 1, days + required - 1)
        guard log < needed else { return nil }
        return """
            safe now, but the log is too short to be sure: \(Figures.grouped(required)) nights of \
            \(Figures.counted(days, "day")) need \(Figures.counted(needed, "day")) of log, and it has \
            \(Figures.grouped(log)), enough for \(Figures.counted(nights, "night")).
            """
    }

    private var firstDay: Day? {
        summary.projects[ExactName(function.identity.project)]?.coveredDays.min()
    }

    /// What is different for a service.
    private func condition(of change: WhatIf.Change) -> Wording? {
        guard function.service != nil, case .set(.requiresAuth, _) = change else { return nil }
        return "Leaves out requests of unknown origin, which anybody with curl can send."
    }

    private func text(of whatIf: WhatIf) -> Wording {
        let assessment = whatIf.assessment
        if let tooShort = tooShort(for: whatIf) { return tooShort }
        let same = assessment.word == function.assessment.word ? "still " : ""
        let condition = condition(of: whatIf.change) ?? whatIf.change.condition
        return "\(same)\(assessment.word) (" + assessment.brief + "). " + condition
    }
}

extension WhatIf.Change {
    /// An entry of the policy takes precedence over the command line.
    fileprivate func label(hasEntry: Bool) -> Wording {
        switch self {
        case .since(let day): "\(code: "--since \(day)")"
        case .withoutExemption: "without \(code: "exempt:")"
        case .set(.requiresAuth, _): "\(code: "--requires-auth")"
        case .set(.assumeComplete, .text(AssumeComplete.nothing.rawValue)): "without \(code: "assume-complete")"
        case .set(.acceptPlatforms, .texts(let names)): "\(code: Platforms.acceptance(names, entry: hasEntry))"
        case .set(let key, let value): "\(set: key, value)"
        }
    }

    /// When it may be typed.
    fileprivate var condition: Wording {
        switch self {
        case .set(.requiresAuth, _): "Use this if the function itself rejects signed-out callers."
        case .since(let day):
            """
            Ignores days up to the last bad day, \(CalendarText.day(day.advanced(by: -1))). Use this if its cause is \
            fixed.
            """
        case .set(.window, _): "Use this if nothing has changed since then."
        case .set(.assumeComplete, .text(AssumeComplete.everything.rawValue)):
            "Use this if you know that the export is complete."
        case .set(.assumeComplete, _): "It was set, so the answer relies on you."
        case .withoutExemption: "The answer of the log alone."
        case .set(.maxPerWeek, .number(let most)):
            "Use this if \(Figures.counted(Int(most), "refused request")) a week \(most == 1 ? "is" : "are") acceptable."
        case .set(.ignoreClients, .texts(let kinds)):
            kinds == [ClientKind.iosSimulator.name]
                ? "All of these are simulators: your own developers."
                : "Use this if all of these are yours; anyone can set a user agent."
        case .set(.acceptPlatforms, _): "Use this if these people may be refused."
        case .set: ""
        }
    }
}
