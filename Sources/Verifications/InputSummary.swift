/// A summary of what was read, and of how each record was classed.
///
/// Summaries form a commutative monoid under ``merge(_:)``; the empty summary is its identity.
public struct InputSummary: Hashable, Codable, Sendable {
    package var sources = 0
    /// Bytes as stored, compressed where the input is.
    package var bytesRead = 0
    /// Bytes after decompression; equals ``bytesRead`` for plain inputs.
    package var bytesDecompressed = 0
    /// All records: log entries, messages or rows, never their wrappers.
    public var records = 0
    public var verifications = 0
    package var duplicates = 0
    package var filtered = 0
    /// Verifications later than what is judged as of.
    package var later = 0
    /// Not believed: lines of the emulator, which verifies no tokens, and what functions wrote themselves.
    public var ignored = 0
    /// Verifications whose text is not JSON to the last byte.
    public var malformed = 0
    public var oversized = 0
    /// Records that hold a verification where it cannot be read, such as in an unknown wrapper.
    package var unexpected = 0
    /// Requests of services that App Check's own metric counts; no verifications.
    package var serviceRequests = 0
    package var undated = 0
    package var unread = UnreadRecords()
    /// The newest entry that was read, of any kind, or else the hour in the name of the source.
    package var newestEntry: Instant?
    package var problems = ProblemLog()
    /// The faults of the input as a whole, which decide the exit status.
    package var faults: InputFaults = []

    public init() {}

    package static var counts: [WritableKeyPath<InputSummary, Int>] {
        [
            \.sources, \.bytesRead, \.bytesDecompressed, \.records, \.verifications, \.duplicates, \.filtered, \.later,
            \.ignored, \.malformed, \.oversized, \.unexpected, \.undated,
            \.serviceRequests,
        ]
    }

    package var isWhole: Bool { malformed == 0 && unread.isEmpty }

    package mutating func merge(_ other: InputSummary) {
        // A store may say anything of its sources: what they come to is no reason to stop.
        for count in InputSummary.counts { self[keyPath: count].addClamped(other[keyPath: count]) }
        unread.merge(other.unread)
        newestEntry = [newestEntry, other.newestEntry].compactMap(\.self).max()
        problems.merge(other.problems)
        faults.formUnion(other.faults)
    }
}

package struct InputFaults: OptionSet, Hashable, Codable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let unopened = InputFaults(rawValue: 1)
    package static let readError = InputFaults(rawValue: 2)
    package static let damaged = InputFaults(rawValue: 4)
    package static let unsupported = InputFaults(rawValue: 8)
    /// There are more functions, or more projects, than the limit: of those beyond it nothing is known.
    package static let tooManyFunctions = InputFaults(rawValue: 16)
}

extension Int {
    /// Adds a number that is not negative; the largest number means every larger one, too.
    mutating func addClamped(_ more: Int) {
        let (sum, overflow) = addingReportingOverflow(more)
        self = overflow ? .max : sum
    }
}
