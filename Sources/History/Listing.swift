internal import Entries
package import Verifications

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
        let catalogue = try catalogue
        contents.bytes = try bytes
        contents.retentionDays = root.retentionDays ?? Store.defaultRetentionDays
        var functions: [DayIndex: Set<UInt64>] = [:]
        for source in catalogue.sortedSources {
            contents.inputs.append(
                StoreContents.Input(
                    file: source.file, addedAt: source.addedAt, summary: source.stored,
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
                contents.days.append((date, verifications, functions[day]?.count ?? 0))
            } else {
                contents.dayless = verifications
            }
        }
        let projects = Set(catalogue.names.values.compactMap(\.project)).sorted()
        contents.firstDays = projects.compactMap { project in
            let first = root.floors[project]
            return first.number > 0 ? first.day.map { (project.text, $0) } : nil
        }
        return contents
    }
}
