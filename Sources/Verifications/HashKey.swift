/// The 128-bit key of fingerprints: the same in all runs, unless another one is given.
public struct HashKey: Hashable, Codable, Sendable {
    public let low: UInt64
    public let high: UInt64

    public init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

    /// The first digits of π, so that the same input always gives the same output.
    public static let standard = HashKey(low: 0x243F_6A88_85A3_08D3, high: 0x1319_8A2E_0370_7344)
}

/// Spreads each bit of a word over all others: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
@inlinable
package func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
}
