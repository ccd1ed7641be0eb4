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
        /// The number of the input that replaces this damaged one: an intact copy, or at least a longer one, or the
        /// one that it is a copy of.
        package let replacedBy: Int?
    }

    /// One day, of all functions together.
    package struct Day: Sendable {
        package let day: Verifications.Day
        package var verifications = 0
        package var functions = 0
        /// Of verifications, and of the executions that wrote them.
        package var fingerprints = 0
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

extension HistoryStore {
    /// The names of all functions, each once, ascending.
    package func functionNames() throws(HistoryFailure) -> [String] {
        try attempt {
            try queue.read { db in Set(try StoreTransaction(db).rows(FunctionRow.self).map(\.identity.name)).sorted() }
        }
    }

    /// Lists what is there.
    package func contents() throws(HistoryFailure) -> StoreContents {
        try attempt {
            try queue.read { db in
                let store = try StoreTransaction(db)
                var contents = StoreContents()
                contents.revision = store.settings.revision
                contents.retentionDays = store.settings.retentionDays
                contents.sealedBefore = store.settings.firstOpenDay
                contents.functions = Set(try store.rows(FunctionRow.self).map(\.identity)).count
                contents.bytes = try HistoryStore.bytes(db)
                contents.inputs = try store.listedInputs()
                contents.days = try store.days()
                contents.dayless = try store.rows(DaylessRow.self).reduce(0) { $0 + $1.counts.total }
                return contents
            }
        }
    }
}

extension HistoryStore {
    /// Bytes on disk, without what other processes are writing.
    static func bytes(_ db: Database) throws -> Int {
        try ["page_count", "page_size"].reduce(1) { product, name in
            try product * (Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0)
        }
    }
}

extension StoreTransaction {
    fileprivate func listedInputs() throws -> [StoreContents.Input] {
        try inputs().map { row in
            StoreContents.Input(
                number: row.id, name: row.name, firstSeen: row.ingestedAt, size: row.size, summary: row.summary,
                replacedBy: try row.replacedBy.map { try standIn(for: $0) })
        }
    }

    fileprivate func days() throws -> [StoreContents.Day] {
        var days: [Day: StoreContents.Day] = [:]
        let identities = Dictionary(uniqueKeysWithValues: try rows(FunctionRow.self).map { ($0.id, $0.identity) })
        var functions: [Day: Set<FunctionIdentity>] = [:]
        for row in try rows(FunctionDayRow.self) {
            let day = row.tally.day
            days[day, default: StoreContents.Day(day: day)].verifications += row.tally.counts.total
            if let identity = identities[row.function] { functions[day, default: []].insert(identity) }
        }
        for (day, functions) in functions { days[day]?.functions = functions.count }
        for segment in try rows(SegmentRow.self) {
            guard let day = segment.day.map(Verifications.Day.init(number:)) else { continue }
            days[day]?.fingerprints += segment.hashCount
        }
        return days.values.sorted { $0.day < $1.day }
    }
}
