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

    /// A part of an explanation, in the same order in every form: whole, and in lines with a label on a screen.
    private struct Part {
        let section: Document.Section?
        var label: Wording = ""
        var lines: [Wording] = []
    }

    private func parts(isCard: Bool) -> [Part] {
        let parts = [
            Part(section: aftermathSection),
            // Advice is part of the next steps where they are shown.
            Part(section: clientSection(isAdvised: isCard || !advisesOnTokens), label: "Who", lines: who),
            Part(section: whySection, label: "Why", lines: why),
            Part(section: isCard ? nil : nextSection, label: "Do", lines: todo),
            Part(section: outlookSection, label: "When", lines: when),
            Part(section: daySection), Part(section: tokenSection),
        ]
        let details = [revisionSection, certaintySection, changeSection].map { Part(section: $0) }
        return isCard ? parts : parts + details
    }

    private var screen: Document {
        var document = Document(title: title, isTitledOnTerminals: true)
        document.add([.answer(answer)])
        if let aftermathSection { document.sections.append(aftermathSection) }
        let lines = parts(isCard: false).flatMap { part in
            part.lines.enumerated().map { (figure: $0.offset == 0 ? part.label : "", text: $0.element) }
        }
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

    private var isLockout: Bool { function.assessment.isLockout }

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

    private var share: Wording { "\(function.assessment.period.blockedRate.map { Figures.rate($0) } ?? "")" }

    /// `(187 of 1,051 requests in 28 days; limit 1%)`.
    private var countsAndLimit: Wording {
        let (period, numbers) = (function.assessment.period, function.assessment.policy.numbers)
        return """
            (\(Figures.grouped(period.blocked)) of \(Figures.counted(period.admitted, "request")) in \
            \(Figures.counted(period.window?.dayCount ?? 0, "day")); limit \(Figures.exactRate(numbers.maxBlocked)))
            """
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

    private var whySection: Document.Section {
        Document.Section(
            title: function.assessment.verdict.meaning,
            blocks: grounds.map { .item($0.statement(of: function.assessment).sentence) })
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
    var outlookSection: Document.Section? {
        let paragraphs = [function.assessment.wait?.sentence, function.outdatedWording("It")].compactMap { $0 }
        guard function.assessment.verdict != .enforce, !paragraphs.isEmpty else { return nil }
        return Document.Section(title: "When it may be safe", blocks: paragraphs.map { .paragraph($0) })
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

/// The lines of a screen.
extension Explanation {
    /// The clients that would be refused, most first; without rows, with which tokens the requests came.
    private var who: [Wording] {
        if function.identity.isService {
            return function.assessment.verdict == .enforced || isLockout ? [] : serviceWho
        }
        let period = function.assessment.period
        guard period.blocked > 0, function.assessment.verdict != .enforced, !isLockout else { return [] }
        guard let clients = function.assessment.clients, clients.callers.blockedJoined > 0 else {
            return [
                (period.signedInNoToken, "signed in, without an App Check token"),
                (period.anonymousNoToken, "neither signed in nor with a token"),
                (period.tokenRefused, "with an invalid token"),
            ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
        }
        let kinds = clients.kinds.filter { $0.blocked > 0 }.sorted { ($1.blocked, $0.kind) < ($0.blocked, $1.kind) }
        let (shown, unknown) = (kinds.prefix(3), clients.unknown)
        var lines = shown.map { line -> Wording in
            "\(Figures.grouped(line.blocked)) of \(Figures.grouped(line.admitted)) from " + clients.claim(line.kind)
                + "\(clients.pattern(line.kind))"
        }
        // All lines together are the requests that would be refused.
        let others = clients.callers.blockedJoined - shown.reduce(0) { $0 + $1.blocked }
        if others > 0 { lines.append("\(Figures.grouped(others)) from other clients") }
        if unknown.blocked > 0 {
            lines.append(
                "\(Figures.grouped(unknown.blocked)) of \(Figures.grouped(unknown.admitted)) unknown: not in the request log"
            )
        }
        let addresses = clients.addresses.map {
            "all \(Figures.grouped(clients.callers.blockedJoined)) from \($0)" as Wording
        }
        let days = Figures.counted(period.window?.dayCount ?? 0, "day")
        return lines + [addresses, "Last \(days), by user agent (can be faked)"].compactMap(\.self)
    }

    private var why: [Wording] {
        let assessment = function.assessment
        let unlogged = [function.assessment.clients?.unloggedWording].compactMap(\.self)
        // What happened since the switch is above.
        guard !isLockout else { return unlogged }
        // The first line has the share and its limit, and a known cause says why.
        let isStated = assessment.standing == .notSafe
        if isStated, let all = assessment.listed[.allRefused] {
            return [all.statement(of: assessment).sentence] + unlogged
        }
        let stated: Set<Finding.Code> = isStated ? [.tooManyBlocked] : []
        var grounds = grounds.filter { !stated.contains($0.code) }
        if case .stderr = assessment.wait {
            // What keeps it from having a date comes first.
            let isDeciding = { (finding: Finding) in finding.kind == .incomplete(.failures) }
            grounds = grounds.filter(isDeciding) + grounds.filter { !isDeciding($0) }
        }
        return (isStated ? tokens : []) + grounds.prefix(isStated ? 2 : 3).map { $0.statement(of: assessment).sentence }
            + unlogged
    }

    /// The tokens of most requests that would be refused.
    private var tokens: [Wording] {
        let period = function.assessment.period
        if function.assessment.platformsRefused != nil || function.identity.isService { return [] }
        if 2 * period.signedInNoToken > period.blocked {
            return ["Signed in, no App Check token: apps from before App Check, or pages without it."]
        }
        return 2 * period.anonymousNoToken > period.blocked ? ["Neither signed in nor with an App Check token."] : []
    }

    private var advice: [Document.Block] { isDeployedOnly ? [] : nextSection?.blocks ?? [] }

    private var todo: [Wording] {
        if isLockout {
            return [function.assessment.mode?.isByGoogle == true ? ServiceCommand.noWayBack : "Roll back:"]
        }
        if function.assessment.verdict == .enforce {
            if function.identity.isService { return [ServiceCommand.enforce] }
            if !summary.logAge.isEmpty, let day = summary.asOf?.day {
                return [
                    """
                    Export the log again first: this answer is as of \(CalendarText.day(day)). If it stays, set \
                    \(code: "enforceAppCheck: true").
                    """
                ]
            }
            return [
                """
                Set \(code: "enforceAppCheck: true") and deploy it alone: \(code: function.deployment).\
                \(summary.functions.count > 1 ? " Leave the others for a day." : "")
                """
            ]
        }
        if function.assessment.standing == .notSafe, let old = function.oldVersions {
            return ["Retire \(old.clients), for example with a forced update; then check again."]
        }
        if function.assessment.listed.has(.sdk3) {
            return ["Upgrade firebase-functions to version 4 or newer, then check again."]
        }
        let steps = advice.compactMap { block -> Wording? in
            switch block {
            case .item(let wording, _), .paragraph(let wording, _): wording
            default: nil
            }
        }
        // What ends in a colon leads to a query.
        return Array(steps.filter { !$0.text(ascii: true).hasSuffix(":") }.prefix(2))
    }

    private var when: [Wording] {
        isLockout ? [] : [function.assessment.wait?.sentence].compactMap(\.self)
    }
}
