internal import Readiness
package import Verifications

package struct ProvenanceCounts: Hashable, Codable, Sendable {
    private var counts: [3 of Int] = [0, 0, 0]

    package init() {}

    package init(from decoder: any Decoder) throws {
        let read = try [Int](from: decoder)
        for (place, count) in read.prefix(3).enumerated() { counts[place] = min(max(0, count), 1 << 40) }
    }

    package func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }

    package subscript(provenance: Provenance) -> Int {
        get { counts[Int(provenance.rawValue)] }
        set { counts[Int(provenance.rawValue)] = newValue }
    }

    package var total: Int { counts[0] + counts[1] + counts[2] }
    private var all: [Int] { [counts[0], counts[1], counts[2]] }

    static func += (left: inout ProvenanceCounts, right: ProvenanceCounts) {
        for place in left.counts.indices { left.counts[place] += right.counts[place] }
    }

    package static func == (left: ProvenanceCounts, right: ProvenanceCounts) -> Bool { left.all == right.all }
    package func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

/// Records of a function that do not count, or would be blocked and may turn out not to count.
///
/// The latter hold a verdict up where nothing else of their source counts: a projection beside the whole log. What
/// clients make a function write is found among the SDK's own entries.
package struct UncountedRecords: Hashable, Codable, Sendable {
    package struct Source: Hashable, Codable, Sendable {
        /// A bit for the number of each provenance that it has.
        var provenances: UInt8 = 0
        var kind = Discarded.Kind()
    }

    /// Entries with the label and without the SDK's message.
    var otherMessage = 0
    /// Text without the label that contradicts its statuses.
    var contradictoryText = 0
    /// Records that would be blocked; in the place of the labelled ones, which always count, those of which neither
    /// label nor message is the SDK's.
    var records: [Source: ProvenanceCounts] = [:]
    private var provenances: UInt8 = 0
    /// By whether they are signed in.
    private var opened: [Bool: ProvenanceCounts] = [:]

    package mutating func add(_ verification: Verification) {
        provenances |= 1 << verification.provenance.rawValue
        guard verification.provenance != .labelled, verification.app != .valid, verification.auth != .invalid
        else { return }
        open(verification.provenance, verification.auth)
    }

    private mutating func open(_ provenance: Provenance, _ auth: TokenStatus) {
        opened[auth == .valid, default: ProvenanceCounts()][provenance] += 1
    }

    mutating func addForeign(_ provenance: Provenance, blocked: TokenStatus?) {
        if let blocked { addBare(blocked) }
        if provenance == .unlabelled { contradictoryText += 1 } else { otherMessage += 1 }
    }

    package mutating func addBare(_ auth: TokenStatus) { open(.labelled, auth) }

    /// Takes note that what was read is all of a source.
    package mutating func endSource(on day: Day?) {
        for (isSignedIn, found) in opened {
            let kind = Discarded.Kind(day: day, isSignedIn: isSignedIn)
            records[Source(provenances: provenances, kind: kind), default: ProvenanceCounts()] += found
        }
        (provenances, opened) = (0, [:])
    }

    /// Says of records whose source shows no day that they are of this one.
    mutating func date(_ day: Day) {
        records = records.reduce(into: [:]) { dated, element in
            var source = element.key
            source.kind.day = source.kind.day ?? day
            dated[source, default: ProvenanceCounts()] += element.value
        }
    }

    mutating func merge(_ other: UncountedRecords) {
        otherMessage += other.otherMessage
        contradictoryText += other.contradictoryText
        for (source, more) in other.records { records[source, default: ProvenanceCounts()] += more }
    }

    /// Counts the records of sources without a believed verification.
    func blocked(believing believed: Provenance) -> [Discarded.Kind: Int] {
        var sums: [Discarded.Kind: Int] = [:]
        for (source, found) in records where source.provenances >> believed.rawValue & 1 == 0 {
            sums[source.kind, default: 0] += found.total
        }
        return sums
    }
}
