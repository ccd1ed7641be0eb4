import Analysis
import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Reports

extension Settings {
    /// Decides for all commands which files no output may replace: those that the run reads, and every store, policy and
    /// inventory that an option, the environment or the settings name.
    ///
    /// - Throws: Which two are the same file; nothing has been read or written by then.
    func refuseOverlaps(
        inputs: [LogInput], list: String? = nil, store: String?, output: Destination, patch: String? = nil
    ) throws {
        func refuse(_ option: String, _ path: String, _ files: [FileIdentity]) throws {
            func isAmong(_ file: FileIdentity?) -> Bool { file.map(files.contains) ?? false }
            let texts = [
                ("the settings file", [file?.path].compactMap(\.self)), ("the file of --policy", paths(of: .policy)),
                ("the file of --inventory", paths(of: .inventory)),
                ("the file of --function-list", [list].compactMap(\.self)),
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
        if let store { try refuse("--store", store, StoreFile.files(of: store)) }
        let stores = [store].compactMap(\.self) + paths(of: .store)
        var replaced: FileIdentity?
        for (option, path) in [("--patch", patch), ("--output", output.path)] {
            guard let path, let file = FileIdentity(path) else { continue }
            if let store = stores.first(where: { StoreFile.files(of: $0).contains(file) }) {
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
/// Paths with equal identities name the same file. What is not a regular file, such as a pipe or a device, has no
/// identity: writing to it loses nothing.
enum FileIdentity: Hashable {
    case existing(device: dev_t, inode: ino_t)
    /// A file that would be created under this name in this directory.
    case missing(device: dev_t, directory: ino_t, name: [CChar])

    /// Nil as well when the directory does not exist.
    init?(_ path: String) {
        if let status = FileSystem.status(of: SystemPath(path).characters) {
            self.init(status)
            return
        }
        guard let target = ReplacedFile.followed(path),
            let directory = FileSystem.status(of: SystemPath(ReplacedFile.directory(of: target)).characters)
        else { return nil }
        let name = target.split(separator: "/").last ?? ""
        self = .missing(
            device: directory.st_dev, directory: directory.st_ino, name: SystemPath(String(name)).characters)
    }

    /// The file that an input is read from; for standard input the one that it is redirected from.
    init?(_ input: LogInput) {
        guard
            let status = input.path.map({ FileSystem.status(of: $0.characters) }) ?? FileSystem.status(of: STDIN_FILENO)
        else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self = .existing(device: status.st_dev, inode: status.st_ino)
    }
}

struct FoundInputs {
    private(set) var inputs: [LogInput] = []
    private(set) var emptyDirectories: [String] = []

    /// Takes the inputs named, or standard input, unless it is a terminal, where the run would wait forever.
    init(_ arguments: [String]) throws {
        guard !arguments.isEmpty else {
            guard !Terminal.isTerminal(STDIN_FILENO) else { throw ValidationError(Messages.noInput) }
            inputs = [.standardInput]
            return
        }
        for argument in arguments {
            let found = LogInput.expand([argument])
            if found.isEmpty { emptyDirectories.append(argument) }
            inputs += found
        }
    }

    private init() {}

    static let none = FoundInputs()

    /// Leaves out a store that was found in a directory; one that was named stays, and so does a log that is taken for
    /// a store.
    ///
    /// A store may lie in the folder of the logs, but reading it as a log would drop SQLite's locks on it.
    mutating func leaveOut(store: String) {
        guard !StoreFile.holdsOtherData(store) else { return }
        let files = StoreFile.files(of: store)
        inputs.removeAll { input in !input.isNamed && FileIdentity(input).map(files.contains) ?? false }
    }

    /// Bytes as stored, when all sizes are known.
    var size: Int? {
        let sizes = inputs.map(\.size)
        return sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
    }
}
