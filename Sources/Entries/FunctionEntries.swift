package import Verifications

/// The verifications of one function.
package struct FunctionEntries: Sendable {
    var plain = ChunkedArray<PackedVerification>()
    /// Those that name their request.
    var traced = ChunkedArray<TracedEntry>()
    /// True with entries that name their execution, and with labelled ones that do not.
    private(set) var namesExecutions = false
    private(set) var hasUnnamed = false
    /// Entries with the label and without the SDK's message.
    package var otherMessage = 0
    /// Text without the label that contradicts its statuses.
    package var contradictoryText = 0
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package var label: ExactName?
    /// The names of revisions by day.
    var revisions = RevisionNames()

    /// By the number of the provenance: copies of entries, which were found and left out.
    private(set) var copies: [3 of Int] = [0, 0, 0]
    /// Number of entries at which to look for copies, so that a repeated entry takes no memory.
    private var foldAt: Int

    /// Entries of which copies may be left out, unless somebody wants to count them.
    package init(foldsCopies: Bool = false) { foldAt = foldsCopies ? FunctionEntries.firstFold : .max }

    private static let firstFold = 1 << 17

    var count: Int { plain.count + traced.count }

    private mutating func fold() {
        var buckets = takeBuckets()
        foldAt = .max
        while var bucket = buckets.popLast() {
            let entries = bucket.takeSorted()
            var index = 0
            while index < entries.count {
                var entry = entries[index]
                index += 1
                while index < entries.count, entries[index].entry.isCopy(of: entry.entry) {
                    if entry.request == .none { entry.request = entries[index].request }
                    if entry.entry.slot == 0 { entry.entry = entry.entry.with(slot: entries[index].entry.slot) }
                    copies[Int(entry.entry.provenance.rawValue)] += 1
                    index += 1
                }
                add(entry.entry, entry.request)
            }
        }
        foldAt = max(FunctionEntries.firstFold, 2 * count)
    }

    /// Takes all entries, in buckets by the highest bits of their keys.
    mutating func takeBuckets() -> [Bucket] {
        var bits: UInt64 = 0
        while count >> bits > Bucket.size, bits < 12 { bits += 1 }
        var buckets = Array(repeating: Bucket(sharedBits: bits), count: 1 << bits)
        plain.drain { buckets[$0.range(bits)].plain.append($0) }
        traced.drain { buckets[$0.entry.range(bits)].traced.append($0) }
        return buckets
    }

    package mutating func add(_ entry: PackedVerification, _ request: PackedRequestID) {
        if count >= foldAt { fold() }
        if entry.namesExecution {
            namesExecutions = true
        } else if entry.provenance != .unlabelled {
            hasUnnamed = true
        }
        if request == .none {
            plain.append(entry)
        } else {
            traced.append(TracedEntry(entry: entry, request: request))
        }
    }

    /// Notes the revision of an entry.
    package mutating func add(_ revision: Revision, on day: Day) { revisions.add(revision, on: day) }

    func forEach(_ body: (PackedVerification) -> Void) {
        plain.forEach(body)
        traced.forEach { body($0.entry) }
    }

    /// The same function with other entries, or without some.
    func changed(_ change: (PackedVerification) -> PackedVerification?) -> FunctionEntries {
        var (changed, plain, traced) = (self, plain, traced)
        (changed.plain, changed.traced) = (ChunkedArray(), ChunkedArray())
        plain.drain { if let entry = change($0) { changed.add(entry, .none) } }
        traced.drain { if let entry = change($0.entry) { changed.add(entry, $0.request) } }
        return changed
    }

    /// On which side of a cut an entry is needed.
    enum Side {
        case earlier
        case later
        /// Where it counts, and where it only shows what belongs to it.
        case earlierAndAfter
        case laterAndBefore
    }

    /// What is not an entry stays with the earlier ones.
    consuming func split(_ side: (PackedVerification) -> Side) -> (earlier: FunctionEntries, later: FunctionEntries) {
        var (earlier, later) = (FunctionEntries(), FunctionEntries())
        (earlier.otherMessage, earlier.contradictoryText) = (otherMessage, contradictoryText)
        earlier.copies = copies
        (earlier.label, later.label) = (label, label)
        (earlier.revisions, later.revisions) = (revisions, revisions)
        func take(_ entry: PackedVerification, _ request: PackedRequestID) {
            let side = side(entry)
            let isLater = side == .later || side == .laterAndBefore
            if side != .later { earlier.add(isLater ? entry.counted : entry, request) }
            if side != .earlier { later.add(isLater ? entry : entry.counted, request) }
        }
        plain.drain { take($0, .none) }
        traced.drain { take($0.entry, $0.request) }
        return (earlier, later)
    }

    mutating func merge(_ other: consuming FunctionEntries) {
        namesExecutions = namesExecutions || other.namesExecutions
        hasUnnamed = hasUnnamed || other.hasUnnamed
        otherMessage += other.otherMessage
        contradictoryText += other.contradictoryText
        if let theirs = other.label { label = min(label ?? theirs, theirs) }
        revisions.merge(other.revisions)
        for index in copies.indices { copies[index] += other.copies[index] }
        plain.append(other.plain)
        traced.append(other.traced)
    }
}

/// Entries whose keys begin alike.
struct Bucket: Sendable {
    var plain = ChunkedArray<PackedVerification>()
    var traced = ChunkedArray<TracedEntry>()
    /// How many of the highest bits of their keys are the same.
    let sharedBits: UInt64

    /// As many as fit a core's cache while they are sorted.
    static let size = 1 << 14

    init(sharedBits: UInt64) { self.sharedBits = sharedBits }

    /// All of them, in their order; the bucket is empty then.
    mutating func takeSorted() -> [TracedEntry] {
        var entries: [TracedEntry] = []
        entries.reserveCapacity(plain.count + traced.count)
        plain.drain { entries.append(TracedEntry(entry: $0, request: .none)) }
        traced.drain { entries.append($0) }
        entries.sortByHash(after: sharedBits)
        return entries
    }
}
