public import Verifications

extension RecordSink {
    public mutating func expectRows(of function: UInt64) {}
    public mutating func addBare(function: Int32, _ auth: TokenStatus, at instant: Instant?) {}
    public mutating func add(_ row: RequestRow) {}
    public mutating func keep(urlName: String, of service: UInt64) {}
    public mutating func add(_ line: SDKLine) {}
    public mutating func count(_ row: CountedRow) {}
    public mutating func endCounts(isSound: Bool) {}
    public mutating func add(_ services: ServiceCounts) {}
}

public struct ScannedFunction: Sendable {
    public let identity: FunctionIdentity
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package let label: ExactName?
    package let hash: UInt64
}

extension FunctionIdentity {
    /// The keyed hash of the identity, as ``RequestRow/service`` has it.
    package func hash(_ key: HashKey) -> UInt64 {
        NameKey.of(project, region: region, name: name, tag: generation?.rawValue ?? 0) { NameTable.hash($0, key) }
    }
}

public struct ScanOptions: Sendable {
    /// Longer records are passed over and counted, in bytes; at most 4 GiB − 1, and more means that.
    public var maxRecordBytes = 16 << 20 {
        didSet { maxRecordBytes = min(maxRecordBytes, Int(UInt32.max)) }
    }
    /// With more functions, or more projects, nothing can be said; at most a billion, and more means that.
    public var maxFunctions = 100_000 {
        didSet { maxFunctions = min(maxFunctions, 1_000_000_000) }
    }
    /// True to parse every record, not only those that show a hint of the marker.
    public var isStrict = false
    public var readsEvidence = false
    /// Nothing is later: the clock plus 24 hours.
    package var horizon = Instant(seconds: .max)
    package var identifies = false
    /// Makes fingerprints comparable between scanners that share it.
    public var fingerprintKey = HashKey.standard
    /// The bits of hashes of traces that are looked at; tests leave few, so that traces collide.
    package var traceMask = UInt64.max
    /// Size of the pieces in which plain bytes are handled; tests make it small.
    public var chunkBytes = 256 << 10

    public init() {}
}

/// Receives what a scanner finds, record by record.
public protocol RecordSink {
    /// Ends a source: what came was all of it.
    ///
    /// - Parameter hour: The one in its name, if a sink of logs gave it one.
    /// - Returns: Its newest entry that was read, or else that hour.
    mutating func endSource(_ hour: Instant?) -> Instant?
    /// A function that an index means from now on.
    mutating func register(_ function: FunctionIdentity, as index: Int32)
    /// Called with the keyed hash of a function that has a verification, before that is counted.
    mutating func expectRows(of function: UInt64)
    /// One verification that is neither malformed nor the emulator's; copies, provenance and time ranges are the sink's
    /// affair.
    mutating func count(_ verification: Verification)
    /// An entry that carries the SDK's label and not the SDK's message, or a message that contradicts its statuses;
    /// `blocked` is the status of its Auth token, nil where the request would not be blocked.
    mutating func discardForeign(_ provenance: Provenance, function: Int32, blocked: TokenStatus?)
    /// An entry that has the statuses of a request that would be blocked, and neither the label nor the SDK's message.
    mutating func addBare(function: Int32, _ auth: TokenStatus, at instant: Instant?)
    /// An entry of generation 2's standard-error log, verification or not.
    mutating func addErrorStream(project: Int32, at instant: Instant?)
    /// One row of a source that holds counts; all rows of the source come before ``endCounts(isSound:)``.
    mutating func count(_ row: CountedRow)
    /// The source has no more rows; where they do not hold, none of them counts.
    mutating func endCounts(isSound: Bool)
    mutating func add(_ services: ServiceCounts)
    /// A row of a request log; asked for with ``ScanOptions/readsEvidence``.
    mutating func add(_ row: RequestRow)
    /// The name of a service's function as a row's URL has it, with its capitals.
    mutating func keep(urlName: String, of service: UInt64)
    /// Adds a line that the SDK wrote next to a verification; asked for with ``ScanOptions/readsEvidence``.
    mutating func add(_ line: SDKLine)
}
