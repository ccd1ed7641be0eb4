import ArgumentParser
import History
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports

struct Destination {
    static let standardOutput = Destination(output: nil)

    /// The file; nil for standard output.
    let path: String?

    /// - Parameter output: As typed for `--output`; nil and `-` mean standard output.
    init(output: String?) { path = output == "-" ? nil : output }

    var isStandardOutput: Bool { path == nil }

    /// Fails when the result could not be written in the end: better to know now than after an hour of reading.
    func prepare() throws(Failure) {
        guard let path, let error = ReplacedFile(path).obstacle else { return }
        throw Failure(Destination.complaint(path, error, "; nothing was read"), .inputOutput)
    }

    /// Writes what `body` puts into the stream: to standard output as it comes, into a file only when complete.
    func write(_ body: (inout DescriptorStream) -> Void) -> ExitStatus {
        guard let path else { return StandardOutput.write(body) }
        guard let error = ReplacedFile(path).write(body) else { return .success }
        StandardError.write("callcheck: \(Destination.complaint(path, error))")
        return .inputOutput
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
        guard ReplacedFile.mode(of: target) != nil || errno != ENAMETOOLONG else { return ENAMETOOLONG }
        switch ReplacedFile.mode(of: target).map({ $0 & S_IFMT }) {
        case S_IFDIR: return EISDIR
        case S_IFREG, nil: return isAllowed(ReplacedFile.directory(of: target) + "/.") ? nil : errno
        default: return isAllowed(target) ? nil : errno
        }
    }

    /// Writes what `body` puts into the stream; nil, or the system's error number: none for a reader that has gone.
    func write(_ body: (inout DescriptorStream) -> Void) -> Int32? {
        if let descriptor {
            let error = DescriptorStream.write(to: descriptor, body)
            return error == 0 || error == EPIPE ? nil : error
        }
        guard let target = ReplacedFile.followed(path) else { return ELOOP }
        let old = FileSystem.status(of: bytes(target))
        let mode = old?.st_mode
        if let mode, mode & S_IFMT != S_IFREG {
            let error = fill(open(target, O_WRONLY), isNew: false, body)
            return error == 0 || error == EPIPE ? nil : error
        }

        // Not the process ID: containers reuse the same one, and a killed run leaves its file behind.
        // The name itself may be as long as names can be.
        let temporary =
            "\(ReplacedFile.directory(of: target))/.callcheck-\(String(UInt32.random(in: .min ... .max), radix: 16)).tmp"
        let opened = Signals.beginning(temporary) { open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode ?? 0o666) }
        defer { Signals.isComplete() }
        var error = fill(opened, isNew: true, body)
        // A file stays its owner's where this user may give it away.
        if let old { FileSystem.setOwner(old.st_uid, group: old.st_gid, of: bytes(temporary)) }
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

extension Settings {
    /// Decides for all commands which files no output may replace: those that the run reads, and every store, policy
    /// and inventory that an option, the environment or the settings name.
    ///
    /// - Throws: Which two are the same file; nothing has been read or written by then.
    func refuseOverlaps(
        inputs: [LogInput], lists: [String] = [], store: String?, stores: [String], output: Destination,
        patch: String? = nil
    ) throws {
        func refuse(_ option: String, _ path: String, _ files: [FileIdentity]) throws {
            func isAmong(_ file: FileIdentity?) -> Bool { file.map(files.contains) ?? false }
            let texts = [
                ("the settings file", [file?.path].compactMap(\.self)), ("the file of --policy", paths(of: \.policy)),
                ("the file of --inventory", paths(of: \.inventory)),
                ("the file of --function", lists),
            ]
            if let text = texts.first(where: { $0.1.contains { isAmong(FileIdentity($0)) } }) {
                throw overlap(option, path, "is also \(text.0)")
            }
            if let input = inputs.first(where: { isAmong(FileIdentity($0)) }) {
                let isPiped = input == .standardInput
                let name = isPiped ? "standard input" : "the input \(DisplayText(name: input.name).text)"
                throw overlap(option, path, "is also \(name)")
            }
        }
        if let store {
            try refuse("The store", store, NamedStore.files(of: store))
            let outputs = [("standard output", STDOUT_FILENO), ("standard error", STDERR_FILENO)]
            if let file = FileIdentity(store),
                let (name, _) = outputs.first(where: { FileIdentity(descriptor: $0.1) == file })
            {
                throw overlap("The store", store, "is also \(name)")
            }
        }
        let stores = [store].compactMap(\.self) + stores + paths(of: \.store)
        var replaced: FileIdentity?
        for (option, path) in [("--patch", patch), ("--output", output.path)] {
            guard let path, let file = FileIdentity(path) else { continue }
            if let store = stores.first(where: { NamedStore.files(of: $0).contains(file) }) {
                throw overlap(option, path, "belongs to the store \(DisplayText(name: store).text)")
            }
            if file == replaced { throw overlap(option, path, "is also the file of --patch") }
            try refuse(option, path, [file])
            replaced = file
        }
    }

    private func overlap(_ option: String, _ path: String, _ clash: String) -> ValidationError {
        ValidationError(
            "\(option) \(DisplayText(name: path).text) \(clash). Nothing was read or written; name another file.")
    }
}

/// The regular file that a path leads to, links followed, whether or not it exists yet.
///
/// Paths with equal identities name the same file. The path of an output that is not a regular file, such as a pipe or
/// a device, has no identity: writing to it loses nothing.
enum FileIdentity: Hashable {
    case existing(device: dev_t, inode: ino_t)
    /// A file that would be created under this name in this directory.
    case missing(device: dev_t, directory: ino_t, name: [CChar])

    /// Nil as well when the directory does not exist.
    init?(_ path: String) {
        if let status = FileSystem.status(of: SystemPath(path).characters) {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            self = .existing(device: status.st_dev, inode: status.st_ino)
            return
        }
        guard let target = ReplacedFile.followed(path),
            let directory = FileSystem.status(of: SystemPath(ReplacedFile.directory(of: target)).characters)
        else { return nil }
        let name = target.split(separator: "/").last ?? ""
        self = .missing(
            device: directory.st_dev, directory: directory.st_ino, name: SystemPath(String(name)).characters)
    }

    /// The regular file that a descriptor writes to.
    init?(descriptor: Int32) {
        guard let status = FileSystem.status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else { return nil }
        self = .existing(device: status.st_dev, inode: status.st_ino)
    }

    /// Identifies the file that an input is read from, or the pipe; for standard input the one it is redirected from.
    init?(_ input: LogInput) {
        guard
            let status = input.path.map({ FileSystem.status(of: $0.characters) }) ?? FileSystem.status(of: STDIN_FILENO)
        else { return nil }
        self = .existing(device: status.st_dev, inode: status.st_ino)
    }
}
