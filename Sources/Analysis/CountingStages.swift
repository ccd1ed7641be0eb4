internal import Entries
public import Verifications

/// Counting by itself, without a log: for benchmarks only.
@_spi(Stages) public struct CountingStages {
    private var set = EntrySet()
    private var entries = FunctionEntries()

    public init() {}

    public mutating func add(_ verification: Verification) {
        guard let fingerprint = verification.fingerprint else { return }
        entries.add(PackedVerification(verification, fingerprint), verification.request)
    }

    /// Counts what was added, which is used up.
    ///
    /// - Returns: How many verifications count.
    public mutating func count() -> Int {
        let name = FunctionIdentity(project: "p", region: "r", name: "f", generation: .second)
        set.add(entries, of: name, hash: 1)
        defer { (set, entries) = (EntrySet(), FunctionEntries()) }
        return set.resolved(Resolution(horizon: Instant(seconds: .max))).input.verifications
    }
}
