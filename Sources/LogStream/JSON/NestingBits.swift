/// One bit for each level of nesting.
struct NestingBits {
    private var words = [9 of UInt64](repeating: 0)

    subscript(level: Int) -> Bool {
        get { words[level >> 6] >> UInt64(level & 63) & 1 == 1 }
        set {
            let bit: UInt64 = 1 << UInt64(level & 63)
            if newValue { words[level >> 6] |= bit } else { words[level >> 6] &= ~bit }
        }
    }
}
