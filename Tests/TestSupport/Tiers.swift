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
    /// For tests that try everything: they run in an optimised build only, so that `swift test` stays short.
    package static var exhaustive: Self {
        .enabled(if: isOptimised, "exhaustive: swift test -c release -Xswiftc -enable-testing")
    }
}
