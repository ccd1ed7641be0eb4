import Readiness
import Verifications

extension Explanation {
    /// Who, why, what to do and when, then the last days; the rest is `--verbose`.
    func screen(_ answer: Document.Headline, _ title: [Wording], _ notes: [Note]) -> Document {
        var document = Document(title: title, isTitledOnTerminals: true)
        document.add([.answer(answer)])
        if function.assessment.isLockout, let aftermathSection { document.sections.append(aftermathSection) }
        let lines =
            function.assessment.isLockout
            ? labelled("Why", why) + labelled("Do", todo)
            : labelled("Who", who) + labelled("Why", why) + labelled("Do", todo) + labelled("When", when)
        document.add(
            (lines.isEmpty ? [] : [.figures(lines)])
                + (rollsBack ? function.briefRollback : []))
        let footer = Summary.footer(notes, next: "More: \(code: "--verbose")")
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

    private func labelled(_ label: Wording, _ texts: [Wording]) -> [(figure: Wording, text: Wording)] {
        texts.enumerated().map { (figure: $0.offset == 0 ? label : "", text: $0.element) }
    }

    /// The clients that would be refused, most first; without rows, with which tokens the requests came.
    private var who: [Wording] {
        if function.service != nil { return function.assessment.verdict == .enforced ? [] : serviceWho }
        let counts = function.assessment.counts
        guard counts.blocked > 0, function.assessment.verdict != .enforced else { return [] }
        guard let clients = function.callers?.clients, clients.callers.blockedJoined > 0 else {
            return [
                (counts.signedInNoToken, "signed in, without an App Check token"),
                (counts.anonymousNoToken, "neither signed in nor with a token"),
                (counts.tokenRefused, "with an invalid token"),
            ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
        }
        let kinds = clients.kinds.filter { $0.blocked > 0 }.sorted { ($1.blocked, $0.kind) < ($0.blocked, $1.kind) }
        let (shown, unknown) = (kinds.prefix(3), clients.unknown)
        var lines = shown.map { line -> Wording in
            "\(Figures.grouped(line.blocked)) of \(Figures.grouped(line.admitted)) " + clients.claim(line.kind)
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
        let addresses = clients.fewAddresses.map {
            "all \(Figures.grouped(clients.callers.blockedJoined)) from \($0)" as Wording
        }
        return lines + [addresses, "(by user agent, which anyone can set)"].compactMap(\.self)
    }

    private var why: [Wording] {
        let assessment = function.assessment
        let most = rollsBack ? 1 : assessment.isLockout || assessment.standing == .notSafe ? 2 : 3
        // The first line has the share and its limit, and a known cause says why.
        let isStated = !assessment.isLockout && assessment.standing == .notSafe
        let stated: Set<Finding.Code> = isStated ? [.tooManyBlocked] : []
        let grounds = grounds.filter { !stated.contains($0.code) }.prefix(most).map { $0.wording(of: assessment) }
        return (isStated ? tokens : []) + grounds
    }

    /// Which tokens most of those have that would be refused.
    private var tokens: [Wording] {
        let counts = function.assessment.counts
        if function.assessment.platformsRefused != nil { return [] }
        if 2 * counts.signedInNoToken > counts.blocked {
            return ["Signed in, no App Check token: apps from before App Check, or pages without it."]
        }
        return 2 * counts.anonymousNoToken > counts.blocked ? ["Neither signed in nor with an App Check token."] : []
    }

    private var advice: [Document.Block] { isDeployedOnly ? [] : nextSection?.blocks ?? [] }

    private var rollsBack: Bool { function.assessment.isLockout }

    private var todo: [Wording] {
        if rollsBack {
            return [function.service?.isEnforcedByGoogle == true ? ServiceCommand.noWayBack : "Roll back:"]
        }
        if function.assessment.isLockout {
            return ["Correct the policy: if it was rolled back, take \(code: "enforced:") out."]
        }
        if function.assessment.verdict == .enforce {
            if function.assessment.failing != nil { return ["Find out what fails now before you enforce."] }
            if function.service != nil { return [ServiceCommand.enforce] }
            return [
                """
                Set \(code: "enforceAppCheck: true") and deploy it alone: \(code: function.deployment). Leave the others \
                for a day.
                """
            ]
        }
        if function.assessment.standing == .notSafe, let outdated = function.callers?.clients?.outdated,
            function.outdatedWording("It") != nil
        {
            return [
                """
                Retire \(name: outdated.app) \(name: outdated.version) and older, for example with a forced update; \
                then check again.
                """
            ]
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
        [function.assessment.wait?.sentence].compactMap { $0 }
    }
}
