package import Entries
internal import Foundation
internal import GRDB
package import Verifications

/// The entries read of logs, each once, in an SQLite database.
///
/// ```
/// root       fingerprint key, retention, first days kept; how many rows there are, and what their checksums come to
/// sources    what is known of each source
/// names      of functions and services
/// clients    apps, versions and sites that callers tell
/// parts      entries of a UTC day, packed
/// answers    what the last two reports answered
/// ```
///
/// Nothing that can be derived is kept: an answer is made as if all entries had been read in one run. The root
/// knows the sum of all rows' checksums, so that damage is noticed by whoever reads what it has changed.
package final class Store {
    package enum Access {
        case reading
        /// Adding to it; a store that does not exist is made.
        case adding
        /// Trying what adding would do; nothing is written, and no store is made.
        case trying
        /// Trying what upkeep would do; nothing is written.
        case rehearsing
        case upkeep
    }

    let queue: DatabaseQueue
    private let name: StoreName
    /// Makes fingerprints that are comparable with those of the store.
    package let key: HashKey
    private var catalogue: Catalogue?

    /// Opens a store, or a copy of it in a temporary file where things are only tried.
    ///
    /// - Parameters:
    ///   - path: The file, as it was typed.
    ///   - access: What it is opened for.
    ///   - newKey: The key of fingerprints for as long as the store lives, where it is made.
    ///   - patience: For how long to wait while somebody else has the store.
    /// - Throws: ``StoreFailure`` for what is not a store, is damaged, or belongs to another version of callcheck.
    package init(
        path: String, access: Access, newKey: HashKey = .standard, patience: Patience = Patience()
    ) throws(StoreFailure) {
        do {
            (queue, name) = try StoreFile(path, patience).open(for: access, newKey)
            key = try queue.read { try StoreRoot($0).key }
        } catch {
            throw StoreFailure(error)
        }
    }

    func attempt<Value>(_ step: () throws -> Value) throws(StoreFailure) -> Value {
        do {
            return try StoreFailure.retried(step)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Runs a step that reads the tables as they are at one moment.
    func read<Value>(_ step: (StoreTransaction) throws -> Value) throws(StoreFailure) -> Value {
        try attempt {
            try queue.read { db in
                let store = try StoreTransaction(db, as: name, known: catalogue)
                defer { catalogue = store.known }
                return try step(store)
            }
        }
    }

    /// Runs a step as one transaction, which waits until nobody else has the store.
    ///
    /// It is on disk when this returns. A dry run is undone in the end, as is a step that throws.
    func write<Value>(
        isDryRun: Bool = false, _ step: (StoreTransaction) throws -> Value
    ) throws(StoreFailure) -> Value {
        try attempt {
            try queue.inDatabase { db in
                let known = catalogue
                catalogue = nil
                let (result, found) = try db.alone(as: name, isDryRun: isDryRun) {
                    let store = try StoreTransaction(db, as: name, known: known)
                    return (try step(store), try store.close())
                }
                if !isDryRun { catalogue = found }
                return result
            }
        }
    }
}

extension Store {
    /// Hands out all that the store holds, as it is at one moment.
    ///
    /// Parts are to be loaded within `body`, on any thread.
    package func read<Value>(_ body: (StoredEntries) throws -> Value) throws -> Value {
        let entries = try attempt {
            try queue.inDatabase { db in
                try db.beginTransaction(.deferred)
                do { return try stored(db) } catch {
                    try db.rollback()
                    throw error
                }
            }
        }
        let result = Result { try body(entries) }
        try attempt { try queue.inDatabase { try $0.rollback() } }
        return try result.get()
    }

    private func stored(_ db: Database) throws -> StoredEntries {
        let store = try StoreTransaction(db, as: name)
        let (root, catalogue) = (store.root, try store.catalogue)
        return StoredEntries(
            sources: catalogue.sortedSources, names: catalogue.names, versions: catalogue.versions,
            days: root.days.keys.sorted()
        ) { day in
            try self.attempt { try self.queue.inDatabase { Array(try DayParts.read(day, $0, root).values) } }
        }
    }
}
