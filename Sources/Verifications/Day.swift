/// A UTC calendar day, as the number of days since 1970-01-01.
///
/// ```swift
/// Day(year: 2026, month: 10, day: 14)?.description  // "2026-10-14"
/// ```
public struct Day: Hashable, Codable, Sendable, Strideable {
    /// Days since 1970-01-01; negative before it.
    public let number: Int32

    public init(number: Int32) { self.number = number }

    /// The day of a proleptic Gregorian date, or nil when there is no such date.
    ///
    /// The arithmetic is Howard Hinnant's `days_from_civil`
    /// (<https://howardhinnant.github.io/date_algorithms.html>): years start in March, so that the leap day comes last.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Day.length(ofMonth: month, year: year) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.number = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// Year, month (1 to 12) and day of the month (1 to 31): Hinnant's `civil_from_days`, the inverse of
    /// ``init(year:month:day:)``.
    public var civil: (year: Int, month: Int, day: Int) {
        let shifted = Int(number) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// True for the years 1 to 9999.
    package var isExpressible: Bool { (1...9999).contains(civil.year) }

    /// 0 for Monday to 6 for Sunday.
    public var weekday: Int { ((Int(number) + 3) % 7 + 7) % 7 }
    public func distance(to other: Day) -> Int { Int(other.number) - Int(number) }
    public func advanced(by days: Int) -> Day { Day(number: Int32(clamping: Int(number) + days)) }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Day: CustomStringConvertible {
    public var description: String {
        let (year, month, day) = civil
        return "\(zeroPadded(year, 4))-\(zeroPadded(month, 2))-\(zeroPadded(day, 2))"
    }

    public init?(iso8601 text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap { $0.utf8.allSatisfy(isDigit) ? Int($0) : nil }
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }
}

func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

func zeroPadded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
