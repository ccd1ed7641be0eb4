/// One `callable-request-verification` entry, reduced to what is counted.
///
/// This is what crosses from the stream to the tally, once per entry: a few words, no text. The function is an index
/// into the table of the scanner that found it.
public struct Verification: Sendable {
    /// Index of the function in the scanner's table.
    public let function: Int32
    public let app: TokenStatus
    public let auth: TokenStatus
    public let severity: PassSeverity
    public let provenance: Provenance
    /// When the request was verified; nil when neither entry nor transport says, or when the entry's time is not
    /// believed.
    public let instant: Instant?
    /// What tells the entry from every other one; nil when nobody asked.
    public var fingerprint: Fingerprint?
    /// Keyed hash of the execution that wrote the entry, of which the SDK verifies one request; nil when the entry does
    /// not say, or has no label.
    public var execution: UInt64?

    public init(
        function: Int32, app: TokenStatus, auth: TokenStatus, severity: PassSeverity,
        provenance: Provenance = .labelled, instant: Instant?, fingerprint: Fingerprint? = nil, execution: UInt64? = nil
    ) {
        self.function = function
        self.app = app
        self.auth = auth
        self.severity = severity
        self.provenance = provenance
        self.instant = instant
        self.fingerprint = fingerprint
        self.execution = execution
    }

    /// True when a token was refused: the SDK writes such an entry as a warning, in generation 2 on standard error.
    public var failed: Bool {
        app == .invalid || auth == .invalid
    }
}

/// Keyed hashes by which copies of an entry are found.
public struct Fingerprint: Hashable, Sendable {
    /// Of project, log name, instant, `insertId`, function, statuses and provenance; or, when ``isOfRecord``, of the
    /// bytes of the record.
    public let value: UInt64
    /// Of project, log name, instant and `insertId` alone, as histories kept it that were written before version 2;
    /// equal to ``value`` where those, too, went by the bytes of the record.
    public let legacy: UInt64
    /// Where they kept it: the day of the entry's own time, which is not believed any more; nil for the verification's.
    public let legacyDay: Day?
    /// True for an entry without a time or an `insertId`: equal records may be copies, or several requests.
    public let isOfRecord: Bool
    /// Puts entries that were written at the same instant in an order, by the end of their `insertId`; equal for equal
    /// ones.
    public let rank: UInt8

    public init(
        value: UInt64, legacy: UInt64? = nil, legacyDay: Day? = nil, isOfRecord: Bool = false, rank: UInt8 = 0
    ) {
        self.value = value
        self.legacy = legacy ?? value
        self.legacyDay = legacyDay
        self.isOfRecord = isOfRecord
        self.rank = rank
    }
}

/// The severities at which passed verifications were seen.
///
/// firebase-functions 4 and later writes them at DEBUG, 3.x and Python at INFO.
public struct PassSeverity: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let debug = PassSeverity(rawValue: 1)
    public static let info = PassSeverity(rawValue: 2)
    public static let other = PassSeverity(rawValue: 4)
}
