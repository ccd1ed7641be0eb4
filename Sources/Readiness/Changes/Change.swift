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
        /// The verdict is the same, and the day on which it will be `enforce` is another one.
        case ready
        /// A function that had no verification before.
        case appeared(first: Day)
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
    /// One function; several where one missing part of the log explains them.
    package var functions: [FunctionSummary]
    package let before: PastAnswer?
    /// True where logs that were added later, or other settings, would have changed the earlier answer as well.
    package var isLate = false

    package var code: String {
        switch kind {
        case .lockout: "lockout"
        case .aftermath: "aftermath"
        case .missingLog(let reason): reason.name
        case .verdict: "verdict"
        case .ready: "ready"
        case .appeared: "appeared"
        }
    }

    package var urgency: Urgency {
        switch kind {
        case .lockout(let state): state == .ended ? .better : .act
        case .aftermath(let aftermath): aftermath.answer == .more ? .act : .neutral
        case .missingLog: .act
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
        case .ready: 5
        case .appeared: 6
        case .aftermath: 7
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
    ///   - evaluator: Their evaluator, which says what would have been said earlier of today's log.
    ///   - services: Those of services.
    ///   - past: The earlier answers.
    ///   - isKept: True for answers that were given; false for those that were computed from the same log.
    package init?(
        _ summary: Summary, evaluator: Evaluator, besides services: [Evaluator] = [],
        past: [FunctionIdentity: PastAnswer], isKept: Bool
    ) {
        guard let since = past.values.map(\.asOf).max(), summary.asOf != nil else { return nil }
        self.since = since
        let earlier = ([evaluator] + services).map { $0.at(since) }
        var changes: [Change] = []
        var missing: [MissingPart: Change] = [:]
        for function in summary.functions where function.listing == .seen {
            guard let before = past[function.identity] else {
                guard let first = function.days.first?.day, Instant(day: first, nanosecondOfDay: 0) > since
                else { continue }
                changes.append(Change(kind: .appeared(first: first), functions: [function], before: nil))
                continue
            }
            guard var change = Change(function, since: before) else { continue }
            if isKept, case .verdict = change.kind {
                let evaluator = earlier.first { $0.tally.functions[function.identity] != nil }
                let then = evaluator.map { ConfirmedEvaluation($0.history(function.identity), asOf: since).verdict }
                change.isLate = then != before.verdict
            }
            if case .missingLog(let reason) = change.kind {
                let part = MissingPart(project: function.identity.project, code: reason.name)
                if missing[part]?.functions.append(function) == nil { missing[part] = change }
            } else {
                changes.append(change)
            }
        }
        changes += missing.values
        self.changes = changes.sorted { $0.sortKey < $1.sortKey }
    }

    private struct MissingPart: Hashable {
        let project: String
        let code: String
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

    /// The most important change of one function, if any.
    fileprivate init?(_ function: FunctionSummary, since before: PastAnswer) {
        let assessment = function.assessment
        let kind: Kind
        if assessment.isLockout {
            kind = .lockout(before.isLockout ? .continues : .began)
        } else if before.isLockout {
            kind = .lockout(.ended)
        } else if !Change.areAlike(before.verdict, assessment.verdict) {
            let reason = assessment.reasons.first
            kind = reason.flatMap { $0.isOfMissingLog ? .missingLog($0) : nil } ?? .verdict
        } else if let aftermath = assessment.aftermath, let answer = aftermath.answer, answer != before.aftermath {
            kind = .aftermath(aftermath)
        } else if before.ready != assessment.readyDay {
            kind = .ready
        } else {
            return nil
        }
        self.init(kind: kind, functions: [function], before: before)
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
    /// True when somebody has to act now: people are refused, something fails, the log has ended, or a change needs it.
    package var needsAction: Bool {
        functions.contains { $0.assessment.listed.contains { $0.urgency == .act } }
            || comparison?.changes.contains { $0.urgency == .act } ?? false
    }
}
