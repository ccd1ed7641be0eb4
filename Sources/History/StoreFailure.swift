internal import Entries
internal import GRDB

/// Why a store cannot be used.
package struct StoreFailure: Error {
    enum Cause: Equatable {
        case missing
        /// The folder that the store would be in.
        case folderIsMissing
        case isEmpty
        case isDirectory
        case isNoStore
        case isOfAnotherProgram
        case isNewer(version: Int)
        case isOlder
        /// What is wrong: a table, or SQLite's own message.
        case isDamaged(String)
        case isBusy
        /// Somebody has written to what is read without locks.
        case isChanging
        case isReadOnly
        case isFull
        case cannotBeOpened
        case failed(String)
    }

    let path: String
    let cause: Cause

    /// True when there is no store at the path, so that nothing can be read.
    package var isMissingStore: Bool { cause == .missing }

    init(_ cause: Cause, at path: String) {
        self.cause = cause
        self.path = path
    }

    /// Puts what went wrong in the database, or in reading its rows, into our terms.
    init(_ error: any Error, at path: String) {
        self.path = path
        switch error {
        case let failure as StoreFailure: cause = failure.cause
        case let damage as DamagedRow: cause = .isDamaged("table \(damage.table)")
        case is RowDecodingError, is MalformedBytes: cause = .isDamaged("a row")
        case let error as DatabaseError: cause = StoreFailure.cause(of: error)
        default: cause = .failed("\(error)")
        }
    }

    private static func cause(of error: DatabaseError) -> Cause {
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

/// The message for a store that cannot be used: what, why, and what to do next.
extension StoreFailure {
    /// A file that ends in -wal holds what was written last.
    private static let permissions = """
        check the permissions of the file and its folder. To read it where nothing may be written, copy it and its \
        -wal file to a folder of yours and name the copy
        """

    /// What to say after the store's name.
    package var message: String {
        switch cause {
        case .missing: "there is no such store; callcheck store add makes one"
        case .folderIsMissing: "its folder does not exist; create it first, or correct the path"
        case .isEmpty: "the file is empty; callcheck store add turns it into a store"
        case .isDirectory: "is a directory; name the file that holds the store"
        case .isNoStore:
            "is not a callcheck store and was left unchanged. Name logs after the store, and without --store"
        case .isOfAnotherProgram:
            "is another program's SQLite database, not a callcheck store; it was left unchanged"
        case .isNewer(let version):
            "was written by a newer callcheck (version \(version) of the tables, this one knows \(Schema.version)); "
                + "update callcheck"
        case .isOlder:
            "was made before callcheck 0.3, which keeps other tables; it was left unchanged. Add the exports to a new "
                + "store"
        case .isDamaged(let what):
            "the store is damaged (\(what)); nothing was changed or reported. Restore a copy of it, or add the exports to a "
                + "new store"
        case .isBusy:
            "another callcheck has been writing to the store for \(Store.patience) seconds; try again when it is done"
        case .isChanging:
            "another callcheck has written to the store while it was read, and nothing can be locked in its folder; run "
                + "again when it is done"
        case .isReadOnly:
            "cannot be written to; \(StoreFailure.permissions)"
        case .isFull:
            "the disk is full; the store is as it was before this input. Make room and run again"
        case .cannotBeOpened:
            "cannot be opened; \(StoreFailure.permissions)"
        case .failed(let what):
            "the store cannot be used: \(what); fix the cause and run again, or restore a copy of the store"
        }
    }
}
