import Foundation
package import Testing

/// How much is tried: everything where the environment asks for it, else so little that `swift test` stays short.
package enum Tier {
    fileprivate static let triesEverything = ProcessInfo.processInfo.environment["CALLCHECK_EXHAUSTIVE"] == "1"

    /// Returns all cases of a test, or every `step`th, from the first on.
    package static func some<Cases: RandomAccessCollection>(of all: Cases, every step: Int) -> [Cases.Element] {
        zip(0..., all).compactMap { triesEverything || $0 % step == 0 ? $1 : nil }
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that only try everything.
    package static var exhaustive: Self {
        .enabled(if: Tier.triesEverything, "exhaustive: CALLCHECK_EXHAUSTIVE=1 swift test")
    }
}
