import Readiness
import Verifications

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
