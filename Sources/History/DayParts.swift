internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The parts of one day.
///
/// Intact sources share them: an entry is in one of them, whichever source it came with. Those of a damaged source stay
/// apart, so that they can go when an intact copy of it comes, and so do entries without any time, which go with their
/// source.
struct DayParts {
    let day: DayIndex
    private(set) var parts: [Int64: PackedPart] = [:]
    private let store: StoreTransaction

    /// A day has at most as many small parts, in bytes; then they become one.
    private static let smallPart = 64 << 10
    private static let mostSmallParts = 8
    /// How many numbers a day has for its parts.
    private static let numbers: Int64 = 1 << 20

    /// Reads what there is of a day.
    ///
    /// - Throws: ``DamagedRow`` unless it is what was written.
    init(_ day: DayIndex, _ store: StoreTransaction) throws {
        (self.day, self.store) = (day, store)
        parts = try DayParts.read(day, store.db, store.root)
    }

    static func read(_ day: DayIndex, _ db: Database, _ root: StoreRoot) throws -> [Int64: PackedPart] {
        var (parts, sum) = ([Int64: PackedPart](), StoreRoot.Sum())
        let first = Int64(day.number) * numbers
        let statement = try db.cachedStatement(sql: "SELECT id, bytes FROM parts WHERE id >= ? AND id < ?")
        let rows = try Row.fetchCursor(statement, arguments: [first, first + numbers])
        while let row = try rows.next() {
            let (id, bytes): (Int64, Data) = (row[0], row[1])
            let part = try PackedPart(Array(bytes), of: day)
            sum.add(part.check)
            parts[id] = part
        }
        guard sum == root.days[day] ?? StoreRoot.Sum() else { throw DamagedRow(.parts) }
        return parts
    }

    var verifications: Int { parts.values.reduce(0) { $0 + $1.verifications } }

    private var shared: [Int64: PackedPart] { parts.filter { $0.value.source == 0 } }

    /// Adds entries of intact sources.
    ///
    /// - Returns: How many verifications are new.
    mutating func add(_ entries: [UInt64: DayEntries]) throws -> Int {
        var packed = PackedPart.pack(entries, of: day, source: 0)
        let near = shared.values.filter { part in packed.contains { $0.overlaps(part) } }
        if !near.isEmpty {
            var (known, new) = ([UInt64: DayEntries](), entries)
            for part in near { try part.read(into: &known) { entries[$0] != nil } }
            for (function, known) in known { new[function]?.subtract(known) }
            packed = PackedPart.pack(new.filter { !$0.value.isEmpty }, of: day, source: 0)
        }
        try insert(packed)
        try mergeSmallParts()
        return packed.reduce(0) { $0 + $1.verifications }
    }

    /// Adds parts of another store, as they are where that is possible.
    ///
    /// - Parameters:
    ///   - others: Parts of the same day.
    ///   - isKept: Which functions' entries are to be added; nil for all.
    /// - Returns: How many verifications are new.
    mutating func add(copiesOf others: [PackedPart], where isKept: ((UInt64) -> Bool)?) throws -> Int {
        var new = 0
        let known = Set(parts.values.map(\.check))
        for part in others where !known.contains(part.check) {
            if isKept == nil, part.source != 0 || !shared.values.contains(where: part.overlaps) {
                try insert([part])
                new += part.verifications
                continue
            }
            var entries: [UInt64: DayEntries] = [:]
            try part.read(into: &entries, where: isKept ?? { _ in true })
            if part.source == 0 {
                new += try add(entries)
            } else {
                try insert(PackedPart.pack(entries, of: day, source: part.source))
                new += entries.values.reduce(0) { $0 + $1.verifications }
            }
        }
        try mergeSmallParts()
        return new
    }

    mutating func insert(_ new: [PackedPart]) throws {
        for part in new { parts[try DayParts.insert(part, store)] = part }
    }

    /// Writes a part, whatever else there is of its day.
    ///
    /// - Returns: Its number.
    @discardableResult
    static func insert(_ part: PackedPart, _ store: StoreTransaction) throws -> Int64 {
        let first = Int64(part.day.number) * numbers
        let last = try Int64.fetchOne(
            try store.db.cachedStatement(sql: "SELECT max(id) FROM parts WHERE id >= ? AND id < ?"),
            arguments: [first, first + numbers])
        let number = last.map { $0 + 1 } ?? first
        guard number < first + numbers else { throw DamagedRow(.parts) }
        store.root.days[part.day, default: StoreRoot.Sum()].add(part.check)
        let statement = try store.db.cachedStatement(sql: "INSERT INTO parts VALUES (?, ?)")
        try statement.execute(arguments: [number, Data(part.bytes)])
        return number
    }

    mutating func remove(where isUnwanted: (PackedPart) -> Bool) throws {
        let statement = try store.db.cachedStatement(sql: "DELETE FROM parts WHERE id = ?")
        for (number, part) in parts where isUnwanted(part) {
            parts[number] = nil
            store.root.days[day]?.remove(part.check)
            try statement.execute(arguments: [number])
        }
        if parts.isEmpty { store.root.days[day] = nil }
    }

    /// Makes one of many small parts, or of all.
    mutating func mergeSmallParts(allowed: Int = mostSmallParts) throws {
        let small = shared.values.filter { $0.bytes.count < DayParts.smallPart }
        guard small.count > allowed else { return }
        try replace(small) { entries in
            entries.mapValues { entries in
                var entries = entries
                entries.removeCopies()
                return entries
            }
        }
    }

    /// Leaves out the entries of functions.
    mutating func forget(_ isUnwanted: (UInt64) -> Bool) throws {
        for (source, parts) in Dictionary(grouping: parts.values, by: \.source) {
            try replace(parts, of: source) { entries in
                let kept = entries.filter { !isUnwanted($0.key) }
                return kept.count < entries.count ? kept : nil
            }
        }
    }

    /// Writes other parts in place of some of one source, unless they are to stay.
    private mutating func replace(
        _ old: [PackedPart], of source: UInt64 = 0, with change: ([UInt64: DayEntries]) -> [UInt64: DayEntries]?
    ) throws {
        var entries: [UInt64: DayEntries] = [:]
        for part in old { try part.read(into: &entries) { _ in true } }
        guard let changed = change(entries) else { return }
        let checks = Set(old.map(\.check))
        try remove { checks.contains($0.check) }
        try insert(PackedPart.pack(changed, of: day, source: source))
    }
}
