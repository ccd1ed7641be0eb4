import Platform

/// The three descriptors that every program is started with.
enum StandardStreams {
    /// True when standard input is a file with something in it, or a pipe that has data or may get some.
    static var hasInput: Bool {
        var status = stat()
        // Safe: fills the structure it is given.
        guard unsafe fstat(STDIN_FILENO, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status.st_size > 0
        case S_IFIFO, S_IFSOCK:
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // Safe: there is one structure. An empty pipe whose writer has gone reports nothing but that.
            _ = unsafe poll(&input, 1, 0)
            return input.revents == 0 || input.revents & Int16(POLLIN) != 0
        default: return false
        }
    }

    /// Replaces those that were closed, so that no file is opened there and written to by mistake.
    ///
    /// Reading and writing still fail: the null device is opened the other way round.
    static func holdPlaces() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
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

/// Results.
enum StandardOutput {
    /// Writes text.
    ///
    /// - Returns: Success also when the reader has closed the pipe: it has seen enough.
    static func write(_ text: String) -> ExitStatus {
        write { $0.write(text) }
    }

    /// Writes what `body` puts into the stream it is given, as it comes.
    ///
    /// - Returns: Success also when the reader has closed the pipe.
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

    /// How much is written at once.
    private static let pieceBytes = 64 << 10

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes what `body` puts into the stream.
    ///
    /// - Parameters:
    ///   - descriptor: Stays open.
    ///   - body: Writes.
    /// - Returns: 0, or the system's error number.
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
        let written = unsafe bytes.withUnsafeBytes { buffer in
            // Safe: the range from `start` lies in the buffer.
            unsafe Platform.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
        }
        if written >= 0 {
            start += written
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}

/// The system's text for an error number.
func systemMessage(_ number: Int32) -> String {
    // Safe: strerror returns a string that ends in NUL; it is copied at once.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
