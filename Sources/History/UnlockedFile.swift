internal import Foundation

/// A store that is read without locks, in a folder where nothing can be made for them.
///
/// SQLite assumes that such a file never changes, but its owner may still write to it. So the file is compared after
/// each read, and the result is dropped if it has changed.
struct UnlockedFile {
    private let path: String
    private let state: State
    /// What SQLite opens.
    let uri: String

    /// Nil when a write-ahead log is next to it: what was written last is there.
    init?(_ path: String) {
        let kept = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/._-"))
        guard FileManager.default.isReadableFile(atPath: path), let state = State(path),
            let name = path.addingPercentEncoding(withAllowedCharacters: kept)
        else { return nil }
        (self.path, self.state) = (path, state)
        uri = (name.hasPrefix("/") ? "file://" : "file:") + name + "?immutable=1"
    }

    /// - Throws: ``StoreFailure`` when somebody has written to it.
    func check() throws {
        guard State(path) == state else { throw StoreFailure(.isChanging, at: path) }
    }

    private struct State: Equatable {
        let file: Int?
        let size: Int?
        let changed: Date?

        init?(_ path: String) {
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
            guard log == nil || log?[.size] as? Int == 0,
                let found = try? FileManager.default.attributesOfItem(atPath: path)
            else { return nil }
            file = found[.systemFileNumber] as? Int
            size = found[.size] as? Int
            changed = found[.modificationDate] as? Date
        }
    }
}
