package import Readiness
package import Verifications

/// What a source says of itself, and what its parts are read with.
package struct SourceHead: Sendable {
    /// The source without its entries.
    package var source = Source()
    /// By the numbers in its parts: the keyed hashes of functions, then those of other services.
    var services: [UInt64] = []
    var functions = 0
}

/// What the entries of a part are read for.
package enum PartUse: Sendable {
    /// To be counted, in the range.
    case counting(TimeRange)
    /// To be joined with what is counted: verifications that name their request, those with the keys of what is counted
    /// and a few more.
    case context(KeyFilter)
    /// To tell of others whether they are copies or repeated: verifications alone.
    case finding
}

/// Which keys of entries there are, by their highest bits.
package struct KeyFilter: Sendable {
    private let shift: UInt64
    private var bits: NumberSet

    /// Of the verifications of a set; eight times as many bits as keys: of other keys one in eight passes.
    init(_ set: EntrySet) {
        let width = UInt64(max(6, UInt64.bitWidth - (set.count * 8).leadingZeroBitCount))
        self.init(shift: Entry.keyBits - min(Entry.keyBits, width))
        let shift = shift
        for function in set.functions.values { function.forEach { bits.insert(Int($0.key >> shift)) } }
    }

    /// What has all keys.
    static let all: KeyFilter = {
        var filter = KeyFilter(shift: Entry.keyBits)
        filter.bits.insert(0)
        return filter
    }()

    private init(shift: UInt64) {
        self.shift = shift
        bits = NumberSet()
    }

    func contains(_ key: UInt64) -> Bool { bits.contains(Int(key >> shift)) }
}

/// What was found in a part, next to what was added to a set.
package struct PartContents: Sendable {
    package var verifications = 0
    package var hasUndated = false
    /// The newest dated verification up to the horizon.
    package var newest: Instant?

    package init() {}

    package mutating func merge(_ other: PartContents) {
        verifications += other.verifications
        hasUndated = hasUndated || other.hasUndated
        newest = [newest, other.newest].compactMap(\.self).max()
    }
}

extension PartUse {
    /// Whether a row or line counts; nil where it is not asked for.
    func counts(_ instant: Instant) -> Bool? {
        switch self {
        case .counting(let range): range.contains(instant)
        case .context: false
        case .finding: nil
        }
    }
}

extension InputSummary {
    /// Says of what was not read which is the newest verification of its source.
    package mutating func add(_ contents: PartContents) {
        if contents.hasUndated { unread.addUndated() }
        unread.date(newest: contents.newest)
    }
}
