package import Verifications

/// One thing that could be different, and what the rule answers then.
///
/// Each answer comes from running the rule again, never from reasoning about it.
package struct WhatIf: Hashable, Sendable {
    package let change: Change
    package let verdict: Verdict
    package let period: Period
    /// What is still against enforcement, in the order in which it decides.
    package let reasons: [Finding]
    /// The day from which on the verdict is `enforce`, if nothing else changes; nil if it is so now, where no day is
    /// known or looked for, and where the verdict is so as early without the change.
    package let date: Day?

    package enum Change: Hashable, Sendable {
        /// The requests of these clients are gone.
        case without(Suspect.Unit)
        /// A setting has its one value, regardless of the policy's entries.
        case set(SettingValues)
        /// Nothing before the day is read: the one after the last bad day.
        case since(Day)
        case withoutExemption
    }

    /// Whom it leaves refused: platforms that hold the verdict up, else the other suspects.
    package let remains: [Suspect.Unit]

    fileprivate var rate: Double { period.blockedRate ?? 0 }
}

extension WhatIf.Change {
    package static func set<Value: Hashable>(
        _ path: KeyPath<SettingTable, Setting<Value>>, _ value: Value
    ) -> WhatIf.Change {
        .set(SettingValues(path, value))
    }
}

extension Evaluator {
    /// In `explain`: the most that is tried, and of how many suspects.
    private static let (most, suspectsTried) = (12, 3)

    /// Returns the change that makes the verdict `enforce`, now or on some day; else the one that takes most away.
    ///
    /// A report tries what is about the first suspect alone, and looks for no day.
    func whatIfs(for identity: FunctionIdentity, _ assessment: Assessment, isReport: Bool) -> [WhatIf] {
        guard assessment.isOpen else { return [] }
        var changes = assessment.suspects.prefix(isReport ? 1 : Evaluator.suspectsTried)
            .flatMap { about($0, assessment) }
        if !isReport { changes += others(for: identity, assessment) }
        var tried: [WhatIf] = []
        for change in changes.prefix(Evaluator.most) {
            let whatIf = whatIf(change, of: identity, assessment, isDated: !isReport)
            if whatIf.verdict == .enforce { return [whatIf] }
            tried.append(whatIf)
        }
        if let dated = tried.first(where: { $0.date != nil }) { return [dated] }
        let rate = assessment.period.blockedRate ?? 0
        // What would only count fewer people takes nobody away.
        let fewer = tried.filter { whatIf in
            if case .without = whatIf.change { whatIf.period.admitted > 0 && whatIf.rate < rate } else { false }
        }
        return fewer.min { $0.rate < $1.rate }.map { [$0] } ?? []
    }

    private func about(_ suspect: Suspect, _ assessment: Assessment) -> [WhatIf.Change] {
        let without = WhatIf.Change.without(suspect.unit)
        guard case .platform(let name) = suspect.unit else { return [without] }
        let refused = assessment.refusedPlatforms.filter { $0.name == name }
        return [without] + (accepting(refused, assessment).map { [$0] } ?? [])
    }

    /// What a policy would have to accept; nil where these are all clients, and where a rollout would end it.
    private func accepting(_ refused: [PlatformCount], _ assessment: Assessment) -> WhatIf.Change? {
        guard let clients = assessment.clients, !refused.isEmpty, refused.allSatisfy(\.name.isAcceptable),
            refused.reduce(0, { $0 + $1.admitted }) < clients.callers.sum().admitted, !assessment.looksLikeRollout
        else { return nil }
        return .set(\.acceptPlatforms, assessment.policy.numbers.acceptedPlatforms + refused.map(\.name))
    }

    /// Returns the acceptance of everything that is refused as a whole; nil where the verdict is not `enforce` then.
    func acceptance(for identity: FunctionIdentity, _ assessment: Assessment) -> WhatIf? {
        guard assessment.isOpen, let change = accepting(assessment.refusedPlatforms, assessment) else { return nil }
        let tried = whatIf(change, of: identity, assessment, isDated: false)
        return tried.verdict == .enforce ? tried : nil
    }

    private func others(for identity: FunctionIdentity, _ assessment: Assessment) -> [WhatIf.Change] {
        var changes: [WhatIf.Change] = []
        let numbers = assessment.policy.numbers
        if let day = lastBadDay(of: identity, assessment), day < (asOf?.day ?? day) {
            changes.append(.since(day.advanced(by: 1)))
        }
        if numbers.maxPerWeek == nil {
            changes += (1...WeeklyBound.mostOffered).map { .set(\.maxPerWeek, Double($0)) }
        }
        // Without requests of unknown origin a service has no other answer.
        let hasSignedOut =
            !identity.isService || (tally.functions[identity]?.totals.total(auth: .missing) ?? 0) > 0
        if assessment.admission == .notRefused, hasSignedOut { changes.append(.set(\.requiresAuth, true)) }
        let own = assessment.clients?.ownKinds ?? []
        if !own.isEmpty {
            changes.append(.set(\.ignoreClients, numbers.ignoredClients.union(own)))
        }
        if assessment.programs > 0 { changes.append(.set(\.countMachines, true)) }
        if let length = longerWindow(of: identity, assessment) { changes.append(.set(\.window, length)) }
        let isIncomplete = assessment.reasons.contains { if case .incomplete = $0.kind { true } else { false } }
        // What a pull has left out is there to be read.
        if numbers.assumeComplete == .nothing, isIncomplete, assessment.outlook != .readOn {
            changes.append(.set(\.assumeComplete, .everything))
        }
        return changes
    }

    /// The newest day against enforcement.
    ///
    /// One without a pass; else the last one of raised segments; else the last one on which the maximum was exceeded.
    func lastBadDay(of identity: FunctionIdentity, _ assessment: Assessment) -> Day? {
        if let blind = assessment.reasons[.passesNotSeen]?.days.first { return blind }
        if let raised = assessment.segments.last(where: \.isRaised) {
            return raised.end?.adding(nanoseconds: -1).day ?? assessment.period.window?.to ?? raised.start.day
        }
        let limit = assessment.policy.numbers.maxBlocked
        return assessment.period.days.last { $0.blocked > limit * $0.requests }?.day
    }

    /// Returns what the policy answers of itself, without what somebody wrote.
    func whatIfUnset(_ identity: FunctionIdentity, _ assessment: Assessment) -> [WhatIf] {
        var changes: [WhatIf.Change] = assessment.verdict == .exempt ? [.withoutExemption] : []
        if assessment.verdict == .enforce, assessment.policy.numbers.assumeComplete != .nothing {
            changes.append(.set(\.assumeComplete, .nothing))
        }
        return changes.map { whatIf($0, of: identity, assessment, isDated: false) }
    }

    private func whatIf(
        _ change: WhatIf.Change, of identity: FunctionIdentity, _ assessment: Assessment, isDated: Bool
    ) -> WhatIf {
        let evaluator = evaluator(with: change, for: identity)
        let result = ConfirmedEvaluation(evaluator.history(identity), asOf: asOf)
        var date: Day?
        if isDated, result.verdict != .enforce, case .date(let day, _) = Forecast.outlook(of: result),
            assessment.readyDay.map({ day < $0 }) ?? true
        {
            date = day
        }
        let reasons = result.verdict == .enforce ? [] : result.findings
        var remains = reasons.refusedPlatforms.map { Suspect.Unit.platform($0.name) }
        if remains.isEmpty, !reasons.isEmpty, case .without(let unit) = change {
            remains = assessment.suspects.map(\.unit).filter { $0 != unit }
        }
        return WhatIf(
            change: change, verdict: result.verdict, period: result.evaluation.period, reasons: reasons, date: date,
            remains: remains)
    }

    private func evaluator(with change: WhatIf.Change, for identity: FunctionIdentity) -> Evaluator {
        var rules = rules
        // Entries have the last word over numbers, so they must not name the same thing; those of others are not asked.
        func forEachEntry(_ change: (inout PolicyEntry) -> Void) {
            var entries = rules.entries(covering: identity, shownAs: displayName(of: identity))
            for index in entries.indices { change(&entries[index]) }
            rules.entries = entries
        }
        switch change {
        case .without(let unit): return Evaluator(self, without: unit, of: identity)
        case .set(let values):
            rules.numbers.apply(values)
            forEachEntry { for key in values.keys { $0.settings[key] = nil } }
        case .withoutExemption: forEachEntry { $0.settings.exempt = nil }
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
    var ownKinds: [ClientKind] {
        let kinds = callers.refused { $0.kind }.map(\.key)
        let isOwn = kinds.allSatisfy { !$0.isOfPeople && $0 != .none && $0 != .other }
        return isOwn && 2 * callers.sum().blocked > blocked ? kinds.sorted() : []
    }
}

extension [Finding] {
    package var refusedPlatforms: [PlatformCount] {
        filter { [.platformRefused, .releaseRefused].contains($0.code) }.flatMap(\.platforms)
    }
}

extension Assessment {
    package var refusedPlatforms: [PlatformCount] { reasons.refusedPlatforms }

    /// True where another answer can be looked for.
    fileprivate var isOpen: Bool {
        ![.enforce, .enforced, .superseded, .exempt].contains(verdict) && !isLockout && !isSilent && !isBlindThroughout
    }

    /// True when not one verification of the window passed: no other question has an answer then.
    fileprivate var isBlindThroughout: Bool {
        reasons[.passesNotSeen]?.days.isEmpty == true
    }

    /// True when nothing but newer logs could change the answer.
    package var isSilent: Bool { reasons.contains { $0.kind == .silence } }
}
