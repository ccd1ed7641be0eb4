public import Verifications

/// Counting by itself, without a log: for benchmarks only.
@_spi(Stages) public struct CountingStages {
    private let seen = SeenVerifications()
    private var sink: TallySink

    public init() {
        sink = TallySink(seen: nil, range: TimeRange(), horizon: Instant(seconds: .max, nanoseconds: 0))
    }

    /// How many verifications were counted.
    public var counted: Int { sink.summary.verifications }

    public mutating func count(_ verification: Verification) { sink.count(verification) }

    /// Adds a verification to the set that finds copies of entries.
    ///
    /// - Returns: False when it was there already.
    public func insert(_ fingerprint: UInt64) -> Bool {
        let verification = Verification(
            function: 0, app: .valid, auth: .valid, severity: .debug, instant: Instant(seconds: 0))
        return seen.insert(SeenCandidate(verification, Fingerprint(value: fingerprint), number: 0)) == .isNew
    }
}
