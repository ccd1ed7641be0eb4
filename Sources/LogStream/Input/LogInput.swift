package import Platform
internal import Verifications

/// One source of log bytes: a file, or standard input.
public struct LogInput: Hashable, Sendable {
    package let path: SystemPath?
    /// The path as it was given, or `-` for standard input: how the source is called in reports.
    package let name: String
    package let size: Int?
    /// True when the user named it, false when it was found in a directory: what was found and is not a log is passed
    /// over, what was named and is not a log is a problem.
    package let isNamed: Bool
    private let error: Int32?

    init(_ path: SystemPath?, size: Int?, isNamed: Bool, error: Int32? = nil) {
        (self.path, name, self.size) = (path, path?.text ?? "-", size)
        (self.isNamed, self.error) = (isNamed, error)
    }

    /// True when the name says that it is a log: by its extension, which a rotation's number may follow
    /// (`app.log.1`), because it is compressed, or because Logs Explorer named it.
    var hasNameOfLog: Bool {
        if fileName.hasPrefix("downloaded-logs-") { return true }
        return ending.map { LogInput.endingsOfLogs.contains($0) } ?? false
    }

    var hasNameOfGzip: Bool { ending == "gz" }
    private var fileName: Substring { name.split(separator: "/").last ?? "" }

    /// The last extension that is not a number, in lower case.
    private var ending: String? {
        let endings = fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
        return endings.last { Int($0) == nil }?.lowercased()
    }

    /// The hour in a name as sinks to a bucket give it: `…/2026/10/14/08:00:00_08:59:59_S0.json`.
    var hourOfSink: Instant? {
        let parts = name.split(separator: "/").suffix(4)
        guard parts.count == 4, let file = parts.last, file.utf8.count > 8,
            file.utf8.dropFirst(8).first == UInt8(ascii: "_")
        else { return nil }
        let stamp = "\(parts.prefix(3).joined(separator: "-"))T\(file.prefix(8))Z"
        return Instant(timestamp: stamp)
    }

    private static let endingsOfLogs: Set<String> = [
        "json", "jsonl", "ndjson", "csv", "log", "gz", "zz", "xz", "zst", "bz2", "lz4",
    ]

    package static let standardInput = LogInput(nil, size: nil, isNamed: true)

    public static func file(_ path: String) -> LogInput { LogInput(SystemPath(path), size: nil, isNamed: true) }

    var isFile: Bool {
        let status = path.map { FileSystem.status(of: $0.characters) } ?? FileSystem.status(of: STDIN_FILENO)
        return status?.sizeOfFile != nil
    }

    package var isReadable: Bool { error == nil && path?.isReadable ?? true }
    var isLink: Bool { path.flatMap { FileSystem.target(ofLink: $0.characters) } != nil }

    /// The pipe, with the bytes that were read to see what it is: they cannot be read again.
    private var opened = OpenedPipe(descriptor: -1, beginning: [])

    struct OpenError: Error {
        let number: Int32
    }

    /// A descriptor for reading, which the caller closes, and what was read of it before.
    func open() -> Result<OpenedPipe, OpenError> {
        opened.descriptor < 0 ? descriptor().map { OpenedPipe(descriptor: $0, beginning: []) } : .success(opened)
    }

    /// A descriptor to read the bytes from as they come; nil when it cannot be opened.
    package var descriptorForReading: Int32? { try? descriptor().get() }

    package static let longestBeginning = InputBuffer.history

    /// True for the beginning of what may be JSON that grows: text, and in none of the other forms that are read.
    package static func mayGrow(_ beginning: [UInt8]) -> Bool {
        // Compressed and encrypted bytes nearly always have some control character.
        guard beginning.allSatisfy({ $0 >= 0x20 || [0x09, 0x0A, 0x0D, 0x1B].contains($0) }) else { return false }
        let bytes = ByteCollector(beginning)
        return switch unsafe Container.recognise(Sample(beginningOf: bytes.bytes)) {
        case .console, .functionsLog, .counts, .services: false
        default: true
        }
    }

    /// The same input, of which up to ``longestBeginning`` bytes were read from a descriptor before.
    package func resumed(on descriptor: Int32, after beginning: [UInt8]) -> LogInput {
        var input = self
        input.opened = OpenedPipe(descriptor: descriptor, beginning: beginning)
        return input
    }

    private func descriptor() -> Result<Int32, OpenError> {
        if let error { return .failure(OpenError(number: error)) }
        guard let path else { return .success(STDIN_FILENO) }
        while true {
            let descriptor = FileSystem.descriptor(of: path.characters, O_RDONLY)
            if descriptor >= 0 { return .success(descriptor) }
            if errno != EINTR { return .failure(OpenError(number: errno)) }
        }
    }
}

/// A descriptor of which some bytes were read before its turn came.
package struct OpenedPipe: Hashable, Sendable {
    let descriptor: Int32
    let beginning: [UInt8]
}

extension LogInput {
    /// The sources that arguments name: files as they are, directories walked to their last file.
    ///
    /// Hidden files, descriptions (`README`, `.md`), and sockets, pipes and devices are passed over in directories. A
    /// directory is walked once, however many links lead to it, and none of those around the named one. What does not
    /// exist or cannot be looked into becomes a source that cannot be opened: it is reported like any other.
    package static func expand(_ arguments: [String]) -> [LogInput] {
        arguments.flatMap { argument -> [LogInput] in
            guard argument != "-" else { return [.standardInput] }
            let path = SystemPath(argument)
            let status = FileSystem.status(of: path.characters)
            if status?.isDirectory ?? false { return files(under: path) }
            return [LogInput(path, size: status?.sizeOfFile, isNamed: true)]
        }
    }

    private static func files(under directory: SystemPath) -> [LogInput] {
        var found: [LogInput] = []
        // A link is followed last, so that what it leads to has its usual name.
        var (pending, links) = ([directory], [SystemPath]())
        var walked = above(directory)
        while let current = pending.popLast() ?? links.popLast() {
            if let place = identity(of: current), !walked.insert(place).inserted { continue }
            let (names, error) = FileSystem.entries(of: current.characters, isWanted)
            if let error { found.append(LogInput(current, size: nil, isNamed: false, error: error)) }
            for path in names.map(current.appending) {
                if FileSystem.status(ofLink: path.characters)?.isDirectory ?? false {
                    pending.append(path)
                } else if let target = FileSystem.status(of: path.characters) {
                    if target.isDirectory { links.append(path) }
                    guard let size = target.sizeOfFile else { continue }
                    found.append(LogInput(path, size: size, isNamed: false))
                } else {
                    found.append(LogInput(path, size: nil, isNamed: false, error: errno))
                }
            }
        }
        return found.sorted { ExactName($0.name) < ExactName($1.name) }
    }

    /// The directories around one: a link to them would lead to everything else.
    private static func above(_ directory: SystemPath) -> Set<[UInt64]> {
        var (above, path) = (Set<[UInt64]>(), directory)
        repeat {
            path = path.appending(SystemPath("..").characters)
        } while identity(of: path).map { above.insert($0).inserted } ?? false
        if let own = identity(of: directory) { above.remove(own) }
        return above
    }

    /// Device and inode.
    private static func identity(of path: SystemPath) -> [UInt64]? {
        FileSystem.status(of: path.characters).map { [UInt64($0.st_dev), UInt64($0.st_ino)] }
    }

    /// False for hidden entries, and for notes about the logs: examples in them are not requests.
    private static func isWanted(_ name: [CChar]) -> Bool {
        let name = SystemPath(name).text
        return !name.hasPrefix(".") && !name.hasPrefix("README") && !name.hasSuffix(".md")
    }
}

extension stat {
    fileprivate var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
    fileprivate var sizeOfFile: Int? { st_mode & S_IFMT == S_IFREG ? Int(st_size) : nil }
}
