/// The 128-bit key of fingerprints: random per process, or kept by a history so that they stay comparable.
public struct HashKey: Hashable, Sendable {
    public let low: UInt64
    public let high: UInt64

    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// A fresh key from the system's random source.
    public static func random() -> HashKey {
        HashKey(low: .random(in: .min ... .max), high: .random(in: .min ... .max))
    }
}
