public import Verifications

/// Counting by itself, without a log: for benchmarks, and for nobody else.
@_spi(Stages) public struct CountingStages {
    private let fingerprints = FingerprintSet()
    private var sink: TallySink

    public init() {
        sink = TallySink(fingerprints: nil, range: TimeRange(), horizon: Instant(seconds: .max, nanoseconds: 0))
    }

    /// How many verifications were counted.
    public var counted: Int { sink.summary.verifications }

    public mutating func count(_ verification: Verification) {
        sink.count(verification)
    }

    /// Adds a fingerprint to the set that finds copies of entries.
    ///
    /// - Returns: False when it was there already.
    public func insert(_ fingerprint: UInt64) -> Bool {
        fingerprints.insert(fingerprint)
    }
}
