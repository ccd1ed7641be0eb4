internal import Entries
internal import Foundation
internal import GRDB
package import Platform
internal import Synchronization
internal import Verifications

/// How long to wait while another program has a store, and what to do meanwhile.
package struct Patience: Sendable {
    /// One input may take minutes.
    package static let usual = Duration.seconds(600)

    package var limit = usual
    /// Called once, if it takes longer than two seconds.
    package var isWaiting: @Sendable () -> Void = {}

    package init() {}

    /// What SQLite asks each time that it finds a lock: whether to try again.
    fileprivate var handler: Database.BusyMode {
        let wait = WaitState()
        return .callback { tries in
            usleep(10_000)
            return wait.state.withLock { wait in
                if tries == 0 { wait.start = .now }
                let waited = ContinuousClock.now - wait.start
                if waited > .seconds(2), !wait.isTold {
                    isWaiting()
                    wait.isTold = true
                }
                return waited < limit
            }
        }
    }

    private final class WaitState: Sendable { let state = Mutex((start: ContinuousClock.now, isTold: false)) }
}

struct StoreFile {
    private let path: SystemPath
    private let patience: Patience

    /// The longest name and path that SQLite can open, in bytes, without the endings of the files next to it.
    private static let longestName = 255 - endingLength
    private static let longestPath = 511 - endingLength
    private static let endingLength = "-journal".utf8.count

    init(_ path: String, _ patience: Patience) throws(StoreFailure) {
        (self.path, self.patience) = (SystemPath(path), patience)
        guard !path.isEmpty else { throw StoreFailure.missing }
    }

    func open(for access: Store.Access, _ newKey: HashKey) throws -> (DatabaseQueue, StoreName) {
        let exists = try isThere()
        guard exists || access == .adding || access == .trying else { throw StoreFailure.missing }
        guard exists || access == .adding else { return try copy(of: nil, newKey) }
        let isNew = exists ? false : try makeFile()
        do {
            let name = try name()
            // Where nothing may be written, SQLite opens it for reading. Whoever comes first undoes what a process has
            // left half done.
            let queue = try connect { if access == .reading { try $0.execute(sql: "PRAGMA query_only = 1") } }
            let isStore = try StoreFailure.retried { try queue.read { try StoreFormat.isStore($0, as: name) } }
            switch access {
            case .trying: return try copy(of: isStore ? queue : nil, newKey)
            case .adding where !isStore: try StoreFailure.retried { try make(queue, name, newKey) }
            case _ where !isStore: throw StoreFailure.isEmpty
            case .rehearsing: return try copy(of: queue, newKey)
            case .reading: break
            case .adding, .upkeep:
                // Better now than after an hour of reading.
                guard FileSystem.permits(path.characters, W_OK) else { throw StoreFailure.isReadOnly }
            }
            return (queue, name)
        } catch {
            // A page has no table yet.
            if isNew, let status = FileSystem.status(of: path.characters), status.st_size <= 4096 {
                FileSystem.remove(path.characters)
            }
            throw error
        }
    }

    /// Makes the tables, all of them or none; if several do so at once, all but one find them made.
    private func make(_ queue: DatabaseQueue, _ name: StoreName, _ key: HashKey) throws {
        try queue.inDatabase { db in
            try db.alone(as: name, makes: true) {
                if try !StoreFormat.isStore(db, as: name) { try StoreFormat.make(db, key) }
            }
        }
    }

    private func name() throws(StoreFailure) -> StoreName {
        guard let whole = FileSystem.absolute(path.characters), let end = whole.lastIndex(of: UInt8(ascii: "/")),
            let folder = FileSystem.status(of: whole[...end].map { CChar(bitPattern: $0) } + [0])
        else { throw StoreFailure.cannotBeOpened }
        // callcheck makes none, and SQLite would take what is in it for newer than the store.
        let log = (whole + Array("-wal".utf8)).map { CChar(bitPattern: $0) } + [0]
        guard FileSystem.status(ofLink: log) == nil else { throw StoreFailure.hasForeignLog }
        let place = (device: UInt64(truncatingIfNeeded: folder.st_dev), inode: UInt64(folder.st_ino))
        return StoreName(whole[(end + 1)...], folder: place)
    }

    private func isThere() throws(StoreFailure) -> Bool {
        guard let status = FileSystem.status(of: path.characters) else {
            switch errno {
            case ENOENT where FileSystem.status(ofLink: path.characters) != nil: throw StoreFailure.isBrokenLink
            case ENOENT: return false
            case ELOOP: throw StoreFailure.isLinkLoop
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
    private func copy(of store: DatabaseQueue?, _ newKey: HashKey) throws -> (DatabaseQueue, StoreName) {
        // SQLite takes a database without a name for a temporary one, and removes it in the end.
        let (copy, name) = (try DatabaseQueue(path: "", configuration: configuration()), StoreName([], folder: (0, 0)))
        try store?.backup(to: copy)
        try copy.inDatabase { db in
            if store == nil { try StoreFormat.make(db, newKey) }
            try StoreFormat.sign(db, nil)
        }
        return (copy, name)
    }

    private func connect(_ prepare: @escaping @Sendable (Database) throws -> Void) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.prepareDatabase(prepare)
        return try DatabaseQueue(path: "\(address)?mode=rw", configuration: configuration)
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

    private func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = patience.handler
        configuration.label = "callcheck.history"
        // A run reads within one transaction, from several threads in turn.
        configuration.allowsUnsafeTransactions = true
        return configuration
    }
}

extension Store {
    /// True for a file that begins as SQLite's do (<https://www.sqlite.org/fileformat2.html#magic_header_string>).
    ///
    /// Not to be asked while the process has the store open: closing the file would drop SQLite's locks on it.
    package static func isStore(_ path: SystemPath) -> Bool {
        let magic = Array("SQLite format 3".utf8)
        return FileSystem.beginning(of: path.characters, atMost: magic.count) == magic
    }
}
