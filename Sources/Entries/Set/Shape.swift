/// The presence of an entry's `insertId`, and without one, the precision of its source's times.
///
/// One log in two shapes counts once: an entry without an `insertId` is the copy of one that has it, where function,
/// statuses, and time as exactly as its source gives times, are the same.
package struct Shape: Hashable, Comparable, Sendable {
    /// 0 with an `insertId`; without one 1 for nanoseconds to 4 for seconds.
    let code: UInt8

    static let whole = Shape(code: 0)
    static let codes = 0...4

    init(code: UInt8) { self.code = code }

    /// The shape of entries without an `insertId`, by the largest unit in which all times of their source are whole.
    package init(nanoseconds: UInt32) {
        code = nanoseconds >= 1_000_000_000 ? 4 : nanoseconds >= 1_000_000 ? 3 : nanoseconds >= 1_000 ? 2 : 1
    }

    var isWhole: Bool { self == .whole }
    var unit: UInt64 { Shape.units[Int(code)] }

    static let units: [UInt64] = [1, 1, 1_000, 1_000_000, 1_000_000_000]

    package static func < (left: Shape, right: Shape) -> Bool { left.code < right.code }
}

/// The run of one source's entries without an `insertId` on one day of one function.
package struct ShapedRun: Hashable, Codable, Sendable {
    package var count: Int
    package var first: UInt64
    package var last: UInt64

    mutating func add(_ time: TimeOfDay) {
        count += 1
        (first, last) = (min(first, time.word), max(last, time.word))
    }

    func overlaps(_ other: ShapedRun) -> Bool { first <= other.last && other.first <= last }
}

extension ResolvedDay {
    /// Removes what is the copy of an entry with an `insertId`: each of at most one, in the order of time.
    mutating func removeShapes() {
        struct Key: Hashable {
            let unit: UInt64
            let time: UInt64
            let statuses: Int
        }
        let order = entries.indices.filter { entries[$0].entry.time.isDated }
            .sorted { entries[$0].entry.time < entries[$1].entry.time }
        let units = Set(entries.lazy.filter { !$0.shape.isWhole }.map(\.shape.unit))
        func key(_ place: Int, _ unit: UInt64) -> Key {
            let entry = entries[place].entry
            return Key(unit: unit, time: entry.time.word / unit, statuses: entry.statuses)
        }
        var whole: [Key: [Int]] = [:]
        for place in order.reversed() where entries[place].shape.isWhole {
            for unit in units { whole[key(place, unit), default: []].append(place) }
        }
        var copies = BitSet()
        for place in order where !entries[place].shape.isWhole {
            if whole[key(place, entries[place].shape.unit)]?.popLast() != nil { copies.insert(place) }
        }
        var place = -1
        entries.removeAll { _ in
            place += 1
            return copies.contains(place)
        }
    }

    /// True where sources without an `insertId` overlap and say nothing alike: they may be one log in two shapes.
    func hasTwoShapes(_ runs: [ShapedRun], distinct: Int) -> Bool {
        guard runs.count > 1, runs.reduce(0, { $0 + $1.count }) == distinct,
            entries.contains(where: { !$0.shape.isWhole })
        else { return false }
        return runs.indices.contains { index in runs[..<index].contains { $0.overlaps(runs[index]) } }
    }
}
