internal import Verifications

/// Reads a time as exports of tables write it: seconds since 1970, as a number or as its text; also milliseconds, which
/// is what pandas writes, microseconds and nanoseconds, told apart by the number of digits.
///
/// `1754346911.837407`, `1.754346911837407E9` and `"1754346911"` are exact here: the digits are shifted, never rounded
/// through a floating-point number.
enum EpochTime {
    /// 2016-01-01: no log is older.
    static let earliest: Int64 = 1_451_606_400
    /// 2262-04-11: what 63 bits of nanoseconds reach.
    private static let latest: UInt64 = 9_223_372_036

    /// The instant; nil when the text is no such number, or lies before 2001 or after 2262.
    static func instant(_ text: RawText) -> Instant? {
        var digits: UInt64 = 0
        var digitCount = 0
        var leadingZeros = 0
        var fractionDigits = 0
        var isFraction = false
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), !isFraction, index > 0 {
                isFraction = true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                // 19 digits fit, which is nanoseconds until 2262; what follows them is less.
                if digitCount < 19 {
                    digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
                    digitCount += 1
                    leadingZeros += digits == 0 ? 1 : 0
                    fractionDigits += isFraction ? 1 : 0
                } else if !isFraction {
                    return nil
                }
            } else {
                break
            }
            index += 1
        }
        guard index > 0, let exponent = exponent(text, from: index) else { return nil }
        let scale = exponent - fractionDigits
        // From 2001 to 2262 seconds have ten digits before the point.
        return switch digitCount - leadingZeros + scale {
        case 10: instant(digits: digits, scale: scale)
        case 13: instant(digits: digits, scale: scale - 3)
        case 16: instant(digits: digits, scale: scale - 6)
        case 19: instant(digits: digits, scale: scale - 9)
        default: nil
        }
    }

    private static func exponent(_ text: RawText, from start: Int) -> Int? {
        guard start < text.count else { return 0 }
        guard text[start] | 0x20 == UInt8(ascii: "e"), start + 1 < text.count else { return nil }
        return Int(text.cut(start + 1..<text.count).string).flatMap { (-30...30).contains($0) ? $0 : nil }
    }

    /// `digits` · 10^`scale` seconds.
    private static func instant(digits: UInt64, scale: Int) -> Instant? {
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
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard seconds <= latest else { return nil }
        return Instant(seconds: Int64(seconds), nanoseconds: UInt32(rest))
    }
}

/// The hour of the time that was read last, as `2026-10-14T23:59:58.123456789Z` has it: most times are of the same one,
/// and of those only the rest must be read.
struct RecentHour {
    /// The length of `2026-10-14T23:`.
    private static var textLength: Int { 14 }

    /// The text's first eight bytes and its last eight.
    private var first: UInt64 = 0
    private var last: UInt64 = 0
    private var start: Int64 = 0

    init() {}

    init?(of instant: Instant, in text: RawText) {
        guard text.count > RecentHour.textLength, text[10] == UInt8(ascii: "T"), text.last == UInt8(ascii: "Z"),
            instant.seconds >= 0
        else { return nil }
        first = text.bigEndianWord(at: 0)
        last = text.bigEndianWord(at: RecentHour.textLength - 8)
        start = instant.seconds - instant.seconds % 3600
    }

    /// A time of this hour, the same as ``Instant`` reads it; nil for others, and for what is spelled otherwise: with
    /// one to nine digits after the point, or without both.
    @inline(__always)
    func instant(_ text: RawText) -> Instant? {
        guard text.count >= 20, text.count <= 30, text.bigEndianWord(at: 0) == first,
            text.bigEndianWord(at: RecentHour.textLength - 8) == last, text[16] == .colon,
            text[text.count - 1] == UInt8(ascii: "Z"), let minute = RecentHour.sixtieth(in: text, at: 14),
            let second = RecentHour.sixtieth(in: text, at: 17)
        else { return nil }
        var nanoseconds: UInt32 = 0
        if text.count > 20 {
            guard text[19] == UInt8(ascii: "."), text.count > 21 else { return nil }
            for index in 20..<text.count - 1 {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit <= 9 else { return nil }
                nanoseconds = nanoseconds &* 10 &+ UInt32(digit)
            }
            for _ in text.count..<30 { nanoseconds &*= 10 }
        }
        return Instant(seconds: start + minute * 60 + second, nanoseconds: nanoseconds)
    }

    @inline(__always)
    private static func sixtieth(in text: RawText, at index: Int) -> Int64? {
        let tens = text[index] &- UInt8(ascii: "0")
        let ones = text[index + 1] &- UInt8(ascii: "0")
        return tens <= 5 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
    }
}
