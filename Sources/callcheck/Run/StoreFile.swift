import Glibc
import History
import Reports

/// Opens stores, and says what is wrong with them.
enum StoreFile {
    static func open(_ path: String, access: HistoryStore.Access) throws(Failure) -> HistoryStore {
        do throws(HistoryFailure) {
            return try HistoryStore(path: path, access: access)
        } catch {
            throw failure(error, path)
        }
    }

    /// True when something is there, whether or not it is a store.
    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// The store and the files that SQLite keeps next to it, whether or not they exist.
    static func files(of path: String) -> [FileIdentity] {
        let path = ReplacedFile.followed(path) ?? path
        return ["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(path + $0) }
    }

    /// What ends a command that cannot use its store.
    static func failure(_ failure: HistoryFailure, _ path: String) -> Failure {
        Failure(
            status: failure.isMissingStore ? .noInput : .inputOutput,
            message: "\(DisplayText(name: path).text): \(failure.message)")
    }
}
