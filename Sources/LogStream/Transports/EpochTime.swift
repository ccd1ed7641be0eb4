internal import Verifications

/// Reads a time as exports of tables write it: seconds since 1970, as a number or as its text.
///
/// `1754346911.837407`, `1.754346911837407E9` and `"1754346911"` are exact here: the digits are shifted, never rounded
/// through a floating-point number.
enum EpochTime {
    /// The instant; nil when the text is no such number, or lies beyond the years 0001 to 9999.
    static func instant(_ text: RawText) -> Instant? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        var digits: Int64 = 0
        var digitCount = 0
        var fractionDigits = 0
        var isFraction = false
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                // 18 digits fit; what follows is below a nanosecond.
                if digitCount < 18 {
                    digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                    digitCount += digits == 0 ? 0 : 1
                    fractionDigits += isFraction ? 1 : 0
                } else if !isFraction {
                    return nil
                }
            } else {
                break
            }
            index += 1
        }
        guard index > (isNegative ? 1 : 0), let exponent = exponent(text, from: index) else { return nil }
        return instant(digits: isNegative ? -digits : digits, scale: exponent - fractionDigits)
    }

    private static func exponent(_ text: RawText, from start: Int) -> Int? {
        guard start < text.count else { return 0 }
        guard text[start] | 0x20 == UInt8(ascii: "e"), start + 1 < text.count else { return nil }
        return Int(text.cut(start + 1..<text.count).string).flatMap { (-30...30).contains($0) ? $0 : nil }
    }

    /// `digits` · 10^`scale` seconds.
    private static func instant(digits: Int64, scale: Int) -> Instant? {
        var nanoseconds = digits
        // From here on the unit is a nanosecond, and a positive scale multiplies.
        for _ in 0..<abs(scale + 9) {
            if scale + 9 < 0 {
                nanoseconds /= 10
            } else {
                let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: 10)
                if overflow { return nil }
                nanoseconds = product
            }
        }
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 {
            seconds -= 1
            rest += 1_000_000_000
        }
        return Instant(seconds: seconds, nanoseconds: UInt32(rest))
    }
}
