internal import Verifications

/// What one lock of ``SeenVerifications`` guards.
struct SeenShard {
    /// Two words a verification: ``SeenRecord``.
    private var words: [UInt64] = []
    /// Open addressing with linear probing: 10 bits of the key above the number of the record plus 1; 0 is empty.
    private var slots: [UInt32] = []
    /// What does not fit into the words of a record, by its number.
    private var furtherCopies: [Int: Int] = [:]
    private var farInstants: [Int: Instant] = [:]

    /// The `insertId` of the first records, 512 KiB in all shards: two entries of one execution and one instant are so
    /// rare that a few bits do for the others.
    private var orders: [EntryOrder?] = []

    /// The hashes of requests, from those of this record on; none where the run does not ask for them.
    private var requests: [RequestKey] = []
    private var firstRequest = 0
    /// Those that were found to have a row, in the order of the records.
    private var closed: [(number: Int, request: RequestKey)] = []
    private(set) var givenUpThrough: Day?

    private static let keptOrders = 32
    static let tagMask: UInt32 = 1 << 10 - 1
    private static let numberBits: UInt32 = 22
    private static let numberMask: UInt32 = 1 << numberBits - 1

    var count: Int { words.count / 2 }

    var bytes: Int { words.capacity * 8 + slots.capacity * 4 }

    mutating func insert(_ candidate: SeenCandidate, keepsRequest: Bool) -> SeenOutcome {
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
                mergeRequest(candidate.request, of: match)
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
        if new.copies > SeenRecord.packedCopies { furtherCopies[count] = new.copies - SeenRecord.packedCopies }
        if orders.count == count, count < SeenShard.keptOrders { orders.append(order) }
        if keepsRequest { requests.append(candidate.request) }
        words.append(first)
        words.append(second)
        slots[slot] = tag << SeenShard.numberBits | UInt32(count)
        return .isNew
    }

    /// Whether an entry is before a known one of the same instant; nil for the same entry.
    private func isBefore(_ order: EntryOrder?, _ new: SeenRecord, _ number: Int, _ known: SeenRecord) -> Bool? {
        guard number < orders.count, let order, let theirs = orders[number] else {
            return new.rank == known.rank ? nil : new.rank < known.rank
        }
        return order == theirs ? nil : order < theirs
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

    /// Of copies that name different requests, or none, the same one stays whichever came first.
    private mutating func mergeRequest(_ request: RequestKey, of number: Int) {
        guard request != .none else { return }
        let place = closedPlace(of: number)
        if place < closed.count, closed[place].number == number {
            closed[place].request = min(closed[place].request, request)
        } else if requests.indices.contains(number - firstRequest) {
            let known = requests[number - firstRequest]
            requests[number - firstRequest] = known == .none ? request : min(known, request)
        }
    }

    /// The place in ``closed`` of a record, or of the next one.
    private func closedPlace(of number: Int) -> Int {
        closed.firstPlace { $0.number < number }
    }

    func forEachRequest(_ body: (SeenRecord, RequestKey) -> Void) {
        var next = closed[...]
        for number in 0..<count {
            if let known = next.first, known.number == number {
                body(record(number), known.request)
                next.removeFirst()
            } else {
                let index = number - firstRequest
                body(record(number), requests.indices.contains(index) ? requests[index] : .none)
            }
        }
    }

    var openRequests: [RequestKey] { requests.filter { $0 != .none } }
    var closedRequests: [RequestKey] { closed.map(\.request) }

    func forEachOpenRequest(_ body: (SeenRecord) -> Void) {
        for (index, request) in requests.enumerated() where request != .none { body(record(firstRequest + index)) }
    }

    /// Closes the requests that have a row.
    ///
    /// - Returns: How many are still open.
    mutating func close(_ hasRow: (RequestKey) -> Bool) -> Int {
        var open = 0
        for index in requests.indices where requests[index] != .none {
            if hasRow(requests[index]) {
                closed.append((firstRequest + index, requests[index]))
                requests[index] = .none
            } else {
                open += 1
            }
        }
        closed.sort { $0.number < $1.number }
        return open
    }

    /// Gives up the open requests through a second.
    mutating func giveUp(through second: Int64) {
        for index in requests.indices where requests[index] != .none {
            let record = record(firstRequest + index)
            guard record.sortingSecond <= second else { continue }
            requests[index] = .none
            givenUpThrough = [givenUpThrough, record.instant?.day].compactMap { $0 }.max()
        }
    }

    /// Frees the room in front of the first open request.
    ///
    /// - Returns: How many requests still take room.
    mutating func trimRequests() -> Int {
        let end = requests.firstIndex { $0 != .none } ?? requests.count
        requests = Array(requests[end...])
        firstRequest += end
        return requests.count
    }

    func knows(execution key: UInt64) -> Bool {
        guard !slots.isEmpty else { return false }
        let bits = UInt32(truncatingIfNeeded: key & (1 << SeenRecord.keyBits - 1))
        var slot = home(of: bits)
        while let match = nextMatch(of: SeenCandidate.tag(of: key), from: &slot) {
            let known = record(match)
            if known.key == bits, known.isOfExecution { return true }
        }
        return false
    }

    /// Hands out all records, with the bits of the key that no record has, and with their requests.
    func forEachTagged(_ body: (SeenRecord, _ tag: UInt32, RequestKey) -> Void) {
        for entry in slots where entry != 0 {
            let number = Int(entry & SeenShard.numberMask) - 1
            body(record(number), entry >> SeenShard.numberBits, request(of: number))
        }
    }

    private func request(of number: Int) -> RequestKey {
        let place = closedPlace(of: number)
        if place < closed.count, closed[place].number == number { return closed[place].request }
        return requests.indices.contains(number - firstRequest) ? requests[number - firstRequest] : .none
    }

    func forEach(ofExecution key: UInt64, function: UInt32, _ body: (SeenRecord) -> Void) {
        guard !slots.isEmpty else { return }
        let bits = UInt32(truncatingIfNeeded: key & (1 << SeenRecord.keyBits - 1))
        var slot = home(of: bits)
        while let match = nextMatch(of: SeenCandidate.tag(of: key), from: &slot) {
            let known = record(match)
            if known.key == bits, known.isOfExecution, known.function == function { body(known) }
        }
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
