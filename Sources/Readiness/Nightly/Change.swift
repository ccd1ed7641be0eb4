public import Verifications

/// Something that is not as it was on the day a report is compared to, told once.
///
/// A lock-out and an export that is too old are told for as long as they last. The wording is not here.
public enum Change: Hashable, Sendable {
    /// A function that is enforced, says the policy, refuses people who are signed in, or does so no longer.
    case lockout(Lockout)
    /// A part of the log did not arrive; the verdicts that changed for want of it are told with it.
    case missingExport(MissingExport)
    /// Another verdict.
    case verdict(VerdictChange)
    /// The same verdict at another rate, beyond what chance explains.
    case rate(ChangedFunction, RateChange)
    /// A function that nobody calls any more.
    case silent(Silence)
    /// A function that was not seen before, or not for long.
    case appeared(Appearance)

    public struct Lockout: Hashable, Sendable {
        public enum State: String, Sendable {
            case began, continues, ended
        }

        public let function: ChangedFunction
        public let state: State
        /// Signed-in requests without a valid App Check token, of all signed-in ones, since enforcement or in the last
        /// W days; 0 of 0 when it has ended.
        public let blocked: Int
        public let admitted: Int
    }

    public struct Silence: Hashable, Sendable {
        public let function: ChangedFunction
        /// The last day with a verification.
        public let last: Day
        /// Verifications a day before, on average of at most four weeks.
        public let perDay: Double
        /// The verdict that it lost by this, if it did.
        public let verdict: VerdictChange?
    }

    public struct Appearance: Hashable, Sendable {
        public let function: ChangedFunction
        /// The last day with a verification before the pause; nil when the function is new.
        public let silentSince: Day?
        /// The first day with a verification since.
        public let first: Day
        /// Verifications since then.
        public let verifications: Int
        public let verdict: Verdict
    }
}

/// Which function a change is about.
public struct ChangedFunction: Hashable, Sendable {
    public let identity: FunctionIdentity
    /// The name people know.
    public let name: String
}

/// A function's verdict on two days, both with the confirmation rule.
public struct VerdictChange: Hashable, Sendable {
    public let function: ChangedFunction
    public let before: Verdict
    public let now: Verdict
    /// Why it is so now; nil for many functions together.
    public let reason: Reason?
    /// How its rate moved, where it did beyond chance.
    public let rate: RateChange?
}

/// A function's blocked rate in two periods that do not overlap, found to differ by more than chance explains.
public struct RateChange: Hashable, Sendable {
    public struct Side: Hashable, Sendable {
        public let window: Window
        public let blocked: Int
        /// At least 1.
        public let admitted: Int

        public var rate: Double {
            Double(blocked) / Double(admitted)
        }
    }

    /// The window that the verdict rested on, on the day compared to.
    public let before: Side
    /// The days since.
    public let now: Side
    /// φ, the larger one of the two periods, by their days (``Dispersion``) and their hours (``HourOccupancy``).
    public let dispersion: Double
    /// Of ``RateComparison``, corrected by ``HolmCorrection`` for all functions that were compared.
    public let pValue: Double
}

/// A part of a project's log that did not arrive.
public struct MissingExport: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Nothing newer than this instant, which is that many hours before the clock.
        case everything(newest: Instant, hours: Double)
        /// No verification on these days, ascending; at least one.
        case days([Day])
        /// No failed verification of a generation for that many days, after so many a day; generation 2 writes them to
        /// its stderr log.
        case failures(Generation?, days: Double, perDay: Double)
        /// No passed verification any more.
        case passes
    }

    public let project: String
    public let kind: Kind
    /// Verdicts that changed for want of it.
    public let verdicts: [VerdictChange]
}
