import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// For tests that try everything: they run where the environment asks for them, so that `swift test` stays short.
    package static var exhaustive: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CALLCHECK_EXHAUSTIVE"] == "1",
            "exhaustive: CALLCHECK_EXHAUSTIVE=1 swift test")
    }
}
