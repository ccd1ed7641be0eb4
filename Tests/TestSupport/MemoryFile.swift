internal import CTestSupport
internal import Platform

/// A file that exists in memory only: tests that scan thousands of inputs write nothing to a disk.
package final class MemoryFile: Sendable {
    private let descriptor: Int32
    /// Opens the file anew, from its start, while the value lives.
    package let path: String

    package struct CreationFailed: Error {}

    package init(_ bytes: [UInt8]) throws {
        descriptor = CTestSupport_memoryFile()
        path = "/proc/self/fd/\(descriptor)"
        guard descriptor >= 0, unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CreationFailed()
        }
    }

    deinit {
        close(descriptor)
    }
}
