internal import Foundation
internal import Platform

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

    /// - Throws: ``StoreFailure`` when somebody has written to it.
    func check() throws(StoreFailure) {
        guard State(path) == state else { throw StoreFailure(.isChanging) }
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
