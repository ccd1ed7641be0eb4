internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The parts of one day.
///
/// Sources share them: an entry is in one of them, whichever source it came with. Entries without any time stay apart:
/// they go with their source.
struct DayParts {
    private let day: DayIndex
    private let known: KnownDay
    private let store: StoreTransaction

    /// A day has at most as many small parts, in bytes; then they become one.
    private static let smallPart = 64 << 10
    private static let mostSmallParts = 8
    private static let numbers: Int64 = 1 << 20

    /// - Throws: ``StoreFailure`` unless the day is what was written.
    init(_ day: DayIndex, _ store: StoreTransaction) throws {
        let catalogue = try store.catalogue
        known = try catalogue.days[day] ?? KnownDay(DayParts.read(day, store.db, store.root))
        catalogue.days[day] = known
        (self.day, self.store) = (day, store)
    }

    static func read(_ day: DayIndex, _ db: Database, _ root: StoreRoot) throws -> [Int64: PackedPart] {
        var (parts, sum) = ([Int64: PackedPart](), StoreRoot.Sum())
        let first = Int64(day.number) * numbers
        let statement = try db.cachedStatement(sql: "SELECT id, bytes FROM parts WHERE id >= ? AND id < ?")
        let rows = try StoredRow.fetchCursor(statement, arguments: [first, first + numbers])
        while let row = try rows.next() {
            let part = try PackedPart(Array(row.bytes), of: day)
            sum.add(part.check)
            parts[row.id] = part
        }
        // In a damaged tree, a number may come twice.
        guard sum == root.days[day] ?? StoreRoot.Sum(), parts.count == sum.count else {
            throw StoreFailure.damaged(.parts)
        }
        return parts
    }

    /// The number of verifications, each once.
    var verifications: Int {
        get throws { try PackedPart.distinct(in: Array(DayParts.read(day, store.db, store.root).values)) }
    }

    /// Adds entries of a source, as far as there are no copies of them.
    ///
    /// - Returns: How many verifications are new.
    func add(_ entries: [UInt64: DayEntries], of source: UInt64 = 0) throws -> Int {
        guard source == 0 else { return try merge(entries, of: source) }
        var packed = PackedPart.pack(entries, of: day, source: 0)
        var count = entries.values.reduce(0) { $0 + $1.verifications }
        let near = known.parts.filter { $0.value.source == 0 && packed.contains(where: $0.value.overlaps) }
        if !near.isEmpty {
            for number in near.keys where !known.covered.contains(number) {
                for (function, entries) in try unpacked([number]) { known.entries.insert(entries, of: function) }
                known.covered.insert(number)
            }
            count = entries.reduce(0) { $0 + known.entries.lack($1.value, of: $1.key) }
            var (new, isLess) = (entries, false)
            for function in entries.keys where new[function]?.leaveOut(known.entries, of: function) ?? false {
                isLess = true
            }
            if isLess { packed = PackedPart.pack(new, of: day, source: 0) }
            for (function, entries) in new { known.entries.insert(entries, of: function) }
        }
        try insert(packed, isCovered: !near.isEmpty)
        try mergeSmallParts()
        try store.catalogue.trimDays()
        return count
    }

    /// Adds entries of a source to those that it has by itself: those that another store has kept.
    private func merge(_ entries: [UInt64: DayEntries], of source: UInt64) throws -> Int {
        let (before, former) = (try verifications, known.parts.filter { $0.value.source == source }.map(\.key))
        var all = try unpacked(former)
        for (function, more) in entries {
            all[function, default: DayEntries()].merge(more)
            all[function]?.removeCopies()
        }
        try remove(former)
        try insert(PackedPart.pack(all, of: day, source: source))
        return try verifications - before
    }

    /// Adds parts of another store, as they are where that is possible.
    ///
    /// - Returns: How many verifications are new.
    func add(copiesOf others: [PackedPart], where isKept: ((UInt64) -> Bool)?) throws -> Int {
        var new = 0
        for part in others where !known.parts.values.contains(where: { $0.check == part.check }) {
            let isAlone = !known.parts.values.contains { $0.source == 0 && $0.overlaps(part) }
            if isAlone, isKept == nil, part.source == 0 {
                try insert([part])
                new += part.verifications
            } else {
                var entries: [UInt64: DayEntries] = [:]
                try part.read(into: &entries, where: isKept ?? { _ in true })
                new += try add(entries, of: part.source)
            }
        }
        try mergeSmallParts()
        return new
    }

    private func insert(_ new: [PackedPart], isCovered: Bool = false) throws {
        let first = Int64(day.number) * DayParts.numbers
        var number = known.parts.keys.max().map { $0 + 1 } ?? first
        let statement = try store.db.cachedStatement(sql: "INSERT INTO parts VALUES (?, ?)")
        for part in new {
            guard number < first + DayParts.numbers else { throw StoreFailure.damaged(.parts) }
            try statement.execute(arguments: [number, Data(part.bytes)])
            store.root.days[day, default: StoreRoot.Sum()].add(part.check)
            known.parts[number] = part.summary
            if isCovered { known.covered.insert(number) }
            number += 1
        }
    }

    func remove(where isUnwanted: (PackedPart) -> Bool) throws {
        try remove(known.parts.filter { isUnwanted($0.value) }.map(\.key))
    }

    private func remove(_ numbers: [Int64]) throws {
        let statement = try store.db.cachedStatement(sql: "DELETE FROM parts WHERE id = ?")
        for number in numbers {
            guard let part = known.parts.removeValue(forKey: number) else { continue }
            known.covered.remove(number)
            store.root.days[day]?.remove(part.check)
            try statement.execute(arguments: [number])
        }
        if known.parts.isEmpty { store.root.days[day] = nil }
    }

    /// Makes one of many small parts, or of all.
    func mergeSmallParts(allowed: Int = mostSmallParts) throws {
        let small = known.parts.filter { $0.value.source == 0 && $0.value.size < DayParts.smallPart }.map(\.key)
        guard small.count > allowed else { return }
        var entries = try unpacked(small)
        for function in entries.keys { entries[function]?.removeCopies() }
        let isCovered = known.covered.isSuperset(of: small)
        try remove(small)
        try insert(PackedPart.pack(entries, of: day, source: 0), isCovered: isCovered)
    }

    func forget(_ isUnwanted: (UInt64) -> Bool) throws {
        for (source, numbers) in Dictionary(grouping: known.parts.keys, by: { known.parts[$0]?.source ?? 0 }) {
            let entries = try unpacked(numbers)
            let kept = entries.filter { !isUnwanted($0.key) }
            guard kept.count < entries.count else { continue }
            try remove(numbers)
            try insert(PackedPart.pack(kept, of: day, source: source))
        }
    }

    private func unpacked(_ numbers: [Int64]) throws -> [UInt64: DayEntries] {
        var entries: [UInt64: DayEntries] = [:]
        let statement = try store.db.cachedStatement(sql: "SELECT id, bytes FROM parts WHERE id = ?")
        for number in numbers {
            guard let row = try StoredRow.fetchOne(statement, arguments: [number]) else {
                throw StoreFailure.damaged(.parts)
            }
            let part = try PackedPart(Array(row.bytes), of: day)
            guard part.check == known.parts[number]?.check else { throw StoreFailure.damaged(.parts) }
            try part.read(into: &entries) { _ in true }
        }
        return entries
    }
}

/// The parts of a day that a run knows, as long as nobody else writes: each is read once, however many inputs have
/// entries of the day, in any order.
final class KnownDay {
    var parts: [Int64: PackedPart]
    var entries = KnownEntries()
    var covered: Set<Int64> = []

    init(_ parts: [Int64: PackedPart]) { self.parts = parts.mapValues(\.summary) }
}
