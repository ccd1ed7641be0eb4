import Readiness
import Verifications

extension StatusMatrix {
    /// Requests that are not refused for their Auth token, which enforcement can then let through or not.
    var admitted: Int {
        TokenStatus.allCases.reduce(total) { $0 - self[$1, .invalid] }
    }

    /// Admitted requests without a valid App Check token: what enforcement would newly refuse.
    var blocked: Int {
        TokenStatus.allCases.reduce(admitted) { $1 == .invalid ? $0 : $0 - self[.valid, $1] }
    }
}

extension FunctionSummary {
    /// 1 or 2; nil when the log does not say.
    var generationNumber: Int? {
        identity.generation.map { Int($0.rawValue) }
    }
}

extension Summary {
    /// Counts of all functions together.
    var totals: StatusMatrix {
        functions.reduce(into: StatusMatrix()) { $0.merge($1.tally.totals) }
    }
}
