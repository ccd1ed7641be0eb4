package import Verifications

/// Records of a function that would be blocked and that may turn out not to count.
///
/// They hold a verdict up where nothing else of their source counts: a projection beside the whole log. What clients
/// make a function write is found among the SDK's own entries.
package struct Doubtful: Hashable, Sendable {
    /// What is the same for all of a source.
    package struct Source: Hashable, Sendable {
        /// A bit for the number of each provenance that it has.
        package var provenances: UInt8 = 0
        /// That of its newest entry.
        package var day: Day?
    }

    /// By the number of the provenance; in the place of the labelled ones, which always count, those of which neither
    /// label nor message is the SDK's.
    package var records: [Source: [3 of Int]] = [:]
    /// The source that is being read.
    private var open = Source()
    private var opened: [3 of Int] = [0, 0, 0]

    private static let foreign = Int(Provenance.labelled.rawValue)

    package mutating func add(_ verification: Verification) {
        open.provenances |= 1 << verification.provenance.rawValue
        guard verification.provenance != .labelled, verification.app != .valid, verification.auth != .invalid
        else { return }
        opened[Int(verification.provenance.rawValue)] += 1
    }

    package mutating func addForeign() { opened[Doubtful.foreign] += 1 }

    /// Takes note that what was read is all of a source.
    package mutating func endSource(on day: Day?) {
        open.day = day
        if opened[0] + opened[1] + opened[2] > 0 { add(opened, of: open) }
        (open, opened) = (Source(), [0, 0, 0])
    }

    private mutating func add(_ more: [3 of Int], of source: Source) {
        for index in more.indices { records[source, default: [0, 0, 0]][index] += more[index] }
    }

    mutating func merge(_ other: Doubtful) {
        for (source, more) in other.records { add(more, of: source) }
    }

    /// Those of sources without a verification that is believed, by the day of the source.
    func blocked(believing believed: Provenance) -> [Day?: Int] {
        var sums: [Day?: Int] = [:]
        for (source, found) in records where source.provenances >> believed.rawValue & 1 == 0 {
            sums[source.day, default: 0] += found[0] + found[1] + found[2]
        }
        return sums
    }

    package static func == (left: Doubtful, right: Doubtful) -> Bool {
        left.records.mapValues { [$0[0], $0[1], $0[2]] } == right.records.mapValues { [$0[0], $0[1], $0[2]] }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(records.count) }
}
