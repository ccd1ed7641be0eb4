import LogStream
import Platform
import Readiness
import Reports
import Synchronization
import Verifications

enum Terminal {
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// How a table may look there: `auto` uses colour on a terminal unless `NO_COLOR` is set or `TERM` is `dumb`.
    static func style(color: ColorChoice, isRedirected: Bool) -> TerminalStyle {
        let isShown = !isRedirected && isTerminal(STDOUT_FILENO)
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto: isShown && environment("NO_COLOR") == nil && !isDumb
            }
        return TerminalStyle(
            columns: columns(isShown: isShown), rows: isShown ? terminalRows(of: STDOUT_FILENO) : nil, color: isColored,
            unicode: isUnicode)
    }

    private static func columns(isShown: Bool) -> Int {
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
        return isShown ? terminalColumns(of: STDOUT_FILENO) ?? 80 : 120
    }

    /// True for a terminal that cannot wipe a line.
    static var isDumb: Bool { environment("TERM") == "dumb" }

    /// The locale decides, as for every other program; without one it is a cron job or a container, whose output is
    /// read as UTF-8 today.
    static var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first
        guard let locale, locale != "C", locale != "POSIX" else { return locale == nil }
        return locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
    }

    /// The names of all variables, where the system tells them.
    static var environmentNames: [String] {
        let bytes = FileSystem.beginning(of: SystemPath("/proc/self/environ").characters, atMost: 1 << 17) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
    }

    /// Returns a variable's value, which need not be UTF-8 if it is a path; nil if it is not set or empty.
    static func environment(_ name: String) -> String? {
        environmentVariable(name).flatMap { $0.isEmpty ? nil : SystemPath.argument($0) }
    }
}

/// The whole terminal, for a page that changes; its previous content comes back.
///
/// The sequences are those of xterm (ctlseqs, "The Alternate Screen Buffer"), which every terminal today supports.
struct Screen {
    private static let isOpen = Atomic<Bool>(false)

    func open() {
        guard !Screen.isOpen.exchange(true, ordering: .sequentiallyConsistent) else { return }
        _ = writeAll(Array("\u{1B}[?1049h\u{1B}[?25l".utf8), to: STDOUT_FILENO)
    }

    /// Shows as many lines of a text as there is room for.
    func show(_ text: String) -> ExitStatus {
        let rows = terminalRows(of: STDOUT_FILENO) ?? 24
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(max(1, rows - 1))
        let page = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
        return StandardOutput.write("\u{1B}[H\(page)\n\u{1B}[J")
    }

    static func restore() {
        guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
        _ = writeAll(Array("\u{1B}[?25h\u{1B}[?1049l".utf8), to: STDOUT_FILENO)
    }
}

enum Clock {
    static func now() -> Instant {
        let time = clockTime(CLOCK_REALTIME)
        return Instant(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }

    /// Seconds since some fixed point; they never go back.
    static func monotonicSeconds() -> Double {
        let time = clockTime(CLOCK_MONOTONIC)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

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

    /// False when fewer files may be opened than waiting for signals takes: the library that waits would end the
    /// program as if it were at fault.
    static var haveRoom: Bool {
        let places = [dup(STDERR_FILENO), dup(STDERR_FILENO)]
        defer { for place in places where place >= 0 { close(place) } }
        return !(places.contains(-1) && errno == EMFILE)
    }
}

/// Messages for people: progress, notes and errors.
enum StandardError {
    /// Writes a line; a closed standard error is not an error.
    static func write(_ line: String) { _ = writeAll(Array((line + "\n").utf8), to: STDERR_FILENO) }

    static func writeRaw(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

enum StandardOutput {
    static func write(_ text: String) -> ExitStatus { write { $0.write(text) } }

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
