internal import Entries
internal import GRDB
internal import Readiness
package import Verifications

/// What a store holds, for its upkeep.
package struct StoreContents: Sendable {
    /// One input that was added.
    package struct Input: Sendable {
        package let number: Int
        /// What it was called when it was first added.
        package let name: String
        package let firstSeen: Instant
        /// As stored, in bytes.
        package let size: Int?
        /// What was read, with the problems that were kept.
        package let summary: InputSummary
        /// The number of the input that replaces this damaged one.
        package let replacedBy: Int?
    }

    /// One day, of all functions together.
    package struct Day: Sendable {
        package let day: Verifications.Day
        package var verifications = 0
        package var functions = 0
        /// Copies included; none of a sealed day.
        package var entries = 0
    }

    package var inputs: [Input] = []
    /// Days with a verification, ascending.
    package var days: [Day] = []
    /// Verifications that have no day.
    package var dayless = 0
    package var functions = 0
    package var retentionDays = 0
    /// Days before this one take no verifications any more.
    package var sealedBefore: Verifications.Day?
    /// Bytes on disk, without what other processes are writing.
    package var bytes = 0
    /// How often anything was changed.
    package var revision = 0
}

extension Store {
    /// The names of all functions, each once, ascending.
    package func functionNames() throws(StoreFailure) -> [String] {
        try read { Set(try StoredSet($0, self, jobs: 1).days.heads.names.values.map(\.name)).sorted() }
    }

    /// Lists what is there.
    package func contents() throws(StoreFailure) -> StoreContents {
        try read { store in
            var contents = StoreContents()
            contents.revision = store.settings.revision
            contents.retentionDays = store.settings.retentionDays
            contents.sealedBefore = store.settings.firstOpenDay
            contents.bytes = try Store.bytes(store.db)
            contents.inputs = try store.listedInputs(self)
            let stored = try StoredSet(store, self, jobs: 1)
            contents.functions = Set(stored.days.heads.names.values).count
            let days = Set(stored.days.sealed.sums.keys).union(stored.days.days.filter(store.isOpen))
            for day in days.sorted() {
                let sums = try stored.sums(of: day)
                guard let day = day.day else {
                    contents.dayless += sums.verifications
                    continue
                }
                contents.days.append(
                    StoreContents.Day(
                        day: day, verifications: sums.verifications, functions: sums.functionCount,
                        entries: stored.parts.verifications[DayIndex(day), default: 0]))
            }
            contents.days.removeAll { $0.verifications == 0 }
            return contents
        }
    }

    /// Bytes on disk, without what other processes are writing.
    static func bytes(_ db: Database) throws -> Int {
        try ["page_count", "page_size"].reduce(1) { product, name in
            try product * (Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0)
        }
    }
}

extension StoreTransaction {
    fileprivate func listedInputs(_ store: Store) throws -> [StoreContents.Input] {
        let rows = try rows(SourceRow.self)
        let standIns = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.replacedBy) })
        return try rows.map { row in
            var (standIn, seen) = (row.replacedBy, Set<Int>())
            while let number = standIn, seen.insert(number).inserted, let next = standIns[number] ?? nil {
                standIn = next
            }
            return StoreContents.Input(
                number: row.id, name: row.name.text, firstSeen: row.ingestedAt, size: row.size,
                summary: row.summary(of: try row.head(hash: store.hash)), replacedBy: standIn)
        }
    }
}
