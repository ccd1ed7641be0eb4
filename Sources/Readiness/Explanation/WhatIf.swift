package import Verifications

/// One thing that could be set differently, and what the rule answers then.
///
/// Each answer comes from running the rule again, never from reasoning about it.
package struct WhatIf: Hashable, Sendable {
    package let change: Change
    package let assessment: Assessment

    package enum Change: Hashable, Sendable {
        /// A setting has this value, regardless of the policy's entries.
        case set(SettingKey, SettingValue)
        /// Nothing before the day is read: the one after the last bad day.
        case since(Day)
        case withoutExemption
    }
}

extension Evaluator {
    /// Returns the changes that would lead to another answer for a function, in the order in which one would try them.
    ///
    /// There are none for a function without traffic, or from an export that is too old: only other logs help. The last
    /// bad day is the newest one against enforcement, if later ones are not.
    func whatIfs(for function: FunctionSummary, lastBadDay: Day?) -> [WhatIf] {
        let (identity, assessment) = (function.identity, function.assessment)
        if assessment.verdict == .exempt { return [whatIf(.withoutExemption, of: identity)] }
        guard ![.enforced, .superseded].contains(assessment.verdict), !assessment.isLockout, !assessment.isSilent,
            !assessment.isBlindThroughout
        else { return [] }
        var changes: [WhatIf.Change] = []
        let numbers = assessment.policy.numbers
        // Without requests of unknown origin a service has no other answer.
        let hasSignedOut = !identity.isService || function.totals.total(auth: .missing) > 0
        if assessment.admission == .notRefused, assessment.verdict != .blind, hasSignedOut {
            changes.append(.set(.requiresAuth, .flag(true)))
        }
        if let lastBadDay { changes.append(.since(lastBadDay.advanced(by: 1))) }
        let refused = assessment.refusedPlatforms.map(\.name)
        if !refused.isEmpty, refused.allSatisfy(\.isAcceptable) {
            changes.append(.set(.acceptPlatforms, .texts((numbers.acceptedPlatforms + refused).map(\.text))))
        }
        let own = assessment.clients?.ownKinds ?? []
        if assessment.verdict != .enforce, !own.isEmpty {
            changes.append(.set(.ignoreClients, .texts((own + numbers.ignoredClients).sorted().map(\.name))))
        }
        if let perWeek = assessment.acceptablePerWeek { changes.append(.set(.maxPerWeek, .number(Double(perWeek)))) }
        if let length = longerWindow(of: identity, assessment) { changes.append(.set(.window, .count(length))) }
        if assessment.outlook == .readOn {
            // What the pull has left out is there to be read.
        } else if numbers.assumeComplete != .nothing {
            changes.append(.set(.assumeComplete, .text(AssumeComplete.nothing.rawValue)))
        } else if assessment.reasons.contains(where: { if case .incomplete = $0.kind { true } else { false } }) {
            changes.append(.set(.assumeComplete, .text(AssumeComplete.everything.rawValue)))
        }
        return changes.map { whatIf($0, of: identity) }
    }

    private func whatIf(_ change: WhatIf.Change, of identity: FunctionIdentity) -> WhatIf {
        WhatIf(change: change, assessment: evaluator(with: change).assess(identity))
    }

    private func evaluator(with change: WhatIf.Change) -> Evaluator {
        var rules = rules
        // Entries have the last word over numbers, so they must not name the same thing.
        func forEachEntry(_ change: (inout PolicyEntry) -> Void) {
            for index in rules.entries.indices { change(&rules.entries[index]) }
        }
        switch change {
        case .set(let key, let value):
            rules.numbers.apply([key: value])
            forEachEntry { $0.settings[key] = nil }
        case .withoutExemption: forEachEntry { $0.exempt = nil }
        case .since(let day):
            rules.since = max(rules.since ?? day, day)
            // Windows are cut there; what services show of enforcement stays.
            guard clauses.predicts else { break }
            return Evaluator(
                tally: tally.days(from: day, through: nil), rules: rules, asOf: asOf, clock: clock, names: names,
                unread: unread)
        }
        return Evaluator(self, rules: rules)
    }

    /// The longest shortest-window, up to twelve weeks of the usual seven days, that the project's stretch reaches back
    /// to.
    ///
    /// Nil when the window is as long already, or when the policy's `since` cuts every longer one.
    private func longerWindow(of identity: FunctionIdentity, _ assessment: Assessment) -> Int? {
        let policy = assessment.policy
        guard let asOf, let window = assessment.period.window,
            let firstDay = ProjectView(project(identity.project), today: asOf.day).firstDay
        else { return nil }
        let lengths = (2...Evaluator.longestWindow).map { $0 * policy.numbers.window }
        let reachable = lengths.filter { length in
            Window(length: length, asOf: asOf, since: nil).map { firstDay <= $0.from } ?? false
        }
        guard let longest = reachable.last, let longer = Window(length: longest, asOf: asOf, since: policy.since) else {
            return nil
        }
        return longer.dayCount > window.dayCount ? longest : nil
    }

    /// In shortest windows.
    private static let longestWindow = 12
}

extension WindowClients {
    /// The kinds of the owner's clients, if all requests that would be refused come from them; empty if people are
    /// among them, or the clients are unknown.
    package var ownKinds: [ClientKind] {
        let kinds = kinds.filter { $0.blocked > 0 }.map(\.kind)
        let isOwn = kinds.allSatisfy { !$0.isOfPeople && $0 != .none && $0 != .other }
        return isOwn && 2 * callers.blockedJoined > blocked ? kinds.sorted() : []
    }
}

extension Assessment {
    package var refusedPlatforms: [PlatformCount] {
        reasons.filter { [.platformRefused, .releaseRefused].contains($0.code) }.flatMap(\.platforms)
    }

    /// True when not one verification of the window passed: no other question has an answer then.
    fileprivate var isBlindThroughout: Bool {
        reasons[.passesNotSeen]?.days.isEmpty == true
    }

    /// True when nothing but newer logs could change the answer.
    package var isSilent: Bool { reasons.contains { $0.kind == .silence } }
}
