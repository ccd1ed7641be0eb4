internal import Synchronization
internal import Verifications

/// The verifications of a run, shared by all its workers: finds copies, and what is logged again within an execution.
///
/// Of an execution the earliest verification counts, whichever is read first. So nothing is counted before everything
/// was read, and each verification is remembered with all that counting needs: 16 bytes, and 5 to 7 for the slot that
/// finds it. The set is cut into shards, each with a lock of its own, which grow alone and by little.
final class SeenVerifications: Sendable {
    private let shards: InlineArray<512, Mutex<SeenShard>>
    private let functions = Mutex(NumberedFunctions())

    init() { shards = .init { _ in Mutex(SeenShard()) } }

    /// The number that stands for a function in this set, whoever found it; 0 when there are too many.
    func number(of function: FunctionIdentity) -> UInt32 { functions.withLock { $0.number(of: function) } }

    /// Takes note of a verification.
    func insert(_ candidate: SeenCandidate) -> SeenOutcome {
        shards[candidate.shard].withLock { $0.insert(candidate) }
    }

    /// Takes note of verifications, shard by shard: what a shard holds is fetched from memory once for several.
    ///
    /// - Parameters:
    ///   - batch: Those of one shard are taken in their order.
    ///   - report: Called with what becomes of each.
    func insert(_ batch: [SeenCandidate], _ report: (SeenCandidate, SeenOutcome) -> Void) {
        var ends = Array(repeating: 0, count: shards.count)
        for candidate in batch { ends[candidate.shard] += 1 }
        for shard in 1..<ends.count { ends[shard] += ends[shard - 1] }
        var sorted = Array(repeating: 0, count: batch.count)
        for index in batch.indices.reversed() {
            ends[batch[index].shard] -= 1
            sorted[ends[batch[index].shard]] = index
        }
        for (shard, start) in ends.enumerated() {
            let end = shard + 1 < ends.count ? ends[shard + 1] : batch.count
            guard start < end else { continue }
            shards[shard].withLock { shard in
                for place in start..<end { report(batch[sorted[place]], shard.insert(batch[sorted[place]])) }
            }
        }
    }

    /// Hands out the verifications of one share; all of them where nothing else is said.
    func forEach(share: Int = 0, of shares: Int = 1, _ body: (SeenRecord) -> Void) {
        for index in stride(from: share, to: shards.count, by: shares) {
            shards[index].withLock { $0.forEach(body) }
        }
    }

    /// The functions by their numbers.
    var names: [FunctionIdentity] { functions.withLock(\.names) }

    /// Finds copies of which one names its execution and the other does not, as it has come another way.
    ///
    /// They have different keys; so they are looked for once everything was read, in functions that have both kinds.
    func settleCopies() {
        let mixed = functionsOfBothKinds()
        guard !mixed.isEmpty else { return }
        var unnamed: [SeenRecord.Entry: SeenRecord] = [:]
        forEach { if !$0.isOfExecution, mixed.contains($0.function) { unnamed[$0.entry] = $0 } }
        var found: Set<SeenRecord.Entry> = []
        update { record in
            guard record.isOfExecution, mixed.contains(record.function), let copy = unnamed[record.entry] else {
                return nil
            }
            // Of copies that repeat an earlier entry of their execution, only one stands for the unnamed one.
            guard found.insert(record.entry).inserted else { return nil }
            var whole = record
            whole.merge(copy)
            return whole
        }
        update { record in
            guard !record.isOfExecution, found.contains(record.entry) else { return nil }
            var copy = record
            copy.isGone = true
            return copy
        }
    }

    private func functionsOfBothKinds() -> Set<UInt32> {
        var kinds: [[Bool]] = [[], []]
        forEach { record in
            let (kind, function) = (record.isOfExecution ? 1 : 0, Int(record.function))
            while kinds[kind].count <= function { kinds[kind].append(false) }
            kinds[kind][function] = true
        }
        return Set(zip(kinds[0], kinds[1]).enumerated().filter { $1.0 && $1.1 }.map { UInt32($0.offset) })
    }

    /// Hands out all verifications, each to be replaced unless nil comes back.
    private func update(_ change: (SeenRecord) -> SeenRecord?) {
        for index in shards.indices { shards[index].withLock { $0.update(change) } }
    }

    /// What the verifications take, without what the set needs for itself.
    var bytes: Int { shards.indices.reduce(0) { $0 + shards[$1].withLock(\.bytes) } }

    /// How far from its home a verification is found, in slots, on average.
    var meanDistance: Double {
        let (distance, count) = shards.indices.reduce((0, 0)) { sum, index in
            let shard = shards[index].withLock { ($0.distance, $0.count) }
            return (sum.0 + shard.0, sum.1 + shard.1)
        }
        return Double(distance) / Double(max(1, count))
    }

    private struct NumberedFunctions {
        private var numbers: [FunctionIdentity: UInt32] = [:]
        var names = [FunctionIdentity.pooled]

        mutating func number(of function: FunctionIdentity) -> UInt32 {
            if let known = numbers[function] { return known }
            guard names.count <= SeenRecord.functionLimit else { return 0 }
            let number = UInt32(names.count)
            names.append(function)
            numbers[function] = number
            return number
        }
    }
}

/// A verification on its way into ``SeenVerifications``.
struct SeenCandidate {
    let record: SeenRecord
    let order: EntryOrder
    /// Keyed hash of the execution, or of the entry where it names none.
    let key: UInt64
    /// Of whoever takes it there.
    let function: Int32

    /// - Parameters:
    ///   - verification: One that has a fingerprint.
    ///   - fingerprint: Of the entry.
    ///   - number: What stands for its function in the set.
    init(_ verification: Verification, _ fingerprint: Fingerprint, number: UInt32) {
        key = verification.execution ?? fingerprint.value
        record = SeenRecord(verification, fingerprint, key: key, function: number)
        order = fingerprint.order
        function = verification.function
    }

    /// The top bits choose the shard; the ones below find it there.
    fileprivate var shard: Int { Int(key >> 55) }
    fileprivate var tag: UInt32 { UInt32(truncatingIfNeeded: key >> 45) & SeenShard.tagMask }
}

/// What becomes of a verification.
enum SeenOutcome {
    case isNew
    case isCopy
    /// An earlier one of its execution is known.
    case isRepeated
}

/// What one lock of ``SeenVerifications`` guards.
private struct SeenShard {
    /// Two words a verification: ``SeenRecord``.
    private var words: [UInt64] = []
    /// Open addressing with linear probing: 10 bits of the key above the number of the record plus 1; 0 is empty.
    private var slots: [UInt32] = []
    /// What does not fit into the words of a record, by its number.
    private var furtherCopies: [Int: Int] = [:]
    private var farInstants: [Int: Instant] = [:]

    /// The `insertId` of the first records, 512 KiB in all shards: two entries of one execution and one instant are so
    /// rare that a few bits do for the others.
    private var orders: [EntryOrder] = []

    private static let keptOrders = 32
    static let tagMask: UInt32 = 1 << 10 - 1
    private static let numberBits: UInt32 = 22
    private static let numberMask: UInt32 = 1 << numberBits - 1

    var count: Int { words.count / 2 }

    var bytes: Int { words.capacity * 8 + slots.capacity * 4 }

    mutating func insert(_ candidate: SeenCandidate) -> SeenOutcome {
        let (new, order, tag) = (candidate.record, candidate.order, candidate.tag)
        // At most five slots in six are taken, at least five in nine after growing.
        if (count + 1) * 6 > slots.count * 5 { grow() }
        var slot = home(of: new.key)
        var later: [Int]?
        while let match = nextMatch(of: tag, from: &slot) {
            let known = record(match)
            switch new.relation(to: known, isBefore: isBefore(order, new, match, known)) {
            case .unrelated: break
            case .copy:
                var whole = known
                whole.merge(new)
                replace(match, with: whole)
                return .isCopy
            case .later: return .isRepeated
            case .earlier: later = (later ?? []) + [match]
            }
        }
        for number in later ?? [] {
            var old = record(number)
            old.isGone = true
            replace(number, with: old)
        }
        precondition(count < Int(SeenShard.numberMask), "more verifications than one run can tell apart")
        if words.capacity < words.count + 2 { words.reserveCapacity(words.count + words.count / 16 + 32) }
        let (first, second, far) = new.packed
        if let far { farInstants[count] = far }
        if orders.count == count, count < SeenShard.keptOrders { orders.append(order) }
        words.append(first)
        words.append(second)
        slots[slot] = tag << SeenShard.numberBits | UInt32(count)
        return .isNew
    }

    /// Whether an entry is before a known one of the same instant; nil for the same entry.
    private func isBefore(_ order: EntryOrder, _ new: SeenRecord, _ number: Int, _ known: SeenRecord) -> Bool? {
        guard number < orders.count else { return new.rank == known.rank ? nil : new.rank < known.rank }
        return order == orders[number] ? nil : order < orders[number]
    }

    /// The number of the next record with a tag; nil when an empty slot comes first, at which `slot` stands then.
    private func nextMatch(of tag: UInt32, from slot: inout Int) -> Int? {
        let slots = slots.span
        var place = slot
        while slots[place] != 0 {
            let entry = slots[place]
            place = place + 1 == slots.count ? 0 : place + 1
            if entry >> SeenShard.numberBits == tag {
                slot = place
                return Int(entry & SeenShard.numberMask) - 1
            }
        }
        slot = place
        return nil
    }

    func forEach(_ body: (SeenRecord) -> Void) { for number in 0..<count { body(record(number)) } }

    /// Hands out all records, each to be replaced unless nil comes back.
    mutating func update(_ change: (SeenRecord) -> SeenRecord?) {
        for number in 0..<count {
            if let changed = change(record(number)) { replace(number, with: changed) }
        }
    }

    private func record(_ number: Int) -> SeenRecord {
        var record = SeenRecord(first: words[number * 2], second: words[number * 2 + 1]) { farInstants[number] }
        if record.copies == SeenRecord.packedCopies { record.copies += furtherCopies[number] ?? 0 }
        return record
    }

    private mutating func replace(_ number: Int, with record: SeenRecord) {
        let (first, second, far) = record.packed
        if let far { farInstants[number] = far }
        if record.copies > SeenRecord.packedCopies {
            furtherCopies[number] = record.copies - SeenRecord.packedCopies
        }
        words[number * 2] = first
        words[number * 2 + 1] = second
    }

    /// The bits of the key that a record keeps choose the slot, scaled to the table's length.
    private func home(of key: UInt32) -> Int { Int((UInt64(key) * UInt64(slots.count)) >> SeenRecord.keyBits) }

    /// How far from their homes all records are found, in slots.
    var distance: Int {
        slots.enumerated().reduce(0) { sum, slot in
            guard slot.element != 0 else { return sum }
            let home = home(of: record(Int(slot.element & SeenShard.numberMask) - 1).key)
            return sum + (slot.offset >= home ? slot.offset - home : slot.offset + slots.count - home)
        }
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: max(32, old.count * 3 / 2))
        for entry in old where entry != 0 {
            var slot = home(of: UInt32(truncatingIfNeeded: words[Int(entry & SeenShard.numberMask) * 2 - 1] >> 36))
            while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
            slots[slot] = entry
        }
    }
}
