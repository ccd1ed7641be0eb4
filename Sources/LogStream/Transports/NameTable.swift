internal import Platform
internal import Verifications

/// The texts that name a function or a project; a project's name leaves region and name empty.
struct NameKey {
    var project: RawText
    var region = RawText.empty
    var name = RawText.empty
    /// The generation, 0 when unknown.
    var tag: UInt8 = 0
}

/// Gives each name a small index without making a string of it, and bounds how many names are kept.
///
/// Index 0 stands for everything beyond the limit. Which names stay does not depend on the order in which they come:
/// those with the smallest rank do, and the rank is an unkeyed hash of the name. The hash that finds names is keyed, so
/// that a log cannot be built to make look-ups slow.
@safe struct NameTable {
    /// The index that pools all names beyond the limit.
    static let pooled: Int32 = 0
    /// The longest text a name may have, in bytes.
    static let textLimit = 256

    private struct Entry {
        var hash: UInt64
        var rank: UInt64
        /// Where the three texts stand in ``NameTable/bytes``, one after the other.
        var start: Int
        var lengths: [3 of UInt16]
        var tag: UInt8
        var isLive: Bool

        /// Whether this is the name; not a method of the table, which the compiler would copy for it.
        func isOf(_ name: NameKey, in bytes: [UInt8]) -> Bool {
            guard tag == name.tag, Int(lengths[0]) == name.project.count, Int(lengths[1]) == name.region.count,
                Int(lengths[2]) == name.name.count
            else { return false }
            return unsafe bytes.withUnsafeBufferPointer { stored in
                guard let base = stored.baseAddress else { return true }
                let region = start + name.project.count
                // Safe: the texts stand one after the other from `start`, and have the lengths compared above.
                return unsafe memcmp(base + start, name.project.start, name.project.count) == 0
                    && memcmp(base + region, name.region.start, name.region.count) == 0
                    && memcmp(base + region + name.region.count, name.name.start, name.name.count) == 0
            }
        }
    }

    private let key: HashKey
    /// The names that stay when there are more; twice as many are held before the rest is given up, so that the cost
    /// of choosing is spread over as many look-ups.
    private let limit: Int
    private var bytes: [UInt8] = []
    private var entries: [Entry]
    /// Indices of names that were given up, for names to come.
    private var vacant: [Int32] = []
    /// Open addressing with linear probing; 0 is an empty slot, else the index.
    private var slots: [Int32]
    /// Names that were looked up recently, by a hash that is cheap and steers nothing: a hit saves the keyed one.
    private var recent = [Int32](repeating: 0, count: NameTable.recentCount)
    private static let recentCount = 256
    /// Names ranked above this one were given up, and their like is not taken in again.
    private var highestRank = UInt64.max

    init(key: HashKey, limit: Int) {
        self.key = key
        self.limit = max(limit, 1)
        entries = [Entry(hash: 0, rank: 0, start: 0, lengths: .init(repeating: 0), tag: 0, isLive: false)]
        slots = Array(repeating: 0, count: 64)
    }

    /// Number of indices handed out so far, the pooled one included.
    var count: Int { entries.count }

    /// The index of a name; `onRetire` is called for each index whose name is given up to make room.
    mutating func index(of name: NameKey, onRetire: (Int32) -> Void) -> Int32 {
        let place = NameTable.recentPlace(of: name)
        let known = recent[place]
        if known != NameTable.pooled, entries[Int(known)].isOf(name, in: bytes) { return known }
        let index = lookUp(name, onRetire)
        recent[place] = index
        return index
    }

    /// Where in ``recent`` a name is kept, found from the ends of its texts.
    @inline(__always)
    private static func recentPlace(of name: NameKey) -> Int {
        let mixed = name.project.ends ^ (name.region.ends &* 3) ^ (name.name.ends &* 5) ^ UInt64(name.tag)
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    private mutating func lookUp(_ name: NameKey, _ onRetire: (Int32) -> Void) -> Int32 {
        let hash = NameTable.hash(name, key)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, entry.isOf(name, in: bytes) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        let rank = NameTable.hash(name, .fixed)
        guard rank <= highestRank else { return NameTable.pooled }
        if entries.count - vacant.count > limit * 2 {
            retireHighest(onRetire)
            guard rank <= highestRank else { return NameTable.pooled }
        }
        return insert(name, hash: hash, rank: rank)
    }

    /// A name that is kept; nil for an index that was given up.
    func name(at index: Int32) -> (project: String, region: String, name: String, tag: UInt8, rank: UInt64)? {
        let entry = entries[Int(index)]
        guard entry.isLive else { return nil }
        var position = entry.start
        func next(_ length: UInt16) -> String {
            defer { position += Int(length) }
            return String(decoding: bytes[position..<position + Int(length)], as: UTF8.self)
        }
        return (next(entry.lengths[0]), next(entry.lengths[1]), next(entry.lengths[2]), entry.tag, entry.rank)
    }

    /// The function that an index stands for; nil for one that was given up.
    func identity(at index: Int32) -> FunctionIdentity? {
        name(at: index).map {
            FunctionIdentity(
                project: $0.project, region: $0.region, name: $0.name, generation: Generation(rawValue: $0.tag))
        }
    }

    /// The unkeyed hash of the name that an index stands for.
    func rank(at index: Int32) -> UInt64 { entries[Int(index)].rank }

    /// The keyed hash of the name that an index stands for.
    func hash(at index: Int32) -> UInt64 { entries[Int(index)].hash }

    /// The keyed hash of a name that need not be in the table.
    func hash(of name: NameKey) -> UInt64 {
        let known = recent[NameTable.recentPlace(of: name)]
        return known != NameTable.pooled && entries[Int(known)].isOf(name, in: bytes)
            ? entries[Int(known)].hash : NameTable.hash(name, key)
    }

    /// The keyed hash of a name that has this index.
    func hash(of name: NameKey, at index: Int32) -> UInt64 {
        index == NameTable.pooled ? NameTable.hash(name, key) : entries[Int(index)].hash
    }

    static func hash(_ name: NameKey, _ key: HashKey) -> UInt64 {
        var hash = SipHash(key: key)
        hash.add(name.project)
        hash.add(name.region)
        hash.add(name.name)
        hash.add(word: UInt64(name.tag))
        return hash.finish()
    }

    private mutating func insert(_ name: NameKey, hash: UInt64, rank: UInt64) -> Int32 {
        let start = bytes.count
        for text in [name.project, name.region, name.name] {
            text.withSpan { span in
                for position in span.indices { bytes.append(span[position]) }
            }
        }
        let entry = Entry(
            hash: hash, rank: rank, start: start,
            lengths: [UInt16(name.project.count), UInt16(name.region.count), UInt16(name.name.count)], tag: name.tag,
            isLive: true)
        let index = vacant.popLast() ?? Int32(entries.count)
        if Int(index) < entries.count { entries[Int(index)] = entry } else { entries.append(entry) }
        if entries.count * 2 > slots.count { rehash(to: slots.count * 2) } else { place(index) }
        return index
    }

    /// Gives up all names but the `limit` with the smallest ranks.
    private mutating func retireHighest(_ onRetire: (Int32) -> Void) {
        let ranks = entries.filter(\.isLive).map(\.rank).sorted()
        highestRank = ranks[limit - 1]
        var kept: [UInt8] = []
        for index in entries.indices where entries[index].isLive {
            let length = (0..<3).reduce(0) { $0 + Int(entries[index].lengths[$1]) }
            if entries[index].rank > highestRank {
                entries[index].isLive = false
                vacant.append(Int32(index))
                onRetire(Int32(index))
            } else {
                let start = kept.count
                kept += bytes[entries[index].start..<entries[index].start + length]
                entries[index].start = start
            }
        }
        bytes = kept
        recent = Array(repeating: 0, count: NameTable.recentCount)
        rehash(to: slots.count)
    }

    private mutating func place(_ index: Int32) {
        var slot = Int(truncatingIfNeeded: entries[Int(index)].hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = index
    }

    private mutating func rehash(to count: Int) {
        slots = Array(repeating: 0, count: count)
        for index in entries.indices where entries[index].isLive { place(Int32(index)) }
    }
}

extension NameKey {
    /// Hands out the key of names that stand in no record.
    static func of<Value>(
        _ project: String, region: String = "", name: String = "", tag: UInt8 = 0, _ body: (NameKey) -> Value
    ) -> Value {
        let texts = [project, region, name].map { Array($0.utf8) }
        return unsafe texts[0].withUnsafeBufferPointer { project in
            unsafe texts[1].withUnsafeBufferPointer { region in
                unsafe texts[2].withUnsafeBufferPointer { name in
                    // Safe: the key is not used after the call.
                    body(
                        unsafe NameKey(
                            project: RawText(project), region: RawText(region), name: RawText(name), tag: tag))
                }
            }
        }
    }
}

extension RawText {
    /// The first and the last eight bytes, or fewer, as one number.
    @inline(__always)
    var ends: UInt64 {
        guard count >= 8 else { return count == 0 ? 0 : UInt64(self[0]) << 32 | UInt64(self[count - 1]) }
        // Safe: the text has eight bytes.
        let first = unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
        let last = unsafe UnsafeRawPointer(start + (count - 8)).loadUnaligned(as: UInt64.self)
        return first &+ last &* 0xC2B2_AE3D_27D4_EB4F
    }
}
