import Dispatch

/// What `body` gives for each number below `count`, in their order; all cores work on it.
package func concurrentMap<Value: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
    unsafe Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
        // Each iteration has an element of its own.
        nonisolated(unsafe) let buffer = unsafe buffer
        DispatchQueue.concurrentPerform(iterations: count) { index in
            unsafe buffer.initializeElement(at: index, to: body(index))
        }
        initializedCount = count
    }
}
