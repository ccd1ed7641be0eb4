import ArgumentParser
import LogStream
import Platform
import Reports

/// The files that a command line names, to make sure that the run does not overwrite one that it needs.
struct RunFiles {
    var inputs: [LogInput] = []
    /// The settings file, the policy and the inventory, each with the name to call it by.
    var texts: [(role: String, path: String?)] = []
    var store: String?
    var output: Destination
    /// `--patch`.
    var patch: String?

    /// - Throws: Which two are the same file; nothing has been read or written by then.
    func refuseOverlaps() throws {
        let storeFiles = store.map(StoreFile.files) ?? []
        if let store { try refuse("--store", store, storeFiles) }
        var replaced: FileIdentity?
        if let patch, let file = FileIdentity(patch) {
            if storeFiles.contains(file) { throw overlap("--patch", patch, "belongs to --store") }
            try refuse("--patch", patch, [file])
            replaced = file
        }
        guard case .file(let path) = output, let file = FileIdentity(path) else { return }
        if storeFiles.contains(file) { throw overlap("--output", path, "belongs to --store") }
        if file == replaced { throw overlap("--output", path, "is also the file of --patch") }
        try refuse("--output", path, [file])
    }

    /// Rejects an option that would write to a file that is only read.
    private func refuse(_ option: String, _ path: String, _ files: [FileIdentity]) throws {
        func isAmong(_ file: FileIdentity?) -> Bool { file.map(files.contains) ?? false }
        if let text = texts.first(where: { isAmong($0.path.flatMap(FileIdentity.init)) }) {
            throw overlap(option, path, "is also \(text.role)")
        }
        if let input = inputs.first(where: { isAmong(FileIdentity($0)) }) {
            let isPiped = input == .standardInput
            let name = isPiped ? "standard input" : "the input \(DisplayText(name: input.name).text)"
            throw overlap(option, path, "is also \(name)")
        }
    }

    private func overlap(_ option: String, _ path: String, _ clash: String) -> ValidationError {
        ValidationError(Messages.overlap(option, path, clash))
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
        if let status = FileIdentity.status(of: SystemPath(path)) {
            self.init(status)
            return
        }
        guard let target = ReplacedFile.followed(path),
            let directory = FileIdentity.status(of: SystemPath(ReplacedFile.directory(of: target)))
        else { return nil }
        let name = target.split(separator: "/").last ?? ""
        self = .missing(
            device: directory.st_dev, directory: directory.st_ino, name: SystemPath(String(name)).characters)
    }

    /// The file that an input is read from; for standard input the one that it is redirected from.
    init?(_ input: LogInput) {
        var status = stat()
        if let path = input.path {
            guard let found = FileIdentity.status(of: path) else { return nil }
            status = found
        } else {
            // Safe: fills the structure it is given.
            guard unsafe fstat(STDIN_FILENO, &status) == 0 else { return nil }
        }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self = .existing(device: status.st_dev, inode: status.st_ino)
    }

    private static func status(of path: SystemPath) -> stat? {
        var status = stat()
        // Safe: the characters end in NUL, and the structure is filled.
        return unsafe stat(path.characters, &status) == 0 ? status : nil
    }
}
