internal import Synchronization
internal import Verifications

/// The fingerprints of the verifications that were counted, shared by all workers of a run.
///
/// The set is cut into 256 shards by the top byte of the fingerprint. Each has a lock of its own and grows alone, by
/// half, so that growing never holds more than one small table twice.
final class FingerprintSet: Sendable {
    private let shards: InlineArray<256, Mutex<FingerprintTable>>

    init() {
        shards = .init { _ in Mutex(FingerprintTable()) }
    }

    /// Adds a fingerprint.
    ///
    /// - Returns: False when it was there already.
    func insert(_ fingerprint: UInt64) -> Bool {
        shards[Int(fingerprint >> 56)].withLock { $0.insert(fingerprint) }
    }
}
