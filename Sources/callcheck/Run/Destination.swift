import LogStream
import Platform
import Reports

enum Destination {
    case standardOutput
    case file(String)

    /// - Parameter output: As typed for `--output`; nil and `-` stand for standard output.
    init(output: String?) {
        self = output.flatMap { $0 == "-" ? nil : .file($0) } ?? .standardOutput
    }

    /// The file; nil for standard output.
    var path: String? { if case .file(let path) = self { path } else { nil } }

    var isStandardOutput: Bool { path == nil }

    /// Fails when the result could not be written in the end: better to know now than after an hour of reading.
    func prepare() throws(Failure) {
        guard case .file(let path) = self, let error = ReplacedFile(path).obstacle else { return }
        throw Failure(status: .inputOutput, message: Destination.complaint(path, error, "; nothing was read"))
    }

    /// Writes what `body` puts into the stream: to standard output as it comes, into a file only when complete.
    func write(_ body: (inout DescriptorStream) -> Void) -> ExitStatus {
        switch self {
        case .standardOutput: return StandardOutput.write(body)
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

    init(_ path: String) { self.path = path }

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

    /// Writes what `body` puts into the stream it is given; nil, or the system's error number.
    ///
    /// A reader that has gone is not an error.
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
        if error == 0, let mode, !FileSystem.setMode(mode & 0o7777, of: bytes(temporary)) { error = errno }
        if error == 0, !FileSystem.move(bytes(temporary), to: bytes(target)) { error = errno }
        if error != 0 { FileSystem.remove(bytes(temporary)) }
        return error == 0 ? nil : error
    }

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

    private static func link(at path: String) -> String? {
        FileSystem.target(ofLink: bytes(path)).map(SystemPath.argument)
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func mode(of path: String) -> mode_t? { FileSystem.status(of: bytes(path))?.st_mode }

    private func isAllowed(_ place: String) -> Bool { FileSystem.permits(bytes(place), W_OK) }

    /// A descriptor, or the system's error number, negated.
    private func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        let descriptor = FileSystem.descriptor(of: bytes(path), flags, mode: mode & 0o777)
        return descriptor >= 0 ? descriptor : -errno
    }

    /// Writes everything and closes; returns 0, or the system's error number.
    private func fill(_ descriptor: Int32, isNew: Bool, _ body: (inout DescriptorStream) -> Void) -> Int32 {
        guard descriptor >= 0 else { return -descriptor }
        var error = DescriptorStream.write(to: descriptor, body)
        if error == 0, isNew, fsync(descriptor) != 0 { error = errno }
        if close(descriptor) != 0, error == 0 { error = errno }
        return error
    }
}

private func bytes(_ path: String) -> [CChar] { SystemPath(path).characters }
