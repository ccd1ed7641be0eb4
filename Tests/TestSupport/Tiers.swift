import Foundation
package import Testing

/// True in a release build: without optimisation, closures and generic code allocate what they capture.
package let isOptimised: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()

extension Trait where Self == ConditionTrait {
    /// For tests that try everything: they run where the environment asks for them, so that `swift test` stays short.
    package static var exhaustive: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CALLCHECK_EXHAUSTIVE"] == "1",
            "exhaustive: CALLCHECK_EXHAUSTIVE=1 swift test")
    }
}
