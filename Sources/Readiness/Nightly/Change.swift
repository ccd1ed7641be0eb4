package import Verifications

/// Something that is not as it was on the day a report is compared to, reported once.
///
/// A lock-out and an export that is too old are reported for as long as they last. The wording is not here.
package enum Change: Hashable, Sendable {
    /// A function that is enforced, by policy, refuses signed-in people, or no longer does.
    case lockout(Lockout)
    /// Since enforcement was switched on, requests are refused as predicted, or not.
    case aftermath(ChangedFunction, Aftermath)
    /// A part of the log did not arrive; the verdicts that changed because of it are part of this change.
    case missingExport(MissingExport)
    case verdict(VerdictChange)
    /// The same verdict at another rate, beyond what chance explains.
    case rate(ChangedFunction, RateChange)
    /// Of one kind of client another share of the requests would be refused, beyond what chance explains.
    case clients(ChangedFunction, ClientKind, RateChange)
    case silent(Silence)
    /// A function that was not seen before, or not for long.
    case appeared(Appearance)

    package struct Lockout: Hashable, Sendable {
        package enum State: String, Sendable {
            case began, continues, ended
        }

        package let function: ChangedFunction
        package let state: State
        /// Signed-in requests without a valid App Check token, of all signed-in ones, since enforcement or in the last
        /// W days; 0 of 0 when it has ended.
        package let blocked: Int
        package let admitted: Int
    }

    package struct Silence: Hashable, Sendable {
        package let function: ChangedFunction
        package let last: Day
        /// Verifications a day before, on average of at most four weeks.
        package let perDay: Double
        /// The verdict that it lost by this, if it did.
        package let verdict: VerdictChange?
    }

    package struct Appearance: Hashable, Sendable {
        package let function: ChangedFunction
        /// The last day with a verification before the pause; nil when the function is new.
        package let silentSince: Day?
        package let first: Day
        package let verifications: Int
        package let verdict: Verdict
    }

    /// What a change asks of its reader.
    package enum Urgency: Int, Comparable, CaseIterable, Sendable {
        /// People are refused, or the report is based on an incomplete log: act now.
        case act
        /// Less safe than before, or silent.
        case worse
        case better
        case neutral

        package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// How programs know it, its place among changes of one urgency, what it asks of its reader, and its function.
    private var facts: (code: String, order: Int, urgency: Urgency, function: ChangedFunction?) {
        switch self {
        case .lockout(let lockout):
            ("lockout", lockout.state == .began ? 0 : 1, lockout.state == .ended ? .better : .act, lockout.function)
        case .missingExport(let missing): (missing.code, 2, .act, nil)
        case .verdict(let change):
            ("verdict", [change.now, change.before].contains(.enforce) ? 3 : 4, change.urgency, change.function)
        case .rate(let function, let rate): ("rate", 5, rate.isRise ? .worse : .better, function)
        case .clients(let function, _, let rate): ("clients", 6, rate.isRise ? .worse : .better, function)
        case .silent(let silence): ("silent", 7, .worse, silence.function)
        case .appeared(let appearance): ("appeared", 8, .neutral, appearance.function)
        case .aftermath(let function, let aftermath):
            ("aftermath", 9, aftermath.answer == .more ? .act : .neutral, function)
        }
    }

    package var code: String { facts.code }
    package var urgency: Urgency { facts.urgency }

    /// The function, or nil when the change is about a whole project.
    package var function: ChangedFunction? { facts.function }

    package var project: String {
        if case .missingExport(let missing) = self { return missing.project }
        return function?.identity.project ?? FunctionIdentity.unknown
    }

    /// Above every place among changes of one urgency.
    private static let kinds = 10

    /// What needs action first; of one kind, the functions with most requests.
    func sortKey(_ requests: [FunctionIdentity: Int]) -> (Int, Int, ExactName, ExactName, ExactName, UInt8) {
        let identity = function?.identity
        let weight = identity.flatMap { requests[$0] } ?? 0
        return (
            urgency.rawValue * Change.kinds + facts.order, -weight, ExactName(project),
            ExactName(identity?.region ?? ""),
            ExactName(function?.name ?? code), identity?.generation?.rawValue ?? 0
        )
    }
}

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
    package let rate: RateChange?
}

/// A function's blocked rate in two periods that do not overlap, found to differ by more than chance explains.
package struct RateChange: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        package let window: Window
        package let blocked: Int
        /// At least 1.
        package let admitted: Int

        package var rate: Double { Double(blocked) / Double(admitted) }
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
        guard let old = VerdictChange.distance(before), let new = VerdictChange.distance(now) else { return .neutral }
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
    package var isRise: Bool { before.rate < now.rate }
}
