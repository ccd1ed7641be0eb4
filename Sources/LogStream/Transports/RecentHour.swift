internal import Verifications

/// The hour of the time that was read last, as `2026-10-14T23:59:58.123456789Z` has it: most times are of the same one,
/// and of those only the rest must be read.
struct RecentHour {
    /// The length of `2026-10-14T23:`.
    private static var textLength: Int { 14 }

    /// The text's first eight bytes and its last eight.
    private var first: UInt64 = 0
    private var last: UInt64 = 0
    /// Seconds since the epoch.
    private var start: Int64 = 0

    init() {}

    /// Nil for a time in another form.
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

    /// Two digits, 00 to 59.
    @inline(__always)
    private static func sixtieth(in text: RawText, at index: Int) -> Int64? {
        let tens = text[index] &- UInt8(ascii: "0")
        let ones = text[index + 1] &- UInt8(ascii: "0")
        return tens <= 5 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
    }
}
