internal import CTestSupport

/// How often this thread asked for memory while `body` ran; nil where that cannot be counted.
package func allocations(_ body: () throws -> Void) rethrows -> Int? {
    let before = CTestSupport_allocations()
    try body()
    let after = CTestSupport_allocations()
    return before < 0 ? nil : after - before
}
