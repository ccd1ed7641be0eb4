public import Verifications

/// Counting by itself, without a log: for benchmarks only.
@_spi(Stages) public struct CountingStages {
    private var entries = ServiceEntries()

    public init() {}

    public mutating func add(_ verification: Verification) {
        guard let fingerprint = verification.fingerprint else { return }
        entries.add(verification, fingerprint)
    }

    /// Counts what was added, which is used up, and returns how many verifications count.
    public mutating func count() -> Int {
        let name = FunctionIdentity(project: "p", region: "r", name: "f", generation: .second)
        var set = EntrySet()
        entries.name = ServiceName(identity: name)
        set[1].merge(entries)
        entries = ServiceEntries()
        return set.resolved(Resolution(horizon: Instant(seconds: .max))).input.verifications
    }
}
