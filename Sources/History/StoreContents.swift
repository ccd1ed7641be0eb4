package import Entries
package import Verifications

package struct StoreContents: Sendable {
    package struct Input: Sendable {
        /// The hash that identifies the source: the same for the same contents, under any name and in any compression.
        package let contents: UInt64
        package let file: SourceFile
        package let addedAt: Instant
        package let input: InputSummary
        package let verifications: Int
        package let isGone: Bool
    }

    package struct Day: Sendable {
        package let day: Verifications.Day
        package let verifications: Int
        package let functions: Int
    }

    /// In the order in which they were added, and of their names.
    package var inputs: [Input] = []
    package var days: [Day] = []
    package var dayless = 0
    package var functions = 0
    package var retentionDays = 0
    /// The first day that is kept, of each project of which something was deleted.
    package var firstDays: [(project: String, day: Verifications.Day)] = []
    package var bytes = 0
    package var revision = 0
}

extension Store {
    package func functionNames() throws(StoreFailure) -> [String] {
        try read { Set(try $0.catalogue.names.values.compactMap(\.identity?.name)).sorted() }
    }

    /// Lists what is there; all of it is read, and unpacked where parts may share entries.
    package func contents() throws(StoreFailure) -> StoreContents {
        try read { try $0.contents() }
    }
}

extension StoreTransaction {
    fileprivate func contents() throws -> StoreContents {
        var contents = StoreContents()
        let names = try catalogue.names
        (contents.revision, contents.bytes) = (root.revision, try bytes)
        contents.retentionDays = root.retentionDays ?? Store.defaultRetentionDays
        var functions: [DayIndex: Set<UInt64>] = [:]
        try forEachSource { source in
            contents.inputs.append(
                StoreContents.Input(
                    contents: source.contents, file: source.file, addedAt: source.addedAt, input: source.stored,
                    verifications: source.ledger.verifications, isGone: source.isGone))
            for (function, records) in source.ledger.services {
                for day in records.verifiedDays { functions[day, default: []].insert(function) }
            }
        }
        contents.inputs.sort { ($0.addedAt, ExactName($0.file.name)) < ($1.addedAt, ExactName($1.file.name)) }
        contents.functions = functions.values.reduce(into: Set()) { $0.formUnion($1) }.count
        for day in root.days.keys.sorted() {
            let verifications = try PackedPart.distinct(in: Array(DayParts.read(day, db, root).values))
            if let date = day.day {
                let count = functions[day]?.count ?? 0
                contents.days.append(StoreContents.Day(day: date, verifications: verifications, functions: count))
            } else {
                contents.dayless = verifications
            }
        }
        let projects = Set(names.values.compactMap(\.project)).sorted()
        contents.firstDays = projects.compactMap { project in
            let first = root.floors[project]
            return first.number > 0 ? first.day.map { (project.text, $0) } : nil
        }
        return contents
    }
}
