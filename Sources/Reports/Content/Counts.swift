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

    /// True when every function has a verdict, as it is without any; a run that only counts shows none.
    var isJudged: Bool {
        functions.allSatisfy { $0.assessment != nil }
    }
}
