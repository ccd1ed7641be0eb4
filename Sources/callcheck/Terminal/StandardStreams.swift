import Platform

enum StandardStreams {
    /// True when standard input is a file with something in it, or a pipe that has data or may get some.
    static var hasInput: Bool {
        guard let status = FileSystem.status(of: STDIN_FILENO) else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status.st_size > 0
        case S_IFIFO, S_IFSOCK:
            // An empty pipe whose writer has gone reports nothing but that.
            let events = FileSystem.inputEvents(on: STDIN_FILENO, within: 0)
            return events == 0 || events & Int32(POLLIN) != 0
        default: return false
        }
    }

    /// Replaces those that were closed, so that no file is opened there and written to by mistake.
    ///
    /// Reading and writing still fail: the null device is opened the other way round.
    static func holdPlaces() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            _ = FileSystem.descriptor(of: Array("/dev/null".utf8CString), flags)
        }
    }
}

/// Messages for people: progress, notes and errors.
enum StandardError {
    /// Writes a line; a closed standard error is not an error.
    static func write(_ line: String) {
        _ = writeAll(Array((line + "\n").utf8), to: STDERR_FILENO)
    }

    static func writeRaw(_ text: String) {
        _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}

enum StandardOutput {
    static func write(_ text: String) -> ExitStatus { write { $0.write(text) } }

    /// Writes what `body` puts into the stream it is given, as it comes, with the same result.
    static func write(_ body: (inout DescriptorStream) -> Void) -> ExitStatus {
        switch DescriptorStream.write(to: STDOUT_FILENO, body) {
        case 0, EPIPE: return .success
        case let error:
            StandardError.write(
                "callcheck: standard output cannot be written: \(systemMessage(error))"
                    + Messages.advice(onWriting: error))
            return .inputOutput
        }
    }
}

/// Text on its way to a descriptor: a long report never has to fit in memory.
struct DescriptorStream: TextOutputStream {
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    /// 0, or the system's number of the first error; nothing is written after it.
    private var error: Int32 = 0

    private static let pieceBytes = 64 << 10

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    static func write(to descriptor: Int32, _ body: (inout DescriptorStream) -> Void) -> Int32 {
        var stream = DescriptorStream(descriptor)
        body(&stream)
        stream.flush()
        return stream.error
    }

    mutating func write(_ bytes: [UInt8]) {
        waiting += bytes
        if waiting.count >= DescriptorStream.pieceBytes { flush() }
    }

    mutating func write(_ text: String) {
        waiting.append(contentsOf: text.utf8)
        if waiting.count >= DescriptorStream.pieceBytes { flush() }
    }

    private mutating func flush() {
        if error == 0 { error = writeAll(waiting, to: descriptor) }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Writes all bytes to a descriptor; returns 0, or the system's error number.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var start = 0
    while start < bytes.count {
        let written = FileSystem.put(bytes, from: start, to: descriptor)
        if written >= 0 {
            start += written
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}
