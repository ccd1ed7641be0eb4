import Glibc
import Readiness
import Reports
import Verifications

/// Where a result goes.
enum Destination {
    case standardOutput
    case file(String)

    /// Writes a summary there.
    func write(_ summary: Summary, as format: OutputFormat, style: TerminalStyle) -> ExitStatus {
        var text = ""
        switch format {
        case .table: TableReport(style: style).write(summary, to: &text)
        case .json: JSONReport().write(summary, to: &text)
        case .csv: CSVReport().write(summary, to: &text)
        case .markdown: MarkdownReport().write(summary, to: &text)
        }
        return write(text)
    }

    /// Writes text there: to standard output as it is, into a file complete or not at all.
    func write(_ text: String) -> ExitStatus {
        switch self {
        case .standardOutput:
            return StandardOutput.write(text)
        case .file(let path):
            guard let error = ReplacedFile(path).write(Array(text.utf8)) else { return .success }
            StandardError.write("callcheck: \(path): cannot be written: \(systemMessage(error)); nothing was changed")
            return .inputOutput
        }
    }
}

/// A file that is written beside its place and then renamed, so that a reader sees the old one or the new one.
///
/// What is no regular file (a pipe, a device) is written straight into. A symbolic link keeps pointing where it points.
private struct ReplacedFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Returns nil, or the system's error number.
    func write(_ bytes: [UInt8]) -> Int32? {
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT != S_IFREG { return writeInto(path, O_WRONLY, bytes) }

        let target = exists ? resolved ?? path : path
        let temporary = "\(target).\(getpid()).tmp"
        Signals.note(halfWritten: temporary)
        defer { Signals.note(halfWritten: nil) }
        if let error = writeInto(temporary, O_WRONLY | O_CREAT | O_EXCL, bytes) {
            unsafe unlink(temporary)
            return error
        }
        if exists { unsafe chmod(temporary, status.st_mode & 0o7777) }
        if unsafe rename(temporary, target) == 0 { return nil }
        let error = errno
        unsafe unlink(temporary)
        return error
    }

    /// The file that symbolic links lead to.
    private var resolved: String? {
        guard let name = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    private func writeInto(_ path: String, _ flags: Int32, _ bytes: [UInt8]) -> Int32? {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return errno }
        var error = writeAll(bytes, to: descriptor)
        if error == 0, flags & O_CREAT != 0, fsync(descriptor) != 0 { error = errno }
        if close(descriptor) != 0, error == 0 { error = errno }
        return error == 0 || (error == EPIPE && flags & O_CREAT == 0) ? nil : error
    }
}
