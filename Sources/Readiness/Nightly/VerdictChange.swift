package import Verifications

/// Which function a change is about.
package struct ChangedFunction: Hashable, Sendable {
    package let identity: FunctionIdentity
    /// The name people know.
    package let name: String
}

/// A function's verdict on two days, both with the confirmation rule.
package struct VerdictChange: Hashable, Sendable {
    package let function: ChangedFunction
    package let before: Verdict
    package let now: Verdict
    /// Why it is so now; nil for many functions together.
    package let reason: Reason?
    /// How its rate moved, where it did beyond chance.
    package let rate: RateChange?
}

/// A function's blocked rate in two periods that do not overlap, found to differ by more than chance explains.
package struct RateChange: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        package let window: Window
        package let blocked: Int
        /// At least 1.
        package let admitted: Int

        package var rate: Double {
            Double(blocked) / Double(admitted)
        }
    }

    /// The window that the verdict was based on, on the day compared to.
    package let before: Side
    /// The days since.
    package let now: Side
    /// φ, the larger one of the two periods, by their days (``Dispersion``) and their hours (``HourOccupancy``).
    package let dispersion: Double
    /// Of ``RateComparison``, corrected by ``HolmCorrection`` for all functions that were compared.
    package let pValue: Double
    /// The kind of client of which the share moved the same way, beyond chance; nil without one.
    package var client: ClientKind?
}

extension VerdictChange {
    /// Whether the function is further from enforcement than it was.
    ///
    /// A policy that starts or stops covering it, or a successor, makes it neither better nor worse.
    package var urgency: Change.Urgency {
        let settled: Set<Verdict> = [.exempt, .enforced, .superseded]
        guard !settled.contains(now), let old = VerdictChange.distance(before), let new = VerdictChange.distance(now)
        else { return .neutral }
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
}

extension RateChange {
    package var isRise: Bool {
        before.rate < now.rate
    }
}
