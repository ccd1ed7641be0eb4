package import Entries
internal import GRDB
internal import Verifications

extension Store {
    /// Hands out all that the store holds, as it is at one moment.
    ///
    /// - Parameter body: Uses it; parts are to be loaded within, on any thread.
    /// - Returns: What `body` returns.
    /// - Throws: ``StoreFailure`` when anything that is read is not what was written, and what `body` throws.
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
        try attempt {
            try queue.inDatabase { try $0.rollback() }
            try unlocked?.check()
        }
        return try result.get()
    }

    private func stored(_ db: Database) throws -> StoredEntries {
        let store = try StoreTransaction(db)
        var sources: [SourceRecord] = []
        let catalogue = try Catalogue(store) { if $0.replacedBy == nil { sources.append($0) } }
        let root = store.root
        return StoredEntries(
            sources: sources, names: catalogue.names, versions: catalogue.versions, days: root.days.keys.sorted()
        ) { day in
            try self.attempt { try self.queue.inDatabase { Array(try DayParts.read(day, $0, root).values) } }
        }
    }
}
