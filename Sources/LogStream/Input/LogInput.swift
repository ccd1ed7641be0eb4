internal import Glibc

/// One source of log bytes: a file, or standard input.
public struct LogInput: Hashable, Sendable {
    /// Where it lies; nothing for standard input.
    public let path: SystemPath?
    /// The path as it was given, or `-` for standard input: how the source is called in reports.
    public let name: String
    /// Size in bytes, when it is known beforehand.
    public let size: Int?
    /// True when the user named it, false when it was found in a directory: what was found and is no log is passed
    /// over, what was named and is no log is a problem.
    public let isNamed: Bool

    init(_ path: SystemPath?, size: Int?, isNamed: Bool) {
        self.path = path
        name = path?.text ?? "-"
        self.size = size
        self.isNamed = isNamed
    }

    /// True when the name says that it is a log: by its ending, behind which a rotation's number may stand
    /// (`app.log.1`), because it is compressed, or because Logs Explorer named it.
    var hasNameOfLog: Bool {
        if fileName.hasPrefix("downloaded-logs-") { return true }
        return ending.map { LogInput.endingsOfLogs.contains($0) } ?? false
    }

    /// True when the name says that it is compressed with gzip.
    var hasNameOfGzip: Bool { ending == "gz" }

    private var fileName: Substring { name.split(separator: "/").last ?? "" }

    /// The last ending that is no number, in small letters.
    private var ending: String? {
        let endings = fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
        return endings.last { Int($0) == nil }?.lowercased()
    }

    private static let endingsOfLogs: Set<String> = [
        "json", "jsonl", "ndjson", "log", "gz", "zz", "xz", "zst", "bz2", "lz4",
    ]

    /// Standard input.
    public static let standardInput = LogInput(nil, size: nil, isNamed: true)

    /// A file that the user named.
    public static func file(_ path: String) -> LogInput {
        LogInput(SystemPath(path), size: nil, isNamed: true)
    }

    /// True for what can be opened, as far as that is known beforehand.
    public var isReadable: Bool { path?.isReadable ?? true }

    /// What the system said when a file could not be opened.
    struct OpenError: Error {
        let number: Int32
    }

    /// A descriptor for reading; the caller closes it.
    func open() -> Result<Int32, OpenError> {
        guard let path else { return .success(STDIN_FILENO) }
        while true {
            // Safe: the characters end in NUL.
            let descriptor = unsafe Glibc.open(path.characters, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { return .success(descriptor) }
            if errno != EINTR { return .failure(OpenError(number: errno)) }
        }
    }
}
