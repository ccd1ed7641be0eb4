internal import Entries
internal import GRDB

package enum StoreFailure: Error, Equatable {
    case missing
    case folderIsMissing
    case isEmpty
    case isDirectory
    case isNoFile
    case isBrokenLink
    case isLinkLoop
    case nameIsTooLong
    case isNoStore
    case isOfAnotherProgram
    case isOfAnotherVersion(isNewer: Bool)
    case isDamaged(String)
    case isBusy
    /// Somebody who was writing to it under another name did not come to the end.
    case isInterrupted
    /// A write-ahead log is next to it.
    case hasForeignLog
    case isReadOnly
    case isFull
    case cannotBeOpened
    case failed(String)

    /// A row that callcheck did not write like this, or that is missing.
    static func damaged(_ table: StoreTable) -> StoreFailure { .isDamaged("table \(table.name)") }

    /// Puts what went wrong in the database, or in reading its rows, into our terms.
    package init(_ error: any Error) {
        switch error {
        case let failure as StoreFailure: self = failure
        case is RowDecodingError, is DecodingError, is MalformedBytes: self = .isDamaged("a row")
        case let error as DatabaseError: self = StoreFailure.cause(of: error)
        default: self = .failed("\(error)")
        }
    }

    private static func cause(of error: DatabaseError) -> StoreFailure {
        switch error.resultCode {
        case .SQLITE_NOTADB: .isNoStore
        case .SQLITE_BUSY, .SQLITE_LOCKED: .isBusy
        case .SQLITE_READONLY, .SQLITE_PERM: .isReadOnly
        case .SQLITE_FULL: .isFull
        case .SQLITE_CANTOPEN, .SQLITE_AUTH: .cannotBeOpened
        // What callcheck asks for is right for the tables it made: where SQLite disagrees, they are not those tables.
        case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_FORMAT, .SQLITE_TOOBIG:
            .isDamaged(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        default: .failed(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }
}

extension StoreFailure {
    private static let permissions = """
        check the permissions of the file and its folder. If a file that ends in -journal is next to it, a run was \
        interrupted, and the next one must be allowed to write
        """

    package var message: String {
        switch self {
        case .missing: "there is no such store; callcheck store add makes one"
        case .folderIsMissing: "its folder does not exist; create it first, or correct the path"
        case .isEmpty: "the file is empty; callcheck store add turns it into a store"
        case .isDirectory: "is a directory; name the file that holds the store"
        case .isNoFile: "is a pipe or a device, and a store is a file; name the file"
        case .isBrokenLink: "is a symbolic link that leads nowhere; name the file itself"
        case .isLinkLoop: "is a symbolic link that leads in a circle; name the file itself"
        case .nameIsTooLong: "the name is too long for SQLite, which makes files next to it; choose a shorter one"
        case .isNoStore:
            "is not a callcheck store and was left unchanged. Name logs after the store, and without --store"
        case .isOfAnotherProgram:
            "is another program's SQLite database, not a callcheck store; it was left unchanged"
        case .isOfAnotherVersion(let isNewer):
            "was made by \(isNewer ? "a newer" : "an older") callcheck, which keeps other tables; it was left unchanged. "
                + "Make a new store: callcheck store add NEW.db LOG..."
        case .isDamaged(let what):
            "the store is damaged (\(what)). Restore a copy of it, or make a new one: callcheck store add NEW.db LOG..."
        case .isBusy:
            "another program has held the store for ten minutes; try again when it is done"
        case .isInterrupted:
            "a run that was interrupted opened this file under another name, such as a hard link or a mount, and only "
                + "that name can finish it: callcheck store compact OTHER-NAME. If it is gone, make a new store: "
                + "callcheck store add NEW.db LOG..."
        case .hasForeignLog:
            "a file that ends in -wal is next to it, which callcheck does not make. If another program has the store "
                + "open, end it; else move that file away"
        case .isReadOnly:
            "cannot be written to; \(StoreFailure.permissions)"
        case .isFull:
            "the disk is full. Make room and run again: what the store has by now is not added twice"
        case .cannotBeOpened:
            "cannot be opened; \(StoreFailure.permissions)"
        case .failed(let what):
            "the store cannot be used: \(what); fix the cause and run again, or restore a copy of the store"
        }
    }
}
