internal import Foundation
internal import GRDB
package import Platform
internal import Verifications

struct StoreFile {
    private let path: SystemPath

    /// How long to wait for another writer, in seconds: one input may take minutes.
    static let patience = 600
    /// The longest name and path that SQLite can open, in bytes, without the endings of the files next to it.
    private static let longestName = 255 - endingLength
    private static let longestPath = 511 - endingLength
    private static let endingLength = "-journal".utf8.count

    init(_ path: String) throws(StoreFailure) {
        self.path = SystemPath(path)
        guard !path.isEmpty else { throw StoreFailure.missing }
    }

    func open(for access: Store.Access, _ newKey: HashKey) throws -> (DatabaseQueue, UnlockedFile?) {
        let exists = try isThere()
        guard exists || access == .adding || access == .trying else { throw StoreFailure.missing }
        switch access {
        case .reading, .rehearsing:
            let (queue, file) = try openForReading()
            guard try queue.read(StoreFormat.isStore) else { throw StoreFailure.isEmpty }
            return (access == .reading ? queue : try copy(of: queue, newKey), file)
        case .trying:
            guard exists else { return (try copy(of: nil, newKey), nil) }
            let (queue, file) = try openForReading()
            return (try copy(of: queue.read(StoreFormat.isStore) ? queue : nil, newKey), file)
        case .upkeep:
            let queue = try connect("rw")
            guard try queue.read(StoreFormat.isStore) else { throw StoreFailure.isEmpty }
            try prepare(queue, newKey)
            return (queue, nil)
        case .adding:
            let isNew = exists ? false : try makeFile()
            do {
                let queue = try connect("rw")
                try prepare(queue, newKey)
                return (queue, nil)
            } catch {
                if isNew, FileSystem.status(of: path.characters)?.st_size == 0 { FileSystem.remove(path.characters) }
                throw error
            }
        }
    }

    private func isThere() throws(StoreFailure) -> Bool {
        guard let status = FileSystem.status(of: path.characters) else {
            switch errno {
            case ENOENT where FileSystem.status(ofLink: path.characters) != nil: throw StoreFailure.isBrokenLink
            case ENOENT: return false
            case ENOTDIR: throw StoreFailure.folderIsMissing
            case ENAMETOOLONG: throw StoreFailure.nameIsTooLong
            default: throw StoreFailure.cannotBeOpened
            }
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw StoreFailure.isDirectory
        // Opening a pipe could take for ever.
        default: throw StoreFailure.isNoFile
        }
        try verifyLength()
        return true
    }

    private func verifyLength() throws(StoreFailure) {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let bytes = path.characters.dropLast()
        let name = bytes.split(separator: slash).last ?? []
        let folder =
            Array(bytes.dropLast(name.count)) + (bytes.contains(slash) ? [] : [CChar(bitPattern: UInt8(ascii: "."))])
        let length = FileSystem.absolute(folder + [0]).map { $0.count + 1 + name.count } ?? 0
        guard name.count <= StoreFile.longestName, length <= StoreFile.longestPath else {
            throw StoreFailure.nameIsTooLong
        }
    }

    /// Makes an empty file that only its owner can read, as a store names functions and projects.
    ///
    /// SQLite gives the files next to it the same rights. False where another process was faster.
    private func makeFile() throws(StoreFailure) -> Bool {
        try verifyLength()
        let descriptor = FileSystem.descriptor(of: path.characters, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        guard descriptor < 0 else {
            close(descriptor)
            return true
        }
        switch errno {
        case EEXIST: return false
        case ENOENT: throw StoreFailure.folderIsMissing
        case ENOSPC, EDQUOT: throw StoreFailure.isFull
        case EROFS: throw StoreFailure.isReadOnly
        default: throw StoreFailure.cannotBeOpened
        }
    }

    /// A store that is thrown away in the end, with what is in another one, if any.
    private func copy(of store: DatabaseQueue?, _ newKey: HashKey) throws -> DatabaseQueue {
        // SQLite takes a database without a name for a temporary one, and removes it in the end.
        let copy = try DatabaseQueue(path: "", configuration: StoreFile.configuration())
        try store?.backup(to: copy)
        try StoreFormat.make(copy, newKey)
        return copy
    }

    /// Opens a store that others may be writing to.
    ///
    /// If the store is writable, SQLite first undoes what a process has left half done. SQLite makes files next to a
    /// database in WAL mode, even to read it. Where it cannot, and none is there, all of the store is in its one file.
    private func openForReading() throws -> (DatabaseQueue, UnlockedFile?) {
        do {
            let queue = try connect("rw") { try $0.execute(sql: "PRAGMA query_only = 1") }
            _ = try queue.read(StoreFormat.isStore)
            return (queue, nil)
        } catch let error as DatabaseError {
            guard [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode), let file = UnlockedFile(path)
            else { throw error }
            return (try connect("ro&immutable=1"), file)
        }
    }

    private func connect(_ mode: String, _ prepare: (@Sendable (Database) throws -> Void)? = nil) throws
        -> DatabaseQueue
    {
        var configuration = StoreFile.configuration()
        if let prepare { configuration.prepareDatabase(prepare) }
        return try DatabaseQueue(path: "\(address)?mode=\(mode)", configuration: configuration)
    }

    /// The path as a URI, which SQLite turns into the same bytes, and takes for nothing but a file.
    private var address: String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-".utf8)
        let bytes = path.characters.dropLast().map { UInt8(bitPattern: $0) }
        let name = bytes.map { byte in
            plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return (bytes.first == UInt8(ascii: "/") ? "file://" : "file:./") + name.joined()
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(patience))
        configuration.label = "callcheck.history"
        // A run reads within one transaction, from several threads in turn.
        configuration.allowsUnsafeTransactions = true
        return configuration
    }

    private func prepare(_ queue: DatabaseQueue, _ newKey: HashKey) throws {
        var attempts = 0
        while true {
            do {
                _ = try queue.read(StoreFormat.isStore)
                try queue.inDatabase { db in
                    try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
                }
                return try StoreFormat.make(queue, newKey)
            } catch let error as DatabaseError where attempts < 100 {
                guard [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode)
                else { throw error }
                attempts += 1
                usleep(50_000)
            }
        }
    }
}

extension Store {
    /// True for a file that begins as SQLite's do (<https://www.sqlite.org/fileformat2.html#magic_header_string>).
    ///
    /// Not to be asked while the process has the store open: closing the file would drop SQLite's locks on it.
    package static func isStore(_ path: SystemPath) -> Bool {
        let magic = Array("SQLite format 3".utf8)
        guard let status = FileSystem.status(of: path.characters), status.st_mode & S_IFMT == S_IFREG else {
            return false
        }
        let descriptor = FileSystem.descriptor(of: path.characters, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return FileSystem.bytes(from: descriptor, atMost: magic.count) == magic
    }
}

/// A store that is read without locks, in a folder where nothing can be made for them.
///
/// SQLite assumes that such a file never changes, but its owner may still write to it. So the file is compared after
/// each read, and the result is dropped if it has changed.
struct UnlockedFile {
    private let path: SystemPath
    private let state: State

    /// Nil when a write-ahead log is next to it: what was written last is there.
    init?(_ path: SystemPath) {
        guard path.isReadable, let state = State(path) else { return nil }
        (self.path, self.state) = (path, state)
    }

    func check() throws(StoreFailure) {
        guard State(path) == state else { throw StoreFailure.isChanging }
    }

    private struct State: Equatable {
        private let file: ino_t
        private let size: off_t
        private let changed: [Int]

        init?(_ path: SystemPath) {
            let log = Array(path.characters.dropLast()) + "-wal".utf8.map { CChar(bitPattern: $0) } + [0]
            guard FileSystem.status(of: log).map({ $0.st_size == 0 }) ?? true,
                let status = FileSystem.status(of: path.characters)
            else { return nil }
            (file, size) = (status.st_ino, status.st_size)
            changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }
    }
}
