import Readiness
import Verifications

extension Explanation {
    /// Who, why, what to do and when, then the days; verbose with the rest.
    ///
    /// A page has the function's row, as its card has everything else.
    func document(policyFile: String?, isVerbose: Bool = true, isPage: Bool = false) -> Document {
        guard isVerbose || isPage else { return screen }
        var document = Document(title: isPage ? [summary.title] : title, isTitledOnTerminals: true)
        var answer = answer
        if isPage { answer.conclusion = "\(name: function.name): " + answer.conclusion }
        document.add([.answer(answer)] + (isPage ? [.facts(summary.context)] : []))
        document.sections += isPage ? [Document.Section(blocks: [.table(.ofVerdicts(summary))])] : sections
        document.add([.provenance(summary.provenance), .provenance(terms(policyFile))] + notes.map { .note($0) })
        return document
    }

    var sections: [Document.Section] { parts(isCard: false).compactMap(\.section) }

    /// The sections about each function on a page of many functions.
    var card: [Document.Section] { parts(isCard: true).compactMap(\.section) }

    /// A part of an explanation, in the same order in every form: the first level of its lines on a screen, after a
    /// label; all of them under a title where there is room.
    struct Part {
        var label: Wording = ""
        var title: String?
        var lines: [Line]

        fileprivate var section: Document.Section? {
            let blocks = lines.filter { $0.level != .screen }.map(\.block)
            return blocks.isEmpty || title == nil ? nil : Document.Section(title: title, blocks: blocks.mergingFigures)
        }

        fileprivate var screen: [(figure: Wording, text: Wording)] {
            let texts = lines.filter { $0.level != .verbose }.compactMap(\.block.text)
            return texts.enumerated().map { (figure: $0.offset == 0 ? label : "", text: $0.element) }
        }
    }

    struct Line {
        enum Level {
            case both
            /// Where there is little room: in place of what is longer.
            case screen
            case verbose
        }

        let block: Document.Block
        var level = Level.both
    }

    private func parts(isCard: Bool) -> [Part] {
        // Advice is part of the next steps where they are shown.
        let who = who(isAdvised: isCard || !advisesOnTokens)
        let parts = [
            since, who, why, isCard ? nil : steps, when, section(daySection), section(tokenSection),
        ]
        let details = [revisionSection, certaintySection, changeSection].map(section)
        return (isCard ? parts : parts + details).compactMap(\.self)
    }

    private func section(_ section: Document.Section?) -> Part? {
        section.map { Part(title: $0.title, lines: $0.blocks.map { Line(block: $0, level: .verbose) }) }
    }

    private var screen: Document {
        var document = Document(title: title, isTitledOnTerminals: true)
        document.add([.answer(answer)])
        let parts = parts(isCard: false)
        if let since { document.sections.append(contentsOf: [since.section].compactMap(\.self)) }
        let lines = parts.flatMap(\.screen)
        document.add((lines.isEmpty ? [] : [.figures(lines)]) + (isLockout ? function.briefRollback : policyEntry))
        let footer = Summary.footer(notes, next: nil, isMore: true)
        let room = Explanation.longest - document.estimatedLines - Document(blocks: footer).estimatedLines
        if let days = DaySeries(self)?.last(max(Explanation.fewestDays, min(Explanation.mostDays, room))) {
            document.add([.chart(days)])
        }
        document.add(footer)
        return document
    }

    /// In lines, without those around the chart.
    private static let longest = 36
    private static let (fewestDays, mostDays) = (7, 12)

    var isLockout: Bool { function.assessment.isLockout }

    private var answer: Document.Headline {
        Document.Headline(
            tone: isLockout ? .wait : function.assessment.verdict, conclusion: "\(function.assessment.word)",
            reason: function.reason)
    }

    /// The notes that the sections have not covered: the other functions are left out on purpose.
    private var notes: [Statement] {
        let said = Set((grounds + function.assessment.listed).map(\.name)).union(["filtered"])
        return summary.notes.filter { !said.contains($0.finding.name) }
    }

    private var title: [Wording] {
        let identity = function.identity
        let places = [identity.project, identity.region].filter { $0 != FunctionIdentity.unknown }
        return ["\(name: function.name)"] + places.map { "\(name: $0)" }
            + (identity.generation.map { ["generation \(String($0.rawValue))"] } ?? [])
            + (summary.asOf.map { ["as of \(CalendarText.day($0.day))\(summary.logAge)"] } ?? [])
    }

    /// Describes the settings that apply to this function, and names the entries of the policy that set them.
    private func terms(_ policyFile: String?) -> Wording {
        let policy = function.assessment.policy
        let since = policy.since.map { "; days before \(CalendarText.day($0)) do not count" } ?? ""
        guard let policyFile, !policy.lines.isEmpty else { return policy.numbers.terms + "\(since)." }
        let lines = policy.lines.map(String.init).joined(separator: ", ")
        let noun = policy.lines.count == 1 ? "line" : "lines"
        return policy.numbers.terms + "\(since). Entries of \(name: policyFile) apply: \(noun) \(lines)."
    }

    private var why: Part {
        let assessment = function.assessment
        let isStated = assessment.gateClass == .notSafe
        var grounds = grounds
        if assessment.nextStep?.needsStderr == true {
            // What keeps it from having a date comes first.
            let isDeciding = { (finding: Finding) in finding.kind == .incomplete(.failures) }
            grounds = grounds.filter(isDeciding) + grounds.filter { !isDeciding($0) }
        }
        // The first line of a screen has the share and its limit, and what is refused now; a known cause says why.
        let stated: [Finding.Code] = assessment.isByShare ? [.tooManyBlocked] : isStated ? [.failingNow] : []
        let everybody = isStated ? assessment.listed[.allRefused] : nil
        let brief = everybody.map { [$0] } ?? grounds.filter { !stated.contains($0.code) }
        let shown = Set(isLockout ? [] : brief.prefix(everybody != nil ? 1 : isStated ? 2 : 3).map(\.code))
        var lines = grounds.map { finding in
            Line(
                block: .item(finding.statement(of: assessment).sentence),
                level: shown.contains(finding.code) ? .both : .verbose)
        }
        if isStated, everybody == nil {
            lines.insert(contentsOf: tokens.map { Line(block: .item($0), level: .screen) }, at: 0)
        }
        let unlogged = [assessment.clients?.unloggedWording].compactMap(\.self)
        lines += unlogged.map { Line(block: .item($0)) }
        return Part(label: "Why", title: assessment.verdict.meaning, lines: lines)
    }

    /// The findings that the answer is based on.
    var grounds: [Finding] {
        let stated: Set<Finding.Code> = [
            .refusedRecently, .policyContradicted, .notCalled, .perhapsNotCallable, .wasEnforced, .sameHours,
        ]
        let notices = function.notices.filter { stated.contains($0.code) }
        // A day on which every request failed has no other gap.
        let failed = function.assessment.listed[.failingBeforeLog]?.days ?? []
        let reasons = function.assessment.listed.filter { reason in
            switch reason.code {
            case .coverageGap: !reason.days.allSatisfy(failed.contains)
            // A refused release is why failures begin late.
            case .failuresLate: !function.assessment.listed.has(.releaseRefused)
            default: true
            }
        }
        // Hours that come back name a cause.
        let hours = notices.filter { $0.code == .sameHours }
        return hours + (reasons + notices.filter { $0.code != .sameHours }).byUrgency
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
    private var when: Part? {
        guard let sentence = function.assessment.nextStep?.sentence else { return nil }
        let once = function.outdatedWording("It").map { Line(block: .paragraph($0), level: .verbose) }
        return Part(
            label: "When", title: function.assessment.verdict == .enforce ? nil : "When it may be safe",
            lines: [Line(block: .paragraph(sentence))] + [once].compactMap(\.self))
    }

    var changeSection: Document.Section? {
        guard !whatIfs.isEmpty else { return nil }
        let hasEntry = !function.assessment.policy.lines.isEmpty
        return Document.Section(
            title: "What would change the answer",
            blocks: [.figures(whatIfs.map { (figure: $0.change.label(hasEntry: hasEntry), text: text(of: $0)) })])
    }

    /// Describes what a change means for a service, if that differs.
    private func condition(of change: WhatIf.Change) -> Wording? {
        guard function.identity.isService, change == .set(\.requiresAuth, true) else { return nil }
        return "Leaves out requests of unknown origin, which anybody with curl can send."
    }

    private func text(of whatIf: WhatIf) -> Wording {
        let condition = condition(of: whatIf.change) ?? whatIf.change.condition
        return whatIf.result(of: function.assessment) + "." + (condition.parts.isEmpty ? "" : " " + condition)
    }
}

extension WhatIf {
    /// `4.3% → 1.6%, still not safe: Android apps`: what takes most away, and what remains.
    func result(of assessment: Assessment) -> Wording {
        let rates = [assessment.period, period].map { $0.blockedRate.map { Figures.rate($0) } ?? "no request" }
        let change: Wording = rates[0] == rates[1] ? "" : "\(rates[0]) → \(rates[1]), "
        if let date { return change + "ready on \(CalendarText.day(date))" }
        let word = reasons.first?.code == .notConfirmed ? Assessment.almostReady : verdict.word
        let remains = remains.isEmpty ? "" : ": \(list: remains.prefix(3).map(\.clients))" as Wording
        return change + "\(word == assessment.word ? "still " : "")\(word)" + remains
    }
}

extension WhatIf.Change {
    /// An entry of the policy takes precedence over the command line.
    func label(hasEntry: Bool) -> Wording {
        switch self {
        case .without(let unit): "without " + unit.clients
        case .since(let day): "\(code: "--since \(day)")"
        case .withoutExemption: "without \(code: "exempt:")"
        case .set(let values):
            if values.requiresAuth != nil {
                "\(code: "--requires-auth")"
            } else if values.assumeComplete == .nothing {
                "without \(code: "assume-complete")"
            } else if let platforms = values.acceptPlatforms {
                "\(code: Platforms.acceptance(platforms.map(\.text), entry: hasEntry))"
            } else {
                "\(set: values)"
            }
        }
    }

    /// When it may be typed.
    fileprivate var condition: Wording {
        switch self {
        case .without: ""
        case .since(let day):
            """
            Ignores days up to \(CalendarText.day(day.advanced(by: -1))), the last one that failed. Use this if its \
            cause is fixed.
            """
        case .withoutExemption: "The answer of the log alone."
        case .set(let values): WhatIf.Change.condition(of: values)
        }
    }
}

extension WhatIf.Change {
    private static func condition(of values: SettingValues) -> Wording {
        if values.requiresAuth != nil { return "Use this if the function itself rejects signed-out callers." }
        if values.window != nil { return "Use this if nothing has changed since then." }
        if values.assumeComplete == .everything { return "Use this if you know that the export is complete." }
        if values.assumeComplete != nil { return "It was set, so the answer relies on you." }
        if values.acceptPlatforms != nil { return "Use this if these people may be refused." }
        if let most = values.maxPerWeek {
            let requests = Figures.counted(Int(most), "refused request")
            return "Use this if \(requests) a week \(most == 1 ? "is" : "are") acceptable."
        }
        guard let kinds = values.ignoreClients else { return "" }
        return kinds == [.iosSimulator]
            ? "All of these are simulators: your own developers."
            : "Use this if all of these are yours; anyone can set a user agent."
    }
}

extension Explanation {
    /// The tokens of most requests that would be refused.
    private var tokens: [Wording] {
        let period = function.assessment.period
        if function.assessment.platformsRefused != nil || function.identity.isService { return [] }
        if 2 * period.signedInNoToken > period.blocked {
            return ["Signed in, no App Check token: apps from before App Check, or pages without it."]
        }
        return 2 * period.anonymousNoToken > period.blocked ? ["Neither signed in nor with an App Check token."] : []
    }
}

extension Document.Block {
    /// Its words, where it is not to be copied or looked at.
    var text: Wording? {
        switch self {
        case .item(let text, _), .paragraph(let text, _): text
        case .figures(let lines) where lines.count == 1: lines[0].figure + " from " + lines[0].text
        default: nil
        }
    }
}

extension [Document.Block] {
    /// The same with neighbouring figures in one list.
    fileprivate var mergingFigures: [Document.Block] {
        reduce(into: []) { blocks, block in
            if case .figures(let more) = block, case .figures(let lines)? = blocks.last {
                blocks[blocks.count - 1] = .figures(lines + more)
            } else {
                blocks.append(block)
            }
        }
    }
}
