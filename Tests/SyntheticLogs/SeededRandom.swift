/// SplitMix64 (Steele, Lea and Flood, 2014), with our own draws.
///
/// The standard library may change how it turns random bits into a number of a range; the bytes of a seed must never
/// change, because logs made from one are committed.
struct SeededRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A separate stream for something with a name, the same wherever that is in a scenario.
    ///
    /// The name is folded in by FNV-1a.
    init(seed: UInt64, name: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        self.init(seed: seed ^ hash)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` − 1; the bias of the multiplication is below bound / 2⁶⁴.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func within(_ range: Range<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// A number from 0 to below 1.
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// True with the given probability; no draw is made for 0, so that an option left out changes nothing else.
    mutating func chance(_ probability: Double) -> Bool {
        probability > 0 && unit() < probability
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
