internal import Readiness
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
    /// How many verifications whose row was not read may keep the hashes of their request; 0 for none at all.
    private let requestLimit: Int
    /// How many keep them, and how many did when that was last looked at.
    private let kept = Atomic(0)
    private let settled = Atomic(0)

    init(requestLimit: Int = 0) {
        self.requestLimit = requestLimit
        shards = .init { _ in Mutex(SeenShard()) }
    }

    /// The number that stands for a function in this set, whoever found it; 0 when there are too many.
    func number(of function: FunctionIdentity) -> UInt32 { functions.withLock { $0.number(of: function) } }

    /// Takes note of a verification.
    func insert(_ candidate: SeenCandidate) -> SeenOutcome {
        shards[candidate.shard].withLock { $0.insert(candidate, keepsRequest: false) }
    }

    /// Takes note of verifications, shard by shard: what a shard holds is fetched from memory once for several.
    ///
    /// - Parameters:
    ///   - batch: Those of one shard are taken in their order.
    ///   - report: Called with what becomes of each.
    func insert(_ batch: [SeenCandidate], _ report: (SeenCandidate, SeenOutcome) -> Void) {
        let keepsRequests = requestLimit > 0
        if keepsRequests { kept.add(batch.count, ordering: .relaxed) }
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
                for place in start..<end {
                    report(batch[sorted[place]], shard.insert(batch[sorted[place]], keepsRequest: keepsRequests))
                }
            }
        }
    }

    /// Hands out the verifications of one share; all of them where nothing else is said.
    func forEach(share: Int = 0, of shares: Int = 1, _ body: (SeenRecord) -> Void) {
        for index in stride(from: share, to: shards.count, by: shares) {
            shards[index].withLock { $0.forEach(body) }
        }
    }

    /// Hands out the verifications with the hashes of their requests.
    func forEachRequest(_ body: (SeenRecord, RequestKey) -> Void) {
        for index in shards.indices { shards[index].withLock { $0.forEachRequest(body) } }
    }

    /// True when it is time to look how many verifications have no row yet.
    var mayBeFull: Bool {
        let kept = kept.load(ordering: .relaxed)
        return kept > requestLimit && kept - settled.load(ordering: .relaxed) >= requestLimit
    }

    /// The requests of verifications whose row was not found yet, sorted.
    var openRequests: [RequestKey] { shards.indices.flatMap { shards[$0].withLock(\.openRequests) }.sorted() }

    /// The requests of those whose row was found, sorted.
    var closedRequests: [RequestKey] { shards.indices.flatMap { shards[$0].withLock(\.closedRequests) }.sorted() }

    /// True when a verification of the execution was read.
    func knows(execution: UInt64) -> Bool {
        shards[SeenCandidate.shard(of: execution)].withLock { $0.knows(execution: execution) }
    }

    /// Closes verifications that have their row, and gives up the requests of the oldest others if there are too many.
    ///
    /// - Parameter hasRow: Whether the row of a request was read; asked again, more thoroughly, before any is given up.
    func settle(_ hasRow: (_ request: RequestKey, _ isLast: Bool) -> Bool) {
        guard mayBeFull else { return }
        var open = 0
        for isLast in [false, true] where !isLast || open > requestLimit {
            open = 0
            for index in shards.indices { open += shards[index].withLock { $0.close { hasRow($0, isLast) } } }
        }
        if open > requestLimit {
            // Of very many times a few thousand tell well enough which are the oldest.
            let step = max(1, open / 10_000)
            var times: [Int64] = []
            var number = 0
            for index in shards.indices {
                shards[index].withLock { shard in
                    shard.forEachOpenRequest { record in
                        if number.isMultiple(of: step) { times.append(record.sortingSecond) }
                        number += 1
                    }
                }
            }
            times.sort()
            let last = times[min(times.count - 1, (open - requestLimit - 1) / step)]
            for index in shards.indices { shards[index].withLock { $0.giveUp(through: last) } }
        }
        let kept = shards.indices.reduce(0) { $0 + shards[$1].withLock { $0.trimRequests() } }
        settled.store(kept, ordering: .relaxed)
        self.kept.store(kept, ordering: .relaxed)
    }

    /// Hands out the verifications as they came, but for their places in the order of `insertId`s.
    func forEachCandidate(_ body: (SeenCandidate) -> Void) {
        for index in shards.indices {
            shards[index].withLock { shard in
                shard.forEachTagged { record, tag, request in
                    let key = UInt64(index) << 55 | UInt64(tag) << 45 | UInt64(record.key)
                    body(SeenCandidate(record, key: key, request: request))
                }
            }
        }
    }

    /// Hands out the verifications of an execution.
    func forEach(ofExecution key: UInt64, function: UInt32, _ body: (SeenRecord) -> Void) {
        shards[SeenCandidate.shard(of: key)].withLock { $0.forEach(ofExecution: key, function: function, body) }
    }

    /// The newest day with a verification whose request was given up; nil when all were kept.
    var givenUpThrough: Day? { shards.indices.compactMap { shards[$0].withLock(\.givenUpThrough) }.max() }

    /// The functions by their numbers.
    var names: [FunctionIdentity] { functions.withLock(\.names) }

    /// Finds copies of which one names its execution and the other does not, as it has come another way.
    ///
    /// They have different keys; so they are looked for once everything was read, in functions that have both kinds.
    func settleCopies() {
        let mixed = functionsOfBothKinds()
        guard !mixed.isEmpty else { return }
        var rounding = false
        forEach { if $0.isRounded { rounding = true } }
        var unnamed: [SeenRecord.Entry: SeenRecord] = [:]
        forEach { [rounding] in
            if !$0.isOfExecution, mixed.contains($0.function) { unnamed[$0.entry(rounding: rounding)] = $0 }
        }
        var found: Set<SeenRecord.Entry> = []
        update { record in
            let entry = record.entry(rounding: rounding)
            guard record.isOfExecution, mixed.contains(record.function), let copy = unnamed[entry] else { return nil }
            // Of copies that repeat an earlier entry of their execution, only one stands for the unnamed one.
            guard found.insert(entry).inserted else { return nil }
            var whole = record
            whole.merge(copy)
            return whole
        }
        update { record in
            guard !record.isOfExecution, found.contains(record.entry(rounding: rounding)) else { return nil }
            var copy = record
            copy.isGone = true
            return copy
        }
    }

    /// Makes one of the functions beyond the limit: some of their verifications have been of no other since they were
    /// read.
    func pool(beyond limit: Int, by ranks: NameRanks) {
        let names = names
        let pooled = ranks.functionsPooled(beyond: limit, of: names.dropFirst())
        guard !pooled.isEmpty else { return }
        let isPooled = names.map { pooled.contains($0) }
        update { record in
            guard isPooled[Int(record.function)] else { return nil }
            var pooled = record
            pooled.function = 0
            return pooled
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
    /// Nil where it is not known any more.
    let order: EntryOrder?
    /// Keyed hash of the execution, or of the entry where it names none.
    let key: UInt64
    /// Of whoever takes it there.
    let function: Int32
    let request: RequestKey

    /// - Parameters:
    ///   - verification: One that has a fingerprint.
    ///   - fingerprint: Of the entry.
    ///   - number: What stands for its function in the set.
    init(_ verification: Verification, _ fingerprint: Fingerprint, number: UInt32) {
        key = verification.execution ?? fingerprint.value
        record = SeenRecord(verification, fingerprint, key: key, function: number)
        order = fingerprint.order
        function = verification.function
        request = verification.request
    }

    /// One that was in such a set before.
    ///
    /// - Parameters:
    ///   - record: With the number that stands for its function in the set that it goes to.
    ///   - key: Of which only ``keyMask`` is known.
    ///   - request: Of the HTTP request.
    init(_ record: SeenRecord, key: UInt64, request: RequestKey) {
        self.record = record
        self.key = key
        self.request = request
        order = nil
        function = 0
    }

    /// The bits of a key that the set looks at.
    static let keyMask = ~UInt64(0) << 45 | 1 << SeenRecord.keyBits - 1

    /// The top bits choose the shard; the ones below find it there.
    fileprivate var shard: Int { SeenCandidate.shard(of: key) }
    var tag: UInt32 { SeenCandidate.tag(of: key) }

    fileprivate static func shard(of key: UInt64) -> Int { Int(key >> 55) }
    static func tag(of key: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: key >> 45) & SeenShard.tagMask
    }
}

/// What becomes of a verification.
enum SeenOutcome {
    case isNew
    case isCopy
    /// An earlier one of its execution is known.
    case isRepeated
}
