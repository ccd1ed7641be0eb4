package import Verifications

/// Something that an earlier report did not say; it is worded in Reports.
package struct Change: Sendable {
    package enum Kind: Sendable {
        /// Enforcement refuses signed-in people, still does, or no longer does.
        case lockout(LockoutState)
        /// Since enforcement was switched on, requests are refused as predicted, or not.
        case aftermath(Aftermath)
        /// A part of the log did not arrive, and the verdicts of functions changed because of it.
        case missingLog(Finding)
        case verdict
        /// Something else that needs action now, or no longer: the verdict is the same.
        case urgent(Finding, LockoutState)
        /// The verdict is the same, and the day on which it will be `enforce` is another one.
        case ready
        /// A function that had no verification before.
        case appeared(first: Day)
    }

    /// What an answer differs for, by what today's logs and settings say of the instant of the earlier one.
    package enum Origin: Hashable, Sendable {
        /// They say the same of that instant.
        case newRequests
        /// Logs that were added later change the earlier answer too; all of the difference, or a part of it.
        case laterLogs(isAll: Bool)
        /// The settings are others, and the earlier answer is another with them.
        case otherSettings(isAll: Bool)

        /// True where new requests have no part in it.
        package var isAll: Bool {
            switch self {
            case .newRequests: false
            case .laterLogs(let isAll), .otherSettings(let isAll): isAll
            }
        }
    }

    package enum LockoutState: String, Sendable { case began, continues, ended }

    /// The action that a change asks of its reader.
    package enum Urgency: String, Comparable, CaseIterable, Sendable {
        /// People are refused, or the report is based on an incomplete log: act now.
        case act
        /// Less safe than before.
        case worse
        case better
        case neutral

        package static func < (left: Urgency, right: Urgency) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package let kind: Kind
    /// One function; several where one cause explains them.
    package var functions: [FunctionSummary]
    package let before: PastAnswer?
    package var origin = Origin.newRequests
    /// The earlier verdicts of the functions.
    package var verdictsBefore: Set<Verdict> = []

    package var code: String {
        switch kind {
        case .lockout: "lockout"
        case .aftermath: "aftermath"
        case .missingLog(let reason): reason.name
        case .verdict: "verdict"
        case .urgent(let finding, _): finding.name
        case .ready: "ready"
        case .appeared: "appeared"
        }
    }

    /// Clients to whom what is refused is traced; nil where the change is about something else.
    package var suspect: Suspect.Unit? {
        switch kind {
        case .lockout(.ended), .urgent(_, .ended), .missingLog, .ready, .appeared: nil
        case .verdict where urgency > .worse: nil
        case .lockout, .verdict, .urgent, .aftermath: functions.first?.assessment.cause
        }
    }

    package var urgency: Urgency {
        // Whoever hears that something needs action finds it here.
        if functions.contains(where: { !$0.assessment.urgent.isEmpty }) { return .act }
        return switch kind {
        case .lockout(let state): state == .ended ? .better : .act
        case .aftermath(let aftermath): aftermath.answer == .more ? .act : .neutral
        case .missingLog: .act
        case .urgent(_, let state): state == .ended ? .better : .act
        case .verdict: Change.urgency(from: before?.verdict, to: functions.first?.assessment.verdict)
        case .ready: Change.urgency(from: before?.ready, to: functions.first?.assessment.readyDay)
        case .appeared: .neutral
        }
    }

    private static func urgency(from before: Day?, to now: Day?) -> Urgency {
        before == nil ? .better : now == nil ? .worse : .neutral
    }

    /// Returns `.worse` if the function is further from enforcement than it was, `.better` if it is nearer.
    ///
    /// A policy that starts or stops covering it, or a successor, makes it neither better nor worse.
    private static func urgency(from before: Verdict?, to now: Verdict?) -> Urgency {
        guard let old = before.flatMap(distance), let new = now.flatMap(distance) else { return .neutral }
        return new == old ? .neutral : new > old ? .worse : .better
    }

    /// Steps from enforcement; nil where the question does not arise.
    private static func distance(_ verdict: Verdict) -> Int? {
        switch verdict {
        case .enforce: 0
        case .insufficient: 1
        case .wait, .investigate: 2
        case .blind: 3
        case .exempt, .enforced, .superseded: nil
        }
    }

    /// The place among changes of one urgency.
    fileprivate var order: Int {
        switch kind {
        case .lockout(let state): state == .began ? 0 : 1
        case .missingLog: 2
        case .verdict: [before?.verdict, functions.first?.assessment.verdict].contains(.enforce) ? 3 : 4
        case .urgent: 5
        case .ready: 6
        case .appeared: 7
        case .aftermath: 8
        }
    }
}

/// The changes since an earlier report.
package struct Comparison: Sendable {
    /// The as-of instant of the earlier report.
    package let since: Instant
    /// The changes, those that need action first.
    package let changes: [Change]

    init(since: Instant, changes: [Change]) { (self.since, self.changes) = (since, changes) }

    /// Nil where no function is known of the earlier report.
    ///
    /// - Parameters:
    ///   - summary: The answers now.
    ///   - past: The earlier answers.
    ///   - answers: What today's logs and settings say of some functions as of the instant of the earlier answers; none
    ///     where these were computed from the same logs, and of services, whose counts are not kept.
    package init?(
        _ summary: Summary, past: [FunctionIdentity: PastAnswer],
        answers: ([FunctionIdentity], Instant) -> [FunctionIdentity: PastAnswer]
    ) {
        guard let since = past.values.map(\.asOf).max(), summary.asOf != nil else { return nil }
        self.since = since
        var changes: [Change] = []
        for function in summary.functions where function.listing == .seen {
            guard let before = past[function.identity] else {
                if let change = Change(function, isNewSince: since) { changes.append(change) }
                continue
            }
            if let change = Change(function, since: before) { changes.append(change) }
        }
        let changed = changes.filter { $0.before != nil }.flatMap(\.functions).map(\.identity)
            .filter { !$0.isService }
        let then = changed.isEmpty ? [:] : answers(changed, since)
        for place in changes.indices {
            changes[place].verdictsBefore = Set([changes[place].before?.verdict].compactMap(\.self))
            changes[place].origin = changes[place].origin(then: then[changes[place].functions[0].identity])
        }
        // What matters most of a group is what it is called by.
        changes.sort { $0.sortKey < $1.sortKey }
        self.changes = Comparison.grouped(changes)
    }

    /// The changes from computed answers.
    package init?(_ summary: Summary, past: [FunctionIdentity: PastAnswer]) {
        self.init(summary, past: past) { _, _ in [:] }
    }

    /// One cause is one change, with all functions whose answers it changes.
    fileprivate static func grouped(_ changes: [Change]) -> [Change] {
        var (grouped, places) = ([Change](), [Change.Group: Int]())
        for change in changes {
            if let group = change.group {
                if let place = places[group] {
                    grouped[place].functions += change.functions
                    grouped[place].verdictsBefore.formUnion(change.verdictsBefore)
                    continue
                }
                places[group] = grouped.count
            }
            grouped.append(change)
        }
        return grouped
    }
}

extension Change {
    /// The functions with most requests first.
    fileprivate var sortKey: (Urgency, Int, Int, ExactName, ExactName) {
        let first = functions.first
        return (
            urgency, order, -(first?.assessment.period.admitted ?? 0), ExactName(first?.identity.project ?? ""),
            ExactName("\(first?.identity.region ?? "")/\(first?.name ?? "")")
        )
    }

    /// What the difference comes from, by the answer that would be given now of the earlier instant.
    fileprivate func origin(then: PastAnswer?) -> Origin {
        // A log that was too old had nothing of that day, and was judged by the clock, which is another one today.
        guard let before, let then, let function = functions.first, !before.isOfOldLog, !isAlike(before, then) else {
            return .newRequests
        }
        let isAll = isAlike(then, PastAnswer(function.assessment, asOf: then.asOf))
        return before.settings == then.settings ? .laterLogs(isAll: isAll) : .otherSettings(isAll: isAll)
    }

    /// True where two answers are the same in what has changed.
    private func isAlike(_ left: PastAnswer, _ right: PastAnswer) -> Bool {
        switch kind {
        case .lockout: left.isLockout == right.isLockout
        case .aftermath: left.aftermath == right.aftermath
        case .missingLog, .verdict: Change.areAlike(left.verdict, right.verdict)
        case .urgent: left.urgent == right.urgent
        case .ready: left.ready == right.ready
        case .appeared: true
        }
    }

    /// The most important change of one function, if any: whatever needs action now is one.
    fileprivate init?(_ function: FunctionSummary, since before: PastAnswer) {
        let assessment = function.assessment
        let urgent = assessment.urgent.first
        let kind: Kind
        if assessment.isLockout {
            kind = .lockout(before.isLockout ? .continues : .began)
        } else if before.isLockout, urgent == nil {
            kind = .lockout(.ended)
        } else if !Change.areAlike(before.verdict, assessment.verdict) {
            let reason = assessment.reasons.first
            kind = reason.flatMap { $0.isOfMissingLog ? .missingLog($0) : nil } ?? .verdict
        } else if let urgent {
            kind =
                urgent.isOfMissingLog
                ? .missingLog(urgent) : .urgent(urgent, before.urgent.contains(urgent.name) ? .continues : .began)
        } else if before.urgent.contains(Finding.Code.failingNow.name) {
            kind = .urgent(Finding(code: .failingNow), .ended)
        } else if let aftermath = assessment.aftermath, let answer = aftermath.answer, answer != before.aftermath {
            kind = .aftermath(aftermath)
        } else if before.ready != assessment.readyDay {
            kind = .ready
        } else {
            return nil
        }
        self.init(kind: kind, functions: [function], before: before)
    }

    /// A function that no earlier report knows; nil where nothing is new about it, and without a time where nothing
    /// needs action.
    fileprivate init?(_ function: FunctionSummary, isNewSince since: Instant?) {
        let kind: Kind
        if function.assessment.isLockout {
            kind = .lockout(.began)
        } else if let since, let first = function.days.first?.day, Instant(day: first, nanosecondOfDay: 0) > since {
            kind = .appeared(first: first)
        } else if let finding = function.assessment.urgent.first {
            kind = finding.isOfMissingLog ? .missingLog(finding) : .urgent(finding, .began)
        } else {
            return nil
        }
        self.init(kind: kind, functions: [function], before: nil)
    }

    /// What several functions' changes have in common where one cause explains them all.
    fileprivate struct Group: Hashable {
        fileprivate enum Cause: Hashable {
            case missingLog(String)
            case suspect(Suspect.Unit)
            /// Nothing shows whose requests are refused; they are since one hour.
            case beginning(Instant)
            /// Other settings, or logs added later, change the verdict to this one.
            case origin(Verdict)
        }

        let project: ExactName
        let urgency: Urgency
        let state: LockoutState?
        let origin: Origin
        let cause: Cause
    }

    /// Nil for a change that stands for itself.
    fileprivate var group: Group? {
        guard let function = functions.first else { return nil }
        let cause: Group.Cause?
        switch kind {
        case .missingLog(let reason): cause = .missingLog(reason.name)
        case .verdict where origin.isAll: cause = .origin(function.assessment.verdict)
        case .lockout(.ended), .urgent(_, .ended), .ready, .appeared: cause = nil
        case .lockout, .urgent, .verdict, .aftermath:
            let assessment = function.assessment
            let beginning = assessment.failing?.instant ?? (assessment.isLockout ? assessment.enforcement.start : nil)
            cause = suspect.map { .suspect($0) } ?? beginning.map { .beginning($0.hourStart) }
        }
        guard let cause, urgency <= .worse || origin.isAll else { return nil }
        let state: LockoutState? = if case .lockout(let state) = kind { state } else { nil }
        return Group(
            project: ExactName(function.identity.project), urgency: urgency, state: state, origin: origin, cause: cause)
    }

    /// `wait` and `investigate` are one state with two causes.
    private static func areAlike(_ left: Verdict, _ right: Verdict) -> Bool {
        let notSafe: Set<Verdict> = [.wait, .investigate]
        return left == right || notSafe.isSuperset(of: [left, right])
    }
}

extension Finding {
    /// True where a part of the log is missing, which changes the answer regardless of the function.
    fileprivate var isOfMissingLog: Bool {
        [.exportOld, .coverageGap, .failuresStopped, .passesNotSeen].contains(code)
    }
}

extension Summary {
    /// What needs action now, where no earlier report is known.
    package var actions: [Change] {
        let all = functions.filter { $0.listing == .seen }.compactMap { Change($0, isNewSince: nil) }
        return Comparison.grouped(all.sorted { $0.sortKey < $1.sortKey })
    }

    /// True when somebody has to act now: people are refused, something fails, the log has ended, or a change needs it.
    package var needsAction: Bool {
        functions.contains { !$0.assessment.urgent.isEmpty }
            || comparison?.changes.contains { $0.urgency == .act } ?? false
    }
}
