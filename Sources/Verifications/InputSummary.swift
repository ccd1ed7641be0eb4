/// What was read, and how each record was classed.
///
/// Summaries form a commutative monoid under ``merge(_:)``; the empty summary is its identity.
public struct InputSummary: Hashable, Sendable {
    /// Inputs that could be opened.
    public var sources = 0
    /// Bytes as stored, compressed where the input is.
    public var bytesRead = 0
    /// Bytes after decompression; equals ``bytesRead`` for plain inputs.
    public var bytesDecompressed = 0
    /// All records: log entries, messages or rows, never their wrappers.
    public var records = 0
    /// Verifications that are counted in the functions.
    public var verifications = 0
    /// Copies of a verification that was counted already.
    public var duplicates = 0
    /// Verifications outside the time range or the selection.
    public var filtered = 0
    /// Verifications of the emulator, which decodes tokens and does not verify them.
    public var ignored = 0
    /// Verifications whose text is not JSON to the last byte.
    public var malformed = 0
    /// Records above the size limit.
    public var oversized = 0
    /// Records that hold a verification where it cannot be read, such as in an unknown wrapper.
    public var unexpected = 0
    /// Counted verifications without a time.
    public var undated = 0
    public var problems = ProblemLog()
    /// What went wrong as a whole: decides the exit status.
    public var faults: InputFaults = []

    public init() {}

    /// Records that may have been verifications and could not be judged.
    public var unjudged: Int { malformed + oversized + unexpected }

    public mutating func merge(_ other: InputSummary) {
        sources += other.sources
        bytesRead += other.bytesRead
        bytesDecompressed += other.bytesDecompressed
        records += other.records
        verifications += other.verifications
        duplicates += other.duplicates
        filtered += other.filtered
        ignored += other.ignored
        malformed += other.malformed
        oversized += other.oversized
        unexpected += other.unexpected
        undated += other.undated
        problems.merge(other.problems)
        faults.formUnion(other.faults)
    }
}

/// What can go wrong with inputs, whatever else could be read.
public struct InputFaults: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An input does not exist or cannot be opened.
    public static let unopened = InputFaults(rawValue: 1)
    /// Reading failed on the way.
    public static let readError = InputFaults(rawValue: 2)
    /// Compressed data is damaged.
    public static let damaged = InputFaults(rawValue: 4)
    /// A named input has no readable format.
    public static let unsupported = InputFaults(rawValue: 8)
}
