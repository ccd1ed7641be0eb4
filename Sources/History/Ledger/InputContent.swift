internal import Verifications

/// What an input is known by, whatever it is called and however it is compressed: the verifications that it holds.
struct InputContent {
    /// Their keyed hashes, added up: equal for two inputs that hold the same ones.
    private(set) var sum: UInt64 = 0
    /// How many there are, copies included.
    private(set) var held = 0
    /// When the newest one was; nil when none is dated.
    private(set) var newest: Instant?

    /// The hash is the one that stores had from the first version on, so that an input stays known to them.
    mutating func add(_ verification: Verification, _ fingerprint: Fingerprint) {
        sum &+= RowDigest.mixed(fingerprint.legacy)
        held += 1
        if let instant = verification.instant { newest = max(newest ?? instant, instant) }
    }
}
