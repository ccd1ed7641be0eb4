import Glibc
import LogStream

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
