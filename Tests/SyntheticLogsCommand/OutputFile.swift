import Platform

/// A file that is written from front to back.
final class OutputFile {
    /// What the system refused, in its words.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let code: Int32

        var description: String {
            "cannot write \(path): \(unsafe String(cString: strerror(code)))"
        }
    }

    private let path: String
    private let descriptor: Int32

    /// Opens a file and empties it; `-` means standard output.
    init(path: String) throws(Failure) {
        self.path = path
        // Safe: the path's bytes are valid for the call, which does not keep them.
        descriptor =
            path == "-" ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    }

    deinit {
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            // Safe: the pointer is used within the closure, for no more bytes than the array has.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Platform.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            guard count >= 0 else {
                guard errno == EINTR else { throw Failure(path: path, code: errno) }
                continue
            }
            written += count
        }
    }
}
