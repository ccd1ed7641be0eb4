public import Verifications

/// What a scan may be told.
public struct ScanOptions: Sendable {
    /// Longer records are passed over and counted, in bytes; at most 4 GiB − 1, and more means that.
    public var maxRecordBytes = 16 << 20 {
        didSet { maxRecordBytes = min(maxRecordBytes, Int(UInt32.max)) }
    }
    /// How many functions, and how many projects, keep a name; at most a billion, and more means that.
    public var maxFunctions = 100_000 {
        didSet { maxFunctions = min(maxFunctions, 1_000_000_000) }
    }
    /// True to parse every record, not only those that show a sign of the marker.
    public var isStrict = false
    /// Makes fingerprints comparable between scanners that share it.
    public var fingerprintKey = HashKey.random()
    /// True when fingerprints outlive the run. Within one, an execution is enough to know an entry by.
    public var keepsFingerprints = false
    /// Size of the pieces in which plain bytes are handled; tests make it small.
    public var chunkBytes = 256 << 10

    public init() {}
}
