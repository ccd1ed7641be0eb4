/// A point in time in UTC: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds within the second.
public struct Instant: Hashable, Comparable, Codable, Sendable {
    /// Seconds since the epoch; negative before it.
    public let seconds: Int64
    /// 0 to 999,999,999, always counted forward from ``seconds``.
    public let nanoseconds: UInt32

    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = min(nanoseconds, 999_999_999)
    }

    /// One that somebody wrote, or the nearest that RFC 3339 can express.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let (first, last) = (Instant.expressible.lowerBound, Instant.expressible.upperBound)
        self.init(
            seconds: min(max(try values.decode(Int64.self, forKey: .seconds), first), last),
            nanoseconds: try values.decode(UInt32.self, forKey: .nanoseconds))
    }

    /// An instant of a day, from its nanoseconds since midnight.
    public init(day: Day, nanosecondOfDay: Int64) {
        self.init(
            seconds: Int64(day.number) * Instant.secondsPerDay + nanosecondOfDay / 1_000_000_000,
            nanoseconds: UInt32(nanosecondOfDay % 1_000_000_000)
        )
    }

    public static let secondsPerDay: Int64 = 86_400
    public static let nanosecondsPerDay = secondsPerDay * 1_000_000_000

    public var day: Day {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: Instant.secondsPerDay)
        return Day(number: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
    }

    /// 0 to 23, the UTC hour.
    public var hour: Int { Int(secondOfDay / 3600) }

    /// The beginning of its hour.
    package var hourStart: Instant { Instant(seconds: seconds - secondOfDay % 3600) }

    /// Nanoseconds since midnight UTC, 0 to 86,399,999,999,999.
    public var nanosecondOfDay: Int64 { secondOfDay * 1_000_000_000 + Int64(nanoseconds) }

    private var secondOfDay: Int64 {
        let remainder = seconds % Instant.secondsPerDay
        return remainder < 0 ? remainder + Instant.secondsPerDay : remainder
    }

    /// The instant `seconds` later, or earlier when negative.
    public func adding(seconds: Int64) -> Instant {
        Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds)
    }

    /// The instant this many nanoseconds later, or earlier if negative; less than a second.
    public func adding(nanoseconds: Int64) -> Instant {
        let sum = Int64(self.nanoseconds) + nanoseconds
        let carry: Int64 = sum < 0 ? -1 : sum / 1_000_000_000
        return Instant(seconds: seconds + carry, nanoseconds: UInt32(sum - carry * 1_000_000_000))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC with as many fraction digits as are needed: `2026-10-14T23:59:58Z`, `2026-10-01T00:00:00.5Z`.
    public var description: String {
        let second = Int(secondOfDay)
        let time = [second / 3600, second / 60 % 60, second % 60].map { zeroPadded($0, 2) }.joined(separator: ":")
        guard nanoseconds > 0 else { return "\(day)T\(time)Z" }
        var fraction = zeroPadded(Int(nanoseconds), 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(day)T\(time).\(fraction)Z"
    }
}

extension Instant {
    /// Reads a timestamp as Cloud Logging, BigQuery and the engines that rewrite logs write them.
    ///
    /// The forms are RFC 3339 (`2026-10-14T23:59:58.123456789Z`, an offset instead of `Z`, lower-case letters),
    /// BigQuery's text (`2026-10-14 23:59:58.123456 UTC`, and without ` UTC` as `bq` prints it), and offsets as DuckDB
    /// (`2026-10-14 23:59:58+00`) and others write them. Fractions may have any number of digits; those beyond the
    /// ninth are cut off. A leap second (`23:59:60`) is read as the last nanosecond
    /// before the next minute, so that it stays in its day. Years are 0001 to 9999, after the offset too.
    ///
    /// - Returns: nil when the bytes are not such a timestamp, to the last byte.
    public init?(timestamp bytes: Span<UInt8>) {
        guard bytes.count >= 19, let day = Day(bytes: bytes) else { return nil }
        let separator = bytes[10]
        guard
            separator == UInt8(ascii: "T") || separator == UInt8(ascii: "t") || separator == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let hour = twoDigits(of: bytes, at: 11), let minute = twoDigits(of: bytes, at: 14),
            let second = twoDigits(of: bytes, at: 17),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }

        var index = 19
        var nanoseconds: UInt32 = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") {
            guard let fraction = Instant.fraction(in: bytes, after: index) else { return nil }
            nanoseconds = fraction.nanoseconds
            index = fraction.end
        }
        // Only after BigQuery's space is a time without a zone known to be one of UTC.
        let isBare = index == bytes.count && separator == UInt8(ascii: " ")
        guard let offset = isBare ? 0 : Instant.offset(in: bytes, at: index) else { return nil }

        let isLeapSecond = second == 60
        let secondOfDay = hour * 3600 + minute * 60 + min(second, 59)
        let seconds = Int64(day.number) * Instant.secondsPerDay + Int64(secondOfDay - offset)
        guard Instant.expressible.contains(seconds) else { return nil }
        self.init(seconds: seconds, nanoseconds: isLeapSecond ? 999_999_999 : nanoseconds)
    }

    /// Reads a time as somebody types it: RFC 3339, also without seconds (`2026-10-20T09:00Z`).
    public init?(typed text: String) {
        let bytes = Array(text.utf8)
        let hasSeconds = bytes.count < 17 || bytes[16] == UInt8(ascii: ":")
        self.init(timestamp: (hasSeconds ? bytes : bytes[..<16] + Array(":00".utf8) + bytes[16...]).span)
    }

    public init?(timestamp text: String) {
        let bytes = Array(text.utf8)
        self.init(timestamp: bytes.span)
    }

    /// The instants that RFC 3339 can express in UTC: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    private static let expressible: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private static func fraction(in bytes: Span<UInt8>, after point: Int) -> (nanoseconds: UInt32, end: Int)? {
        var index = point + 1
        var value: UInt32 = 0
        let ninth = min(bytes.count, index + 9)
        while index < ninth {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ UInt32(digit)
            index += 1
        }
        let digits = index - point - 1
        guard digits > 0 else { return nil }
        for _ in digits..<9 { value &*= 10 }
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return (value, index)
    }

    /// Seconds east of UTC, when the bytes from `index` to the end are `Z`, ` UTC`, or an offset as engines write it:
    /// `+05:30`, `+0530` or `+05`, also after a space, and then also before ` UTC`.
    private static func offset(in bytes: Span<UInt8>, at index: Int) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] | 0x20 == UInt8(ascii: "z") { return index + 1 == bytes.count ? 0 : nil }
        let isSpaced = bytes[index] == UInt8(ascii: " ")
        let end = isSpaced && endsWithUTC(bytes, after: index) ? bytes.count - 4 : bytes.count
        if end == index { return 0 }
        let sign = isSpaced ? index + 1 : index
        guard
            sign + 3 <= end, bytes[sign] == UInt8(ascii: "+") || bytes[sign] == UInt8(ascii: "-"),
            let hours = twoDigits(of: bytes, at: sign + 1), hours <= 23
        else { return nil }
        var minutes = 0
        if sign + 3 < end {
            let start = bytes[sign + 3] == UInt8(ascii: ":") ? sign + 4 : sign + 3
            guard start + 2 == end, let read = twoDigits(of: bytes, at: start), read <= 59 else { return nil }
            minutes = read
        }
        let seconds = hours * 3600 + minutes * 60
        return bytes[sign] == UInt8(ascii: "-") ? -seconds : seconds
    }

    private static func endsWithUTC(_ bytes: Span<UInt8>, after index: Int) -> Bool {
        let start = bytes.count - 4
        return start >= index && bytes[start] == UInt8(ascii: " ") && bytes[start + 1] == UInt8(ascii: "U")
            && bytes[start + 2] == UInt8(ascii: "T") && bytes[start + 3] == UInt8(ascii: "C")
    }
}

extension Day {
    fileprivate init?(bytes: Span<UInt8>) {
        guard
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let century = twoDigits(of: bytes, at: 0), let year = twoDigits(of: bytes, at: 2),
            let month = twoDigits(of: bytes, at: 5), let day = twoDigits(of: bytes, at: 8)
        else { return nil }
        self.init(year: century * 100 + year, month: month, day: day)
    }
}

@inline(__always)
private func twoDigits(of bytes: Span<UInt8>, at index: Int) -> Int? {
    let tens = bytes[index] &- UInt8(ascii: "0")
    let ones = bytes[index + 1] &- UInt8(ascii: "0")
    return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
}
