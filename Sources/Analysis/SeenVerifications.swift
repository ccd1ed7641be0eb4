internal import Synchronization
internal import Verifications

/// The verifications of a run, shared by all its workers: finds copies, and what is logged again within an execution.
///
/// Of an execution the earliest verification counts, whichever is read first. So each is remembered with all that is
/// needed to take it back: 16 bytes a verification, and 5 to 6 for the slot that finds it. The set is cut into shards,
/// each with a lock of its own, which grow alone and by little.
final class SeenVerifications: Sendable {
    private let shards: InlineArray<1024, Mutex<SeenShard>>
    private let functions = Mutex(NumberedFunctions())

    init() {
        shards = .init { _ in Mutex(SeenShard()) }
    }

    /// The number that stands for a function in this set, whoever found it; 0 when there are too many.
    func number(of function: FunctionIdentity) -> UInt32 {
        functions.withLock { $0.number(of: function) }
    }

    /// Takes note of a verification that has a fingerprint.
    ///
    /// - Parameter function: See ``number(of:)``.
    func take(_ verification: Verification, _ fingerprint: Fingerprint, function: UInt32) -> SeenOutcome {
        let key = verification.execution ?? fingerprint.value
        let record = SeenRecord(verification, fingerprint, key: key, function: function)
        return shards[Int(key >> 54)].withLock { $0.take(record, key: key) }
    }

    /// True when a verification was taken back: what was counted as they came is not what is left then.
    var hasDisplaced: Bool {
        shards.indices.contains { shards[$0].withLock(\.hasDisplaced) }
    }

    /// Hands out the verifications that are left, with their functions.
    func forEach(_ body: (FunctionIdentity, SeenRecord) -> Void) {
        let names = functions.withLock(\.names)
        for index in shards.indices {
            shards[index].withLock { shard in
                for record in shard.records where !record.isGone { body(names[Int(record.function)], record) }
            }
        }
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

/// What becomes of a verification.
enum SeenOutcome {
    case isNew
    case isCopy
    /// An earlier one of its execution is known.
    case isRepeated
    /// It takes the place of later ones of its execution.
    case displaces([SeenRecord])
}

/// What one lock of ``SeenVerifications`` guards.
private struct SeenShard {
    /// Two words a verification: ``SeenRecord``.
    private var words: [UInt64] = []
    /// Open addressing with linear probing: 12 bits of the key above the number of the record plus 1; 0 is empty.
    private var slots: [UInt32] = []
    /// What does not fit into the words of a record, by its number.
    private var furtherCopies: [Int: Int] = [:]
    private var farInstants: [Int: Instant] = [:]
    private(set) var hasDisplaced = false

    private static let numberMask: UInt32 = 1 << 20 - 1

    private var count: Int { words.count / 2 }

    var records: some Sequence<SeenRecord> {
        (0..<count).lazy.map { record($0) }
    }

    mutating func take(_ new: SeenRecord, key: UInt64) -> SeenOutcome {
        // At most five slots in six are taken, at least two in three after growing.
        if (count + 1) * 6 > slots.count * 5 { grow() }
        let tag = UInt32(truncatingIfNeeded: key >> 42) & 0xFFF
        var later: [Int] = []
        var slot = home(of: new.key)
        while slots[slot] != 0 {
            if slots[slot] >> 20 == tag {
                let number = Int(slots[slot] & SeenShard.numberMask) - 1
                switch new.relation(to: record(number)) {
                case .stranger: break
                case .copy:
                    addCopy(number)
                    return .isCopy
                case .later: return .isRepeated
                case .earlier: later.append(number)
                }
            }
            slot = slot + 1 == slots.count ? 0 : slot + 1
        }
        // A thousand million verifications: beyond, copies are no longer found.
        guard count < Int(SeenShard.numberMask) else { return .isNew }
        append(new)
        slots[slot] = tag << 20 | UInt32(count)
        return later.isEmpty ? .isNew : .displaces(later.map { displace($0) })
    }

    private func record(_ number: Int) -> SeenRecord {
        var record = SeenRecord(first: words[number * 2], second: words[number * 2 + 1]) { farInstants[number] }
        if record.copies == SeenRecord.packedCopies { record.copies += furtherCopies[number] ?? 0 }
        return record
    }

    private mutating func append(_ record: SeenRecord) {
        if words.capacity < words.count + 2 { words.reserveCapacity(words.count + words.count / 16 + 8) }
        let (first, second, far) = record.packed
        if let far { farInstants[count] = far }
        words.append(first)
        words.append(second)
    }

    private mutating func addCopy(_ number: Int) {
        if words[number * 2] & UInt64(SeenRecord.packedCopies) < SeenRecord.packedCopies {
            words[number * 2] += 1
        } else {
            furtherCopies[number, default: 0] += 1
        }
    }

    private mutating func displace(_ number: Int) -> SeenRecord {
        let old = record(number)
        words[number * 2 + 1] |= 1
        hasDisplaced = true
        return old
    }

    /// The bits of the key that a record keeps choose the slot, scaled to the table's length.
    private func home(of key: UInt32) -> Int {
        Int(UInt64(key) * UInt64(slots.count) >> SeenRecord.keyBits)
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: max(8, old.count * 5 / 4))
        for entry in old where entry != 0 {
            var slot = home(of: UInt32(truncatingIfNeeded: words[Int(entry & SeenShard.numberMask) * 2 - 1] >> 36))
            while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
            slots[slot] = entry
        }
    }
}
