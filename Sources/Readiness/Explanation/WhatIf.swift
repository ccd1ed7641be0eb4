package import Verifications

/// One thing that could be set differently, and what the rule answers then.
///
/// Each answer comes from running the rule again, never from reasoning about it.
package struct WhatIf: Hashable, Sendable {
    package let change: Change
    package let assessment: Assessment

    /// What is different.
    package enum Change: Hashable, Sendable {
        /// The function refuses signed-out callers itself.
        case requiresAuth
        /// Nothing before the day is read: the one after the last bad day.
        case since(Day)
        /// The shortest window has that many days.
        case window(Int)
        /// The user confirms that the export is complete.
        case assumeComplete
        /// The user no longer confirms it.
        case withoutAssumeComplete
        /// The policy does not exempt the function.
        case withoutExemption
    }
}

extension Judge {
    /// What would change the answer for a function, in the order in which one would try it.
    ///
    /// Nothing does for a function without traffic, or from an export that is too old: only other logs can.
    ///
    /// - Parameters:
    ///   - identity: A function that need not be in the tally.
    ///   - assessment: The answer as it is.
    ///   - lastBadDay: The newest day against enforcement, if later ones are not.
    /// - Returns: Each change with its answer.
    func whatIfs(for identity: FunctionIdentity, _ assessment: Assessment, lastBadDay: Day?) -> [WhatIf] {
        if assessment.verdict == .exempt { return [whatIf(.withoutExemption, of: identity)] }
        let isSettled = assessment.verdict == .enforced || assessment.verdict == .superseded
        guard !isSettled, identity != .pooled, !assessment.isSilent, !assessment.isBlindThroughout else { return [] }
        var changes: [WhatIf.Change] = []
        if !assessment.policy.numbers.requiresAuth, assessment.verdict != .blind { changes.append(.requiresAuth) }
        if let lastBadDay { changes.append(.since(lastBadDay.advanced(by: 1))) }
        if let length = longerWindow(of: identity, assessment) { changes.append(.window(length)) }
        if assessment.policy.numbers.assumeComplete != .nothing {
            changes.append(.withoutAssumeComplete)
        } else if assessment.reasons.contains(where: { if case .incomplete = $0.kind { true } else { false } }) {
            changes.append(.assumeComplete)
        }
        return changes.map { whatIf($0, of: identity) }
    }

    private func whatIf(_ change: WhatIf.Change, of identity: FunctionIdentity) -> WhatIf {
        WhatIf(change: change, assessment: judge(with: change).assess(identity))
    }

    /// This judge with one thing set differently.
    private func judge(with change: WhatIf.Change) -> Judge {
        var rules = rules
        // Entries have the last word over numbers, so they must not name the same thing.
        func forEachEntry(_ change: (inout PolicyEntry) -> Void) {
            for index in rules.entries.indices { change(&rules.entries[index]) }
        }
        switch change {
        case .requiresAuth:
            rules.numbers.requiresAuth = true
            forEachEntry { $0.settings.requiresAuth = nil }
        case .window(let length):
            rules.numbers.window = length
            forEachEntry { $0.settings.window = nil }
        case .assumeComplete: rules.numbers.assumeComplete = .everything
        case .withoutAssumeComplete: rules.numbers.assumeComplete = .nothing
        case .withoutExemption: forEachEntry { $0.exempt = nil }
        case .since(let day):
            rules.since = max(rules.since ?? day, day)
            return Judge(
                tally: tally.days(from: day, through: nil), rules: rules, asOf: asOf, clock: clock, names: names,
                uncounted: uncounted, evidence: evidence)
        }
        return Judge(self, rules: rules)
    }

    /// The longest shortest-window, up to twelve weeks of the usual seven days, that the project's stretch reaches back
    /// to.
    ///
    /// Nil when the window is as long already, or when the policy's `since` cuts every longer one.
    private func longerWindow(of identity: FunctionIdentity, _ assessment: Assessment) -> Int? {
        let policy = assessment.policy
        guard let asOf, let window = assessment.evidence.window,
            let firstDay = ProjectView(project(identity.project), today: asOf.day).firstDay
        else { return nil }
        let lengths = (2...Judge.longestWindow).map { $0 * policy.numbers.window }
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

extension Assessment {
    /// True when not one verification of the window passed: no other question has an answer then.
    fileprivate var isBlindThroughout: Bool {
        reasons.contains { if case .passes(.notSeen(nil, _)) = $0 { true } else { false } }
    }

    /// True when nothing but newer logs could change the answer.
    package var isSilent: Bool {
        reasons.contains { $0.kind == .silence }
    }
}
