import Verifications

extension Change {
    /// What a change asks of its reader.
    public enum Urgency: Int, Comparable, CaseIterable, Sendable {
        /// People are locked out, or the report rests on an incomplete log: act now.
        case act
        /// Less safe than before, or silent.
        case worse
        /// Safer than before.
        case better
        /// Neither.
        case neutral

        public static func < (left: Urgency, right: Urgency) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    public var urgency: Urgency {
        switch self {
        case .lockout(let lockout): lockout.state == .ended ? .better : .act
        case .missingExport: .act
        case .verdict(let change): change.urgency
        case .rate(_, let rate): rate.isRise ? .worse : .better
        case .silent: .worse
        case .appeared: .neutral
        }
    }

    /// The function, or nil when the change is about a whole project.
    public var function: ChangedFunction? {
        switch self {
        case .lockout(let lockout): lockout.function
        case .missingExport: nil
        case .verdict(let change): change.function
        case .rate(let function, _): function
        case .silent(let silence): silence.function
        case .appeared(let appearance): appearance.function
        }
    }

    public var project: String {
        if case .missingExport(let missing) = self { return missing.project }
        return function?.identity.project ?? FunctionIdentity.unknown
    }

    /// The spelling in machine-readable output.
    public var code: String {
        switch self {
        case .lockout: "lockout"
        case .missingExport(let missing): missing.code
        case .verdict: "verdict"
        case .rate: "rate"
        case .silent: "silent"
        case .appeared: "appeared"
        }
    }

    /// The place of its kind among changes of one urgency.
    var kindOrder: Int {
        switch self {
        case .lockout(let lockout): lockout.state == .began ? 0 : 1
        case .missingExport: 2
        case .verdict(let change): change.now == .enforce || change.before == .enforce ? 3 : 4
        case .rate: 5
        case .silent: 6
        case .appeared: 7
        }
    }
}

extension MissingExport {
    /// The spelling in machine-readable output: where a verdict has a reason for it, that code.
    public var code: String {
        switch kind {
        case .everything: "export-old"
        case .days: "coverage-gap"
        case .failures: "failures-stopped"
        case .passes: "passes-not-seen"
        }
    }
}

extension VerdictChange {
    /// Whether the function is further from enforcement than it was.
    ///
    /// A policy that starts or ends to speak of it, or a successor, makes it neither better nor worse.
    public var urgency: Change.Urgency {
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
    public var isRise: Bool {
        before.rate < now.rate
    }
}
