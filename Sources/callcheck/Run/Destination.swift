import LogStream
import Platform
import Reports

/// Where a result goes.
enum Destination {
    case standardOutput
    case file(String)

    /// - Parameter output: As typed for `--output`; nil and `-` stand for standard output.
    init(output: String?) {
        self = output.flatMap { $0 == "-" ? nil : .file($0) } ?? .standardOutput
    }

    var isStandardOutput: Bool {
        if case .standardOutput = self { true } else { false }
    }

    /// Fails when the result could not be written in the end: better to know now than after an hour of reading.
    func prepare() throws(Failure) {
        guard case .file(let path) = self, let error = ReplacedFile(path).obstacle else { return }
        throw Failure(status: .inputOutput, message: Destination.complaint(path, error, "; nothing was read"))
    }

    /// Writes what `body` puts into the stream: to standard output as it comes, into a file complete or not at all.
    func write(_ body: (inout DescriptorStream) -> Void) -> ExitStatus {
        switch self {
        case .standardOutput:
            return StandardOutput.write(body)
        case .file(let path):
            guard let error = ReplacedFile(path).write(body) else { return .success }
            StandardError.write("callcheck: \(Destination.complaint(path, error))")
            return .inputOutput
        }
    }

    private static func complaint(_ path: String, _ error: Int32, _ consequence: String = "") -> String {
        "\(DisplayText(name: path).text): cannot be written: \(systemMessage(error))\(consequence)"
            + Messages.advice(onWriting: error)
    }
}

/// A file that is written under another name and then renamed, so that a reader sees the old one or the new one.
///
/// Anything but a regular file (a pipe, a device) is written to directly, and so is a descriptor that is already open
/// (`/dev/stdout`, `/dev/fd/3`). A symbolic link keeps pointing where it points, even when nothing is there yet.
struct ReplacedFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// False for what is written to directly.
    var isReplaced: Bool {
        descriptor == nil && (ReplacedFile.mode(of: path).map { $0 & S_IFMT == S_IFREG } ?? true)
    }

    /// The system's error number if writing is known to fail; else nil.
    var obstacle: Int32? {
        guard descriptor == nil else { return nil }
        guard let target = ReplacedFile.followed(path) else { return ELOOP }
        guard !target.isEmpty else { return ENOENT }
        switch ReplacedFile.mode(of: target).map({ $0 & S_IFMT }) {
        case S_IFDIR: return EISDIR
        case S_IFREG, nil: return isAllowed(ReplacedFile.directory(of: target) + "/.") ? nil : errno
        default: return isAllowed(target) ? nil : errno
        }
    }

    /// Writes what `body` puts into the stream it is given.
    ///
    /// - Returns: nil, or the system's error number; a reader that has gone is not an error.
    func write(_ body: (inout DescriptorStream) -> Void) -> Int32? {
        if let descriptor {
            let error = DescriptorStream.write(to: descriptor, body)
            return error == 0 || error == EPIPE ? nil : error
        }
        guard let target = ReplacedFile.followed(path) else { return ELOOP }
        let mode = ReplacedFile.mode(of: target)
        if let mode, mode & S_IFMT != S_IFREG {
            let error = fill(open(target, O_WRONLY), isNew: false, body)
            return error == 0 || error == EPIPE ? nil : error
        }

        // Not the process ID: containers reuse the same one, and a killed run leaves its file behind.
        let temporary = "\(target).\(String(UInt32.random(in: .min ... .max), radix: 16)).tmp"
        let opened = Signals.beginning(temporary) { open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode ?? 0o666) }
        defer { Signals.isComplete() }
        var error = fill(opened, isNew: true, body)
        if error == 0, let mode, unsafe chmod(bytes(temporary), mode & 0o7777) != 0 { error = errno }
        if error == 0, unsafe rename(bytes(temporary), bytes(target)) != 0 { error = errno }
        if error != 0 { unsafe unlink(bytes(temporary)) }
        return error == 0 ? nil : error
    }

    /// The number of the descriptor that the path stands for, if it does.
    private var descriptor: Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
            return folder.flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    /// The place that symbolic links lead to, whether or not something is there; nil when they lead in a circle.
    static func followed(_ path: String) -> String? {
        var target = path
        for _ in 0..<40 {
            guard let link = link(at: target) else { return target }
            target = link.hasPrefix("/") ? link : directory(of: target) + "/" + link
        }
        return nil
    }

    /// The target of the symbolic link at a path; nil when there is no such link.
    private static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: readlink writes at most as many bytes as there is room for.
        let length = unsafe readlink(bytes(path), &buffer, buffer.count)
        return length < 0 ? nil : SystemPath.argument(buffer[..<length].map { UInt8(bitPattern: $0) })
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(bytes(path), &status) == 0 ? status.st_mode : nil
    }

    private func isAllowed(_ place: String) -> Bool {
        unsafe access(bytes(place), W_OK) == 0
    }

    private func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Result<Int32, OpenError> {
        let descriptor = unsafe Platform.open(bytes(path), flags | O_CLOEXEC, mode & 0o777)
        return descriptor >= 0 ? .success(descriptor) : .failure(OpenError(number: errno))
    }

    /// Writes everything and closes; returns 0, or the system's error number.
    private func fill(
        _ opened: Result<Int32, OpenError>, isNew: Bool, _ body: (inout DescriptorStream) -> Void
    ) -> Int32 {
        switch opened {
        case .failure(let failure): return failure.number
        case .success(let descriptor):
            var error = DescriptorStream.write(to: descriptor, body)
            if error == 0, isNew, fsync(descriptor) != 0 { error = errno }
            if close(descriptor) != 0, error == 0 { error = errno }
            return error
        }
    }

    private struct OpenError: Error {
        let number: Int32
    }
}

/// The path as the system takes it.
private func bytes(_ path: String) -> [CChar] { SystemPath(path).characters }
