import Dispatch
internal import Synchronization

// The C library of the platform, for everything else: nothing but this file names a platform.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

/// True when the process was started to ignore a signal, or has come to ignore it.
package func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // Safe: fills the structure it is given.
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
        let handler = unsafe action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
        let handler = unsafe action.__sa_handler.sa_handler
    #elseif canImport(Darwin)
        let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    // Safe: both are a pointer to a function, or one of the numbers that mean none.
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

package var processArguments: [[UInt8]] {
    (1..<Int(max(1, CommandLine.argc))).compactMap { index in
        // Safe: the system gives as many arguments as it says, each of which ends in NUL.
        unsafe CommandLine.unsafeArgv[index].map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
}

/// A variable of the environment, which need not be UTF-8; nil when it is not set.
package func environmentVariable(_ name: String) -> [UInt8]? {
    // Safe: getenv returns a string that ends in NUL, copied at once; nothing here changes the environment.
    unsafe getenv(name).map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
}

/// A path to the file behind a descriptor.
package func path(ofDescriptor descriptor: Int32) -> String {
    #if canImport(Darwin)
        "/dev/fd/\(descriptor)"
    #else
        "/proc/self/fd/\(descriptor)"
    #endif
}

/// Opens a new file that has no name, to read and to write; a negative number where that fails.
package func unnamedFile() -> Int32 {
    let folder = environmentVariable("TMPDIR").map { String(decoding: $0, as: UTF8.self) } ?? "/tmp"
    var name = Array("\(folder)/callcheck-XXXXXX".utf8CString)
    // Safe: mkstemp changes letters of the name in place, which ends in NUL.
    return unsafe name.withUnsafeMutableBufferPointer { name in
        unsafe name.baseAddress.map { (name) -> Int32 in
            let descriptor = unsafe mkstemp(name)
            if descriptor >= 0 { unsafe unlink(name) }
            return descriptor
        } ?? -1
    }
}

package func systemMessage(_ number: Int32) -> String {
    // Safe: strerror returns a string that ends in NUL; it is copied at once.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}

package func clockTime(_ clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
}

/// The number of columns that a terminal reports; nil if it is not a terminal, or does not report them.
package func terminalColumns(of descriptor: Int32) -> Int? {
    terminalSize(of: descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil }
}

package func terminalRows(of descriptor: Int32) -> Int? {
    terminalSize(of: descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil }
}

private func terminalSize(of descriptor: Int32) -> winsize? {
    var size = winsize()
    #if canImport(Musl)
        let request = Int32(TIOCGWINSZ)
    #else
        let request = UInt(TIOCGWINSZ)
    #endif
    // Safe: TIOCGWINSZ fills the structure it is given.
    return unsafe ioctl(descriptor, request, &size) == 0 ? size : nil
}

/// Returns the results of `body` for each number below `count`, in their order; all cores work on it.
package func concurrentMap<Value: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
    unsafe Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
        // Each iteration has a separate element.
        nonisolated(unsafe) let buffer = unsafe buffer
        DispatchQueue.concurrentPerform(iterations: count) { index in
            unsafe buffer.initializeElement(at: index, to: body(index))
        }
        initializedCount = count
    }
}

package func concurrentMap<Element: Sendable, Value: Sendable>(
    _ elements: [Element], _ body: @Sendable (Element) -> Value
) -> [Value] {
    concurrentMap(elements.count) { body(elements[$0]) }
}

/// Hands out elements to whichever core is free, the last first.
package final class WaitingList<Element: Sendable>: Sendable {
    private let elements: Mutex<[Element]>

    package init(_ elements: [Element]) { self.elements = Mutex(elements) }
    package func next() -> Element? { elements.withLock { $0.popLast() } }
}
