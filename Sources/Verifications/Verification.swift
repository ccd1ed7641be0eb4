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
    public let received: Instant?
    /// A value that distinguishes the entry from every other one; nil if it is not needed.
    public let fingerprint: Fingerprint?
    /// Keyed hash of the execution that wrote the entry, of which the SDK verifies one request; nil when the entry does
    /// not say, or has no label.
    public let execution: UInt64?
    public let revision: Revision
    /// ID of the HTTP request; ``PackedRequestID/none`` if the entry has none, or it is not needed.
    public let request: PackedRequestID

    /// Set in the hash of an execution that has a span and no `execution_id`; the lowest of its bits that are kept.
    package static let spanBit: UInt64 = 1 << 19

    public init(
        function: Int32, app: TokenStatus, auth: TokenStatus, severity: PassSeverity,
        provenance: Provenance = .labelled, instant: Instant?, received: Instant? = nil,
        fingerprint: Fingerprint? = nil, execution: UInt64? = nil, revision: Revision = .none,
        request: PackedRequestID = .none
    ) {
        (self.function, self.app, self.auth, self.severity) = (function, app, auth, severity)
        (self.provenance, self.instant, self.received) = (provenance, instant, received)
        (self.fingerprint, self.execution) = (fingerprint, execution)
        (self.revision, self.request) = (revision, request)
    }
}

/// Keyed hashes by which copies of an entry are found.
public struct Fingerprint: Hashable, Sendable {
    /// Hash of project, log name, instant, `insertId`, function, statuses and provenance; or, if ``isOfRecord``, of the
    /// bytes of the record.
    public let value: UInt64
    /// True for an entry without a time or an `insertId`: equal records may be copies, or several requests.
    public let isOfRecord: Bool
    /// Eleven bits of the `insertId`, or of the record's hash: they differ for nearly all that differ.
    public let digest: UInt16

    static let digestMask: UInt64 = 1 << 11 - 1

    public init(value: UInt64, digest: UInt64? = nil) {
        self.value = value
        isOfRecord = digest == nil
        self.digest = UInt16(truncatingIfNeeded: (digest ?? value) & Fingerprint.digestMask)
    }
}

/// The severities at which passed verifications were seen; empty for those that name none.
///
/// firebase-functions 4 and later writes them at DEBUG, 3.x and Python at INFO.
public struct PassSeverity: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let debug = PassSeverity(rawValue: 1)
    public static let info = PassSeverity(rawValue: 2)
    public static let other = PassSeverity(rawValue: 4)
}

/// The result of the Functions SDK's check of one token of a callable request.
///
/// The SDK writes one status for the App Check token and one for the Auth token. The raw value indexes the cells of a
/// status matrix; it is never written to a file.
public enum TokenStatus: UInt8, CaseIterable, Comparable, Sendable {
    /// The token was present and verified.
    case valid = 0
    /// The token was present and refused.
    case invalid = 1
    /// No token was sent.
    case missing = 2
    /// The entry names no status, or one that the SDK does not write.
    case other = 3

    /// The spelling in logs and in every machine-readable output: `VALID`, `INVALID`, `MISSING`, `OTHER`.
    public var name: String {
        switch self {
        case .valid: "VALID"
        case .invalid: "INVALID"
        case .missing: "MISSING"
        case .other: "OTHER"
        }
    }

    public static func < (left: TokenStatus, right: TokenStatus) -> Bool { left.rawValue < right.rawValue }
}

/// How a verification says that it comes from the SDK: clients can make a function log text that looks the same.
public enum Provenance: UInt8, CaseIterable, Sendable {
    /// It carries the label `firebase-log-type`, next to the SDK's own message.
    case labelled = 0
    /// It carries no label: Python's text, `functions:log`, and lines of a console.
    case unlabelled = 1
    /// It carries the label, and the entry has no message at all, as in an export of a few columns; or the label is
    /// in the payload, where Cloud Logging leaves none of the SDK's. Believed if no entry with the label has a
    /// message in the whole project.
    case labelAlone = 2
}
