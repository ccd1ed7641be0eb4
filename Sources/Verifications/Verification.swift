/// One `callable-request-verification` entry, reduced to what is counted.
///
/// This is what crosses from the stream to the tally, once per entry: a few words, no text. Function and project are
/// indices into the tables of the scanner that found them.
public struct Verification: Sendable {
    /// Index of the function in the scanner's table.
    public let function: Int32
    /// Index of the project in the scanner's table.
    public let project: Int32
    public let generation: Generation?
    public let app: TokenStatus
    public let auth: TokenStatus
    public let severity: PassSeverity
    /// When the request was verified; nil when neither entry nor transport says.
    public let instant: Instant?
    /// Keyed hash of project, log name, instant and `insertId`; nil when the entry cannot be told from a copy.
    public let fingerprint: UInt64?
    /// Keyed hash of the whole record, of an entry without a fingerprint; nil when the scan was not asked for it.
    ///
    /// Equal records may be copies or two requests: a history counts how often one occurs.
    public let recordHash: UInt64?

    public init(
        function: Int32, project: Int32, generation: Generation?, app: TokenStatus, auth: TokenStatus,
        severity: PassSeverity, instant: Instant?, fingerprint: UInt64?, recordHash: UInt64? = nil
    ) {
        self.function = function
        self.project = project
        self.generation = generation
        self.app = app
        self.auth = auth
        self.severity = severity
        self.instant = instant
        self.fingerprint = fingerprint
        self.recordHash = recordHash
    }

    /// True when a token was refused: the SDK writes such an entry as a warning, in generation 2 on standard error.
    public var failed: Bool {
        app == .invalid || auth == .invalid
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
