internal import GRDB

/// Why a store cannot be used.
public struct HistoryFailure: Error {
    enum Cause: Equatable {
        case missing
        /// The folder that the store would lie in.
        case folderIsMissing
        case isEmpty
        case isDirectory
        case isNoStore
        case isOfAnotherProgram
        case isNewer(version: Int)
        /// What was found to be wrong: a table, or SQLite's own words.
        case isDamaged(String)
        case isBusy
        case isReadOnly
        case isFull
        case cannotBeOpened
        case failed(String)
    }

    let path: String
    let cause: Cause

    /// True when there is no store at the path, so that nothing can be read.
    public var isMissingStore: Bool { cause == .missing }

    init(_ cause: Cause, at path: String) {
        self.cause = cause
        self.path = path
    }

    /// Puts what went wrong in the database, or in reading its rows, into our terms.
    init(_ error: any Error, at path: String) {
        self.path = path
        switch error {
        case let failure as HistoryFailure: cause = failure.cause
        case let damage as DamagedRow: cause = .isDamaged("table \(damage.table)")
        case let error as DatabaseError: cause = HistoryFailure.cause(of: error)
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
