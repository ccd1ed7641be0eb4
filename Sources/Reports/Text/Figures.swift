import Verifications

enum Figures {
    /// Groups of three digits: `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A count with its noun: `1 record`, `1,204 records`, `2 copies`.
    static func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A share with one decimal, which reads as none or all only when it is: `0%`, `<0.1%`, `12.5%`, `>99.9%`, `100%`.
    ///
    /// Empty when there is nothing to take a share of.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        if part == 0 { return "0%" }
        if part == whole { return "100%" }
        let (high, low) = part.multipliedFullWidth(by: 1000)
        let (quotient, remainder) = whole.dividingFullWidth((high, low))
        let tenths = quotient + (remainder >= whole - remainder ? 1 : 0)
        if tenths == 0 { return "<0.1%" }
        if tenths >= 1000 { return ">99.9%" }
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Bytes in decimal units with three significant digits: `812 B`, `72.9 MB`, `1.11 GB`.
    static func bytes(_ count: Int) -> String {
        let names = ["B", "kB", "MB", "GB", "TB"]
        var unit = 1
        var index = 0
        while count / unit >= 1000, index < names.count - 1 {
            unit *= 1000
            index += 1
        }
        guard index > 0 else { return "\(count) B" }
        let thousandths = count / (unit / 1000)
        let places = thousandths < 10_000 ? 2 : thousandths < 100_000 ? 1 : 0
        let divisor = [1000, 100, 10][places]
        let digits = String((thousandths + divisor / 2) / divisor)
        return "\(digits.dropLast(places))\(places > 0 ? "." : "")\(digits.suffix(places)) \(names[index])"
    }

    static func duration(hours: Double) -> String { duration(seconds: Int64(hours * 3600)) }

    /// A length of time in its two largest units: `3 days`, `23 h 58 min`, `4 min`, `12 s`.
    static func duration(seconds: Int64) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours >= 48 { return "\(grouped(Int(hours / 24))) days" }
        if hours > 0 { return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }

    /// The direction in which a rounded number may err.
    enum Rounding {
        case nearest
        /// For upper bounds: the rounded number may be higher than the exact one, never lower.
        case up
        case down
    }

    /// A rate in per cent with about two significant digits: `0.38%`, `2.8%`, `14%`.
    ///
    /// With as many more digits as it takes to read differently from all, and from `limit` unless it equals the limit:
    /// "at least 1%, allowed 1%" would say nothing.
    static func rate(_ rate: Double, _ rounding: Rounding = .nearest, against limit: Double? = nil) -> String {
        let percent = rate * 100
        if percent > 0, percent < 0.01, rounding != .down { return rounding == .up ? "0.01%" : "<0.01%" }
        var places = percent >= 10 ? 0 : percent >= 1 || percent == 0 ? 1 : 2
        var text = decimal(percent, places: places, rounding)
        let others = [1, limit].compactMap(\.self).filter { $0 != rate }.map { exactRate($0).dropLast() }
        while places < 6, others.contains(text[...]) {
            places += 1
            text = decimal(percent, places: places, rounding)
        }
        return text + "%"
    }

    /// A rate that somebody chose, with as many digits as it was written with: `1%`, `0.25%`.
    static func exactRate(_ rate: Double) -> String {
        for places in 0..<6 {
            let scaled = rate * 100 * power(places)
            if (scaled - whole(scaled, .nearest)).magnitude < 1e-9 * max(1, scaled) {
                return decimal(rate * 100, places: places, .nearest) + "%"
            }
        }
        return decimal(rate * 100, places: 6, .nearest) + "%"
    }

    /// A number of requests that need not be whole: `0.3`, `4.5`, `31`, `4,200`.
    static func amount(_ amount: Double, _ rounding: Rounding = .nearest) -> String {
        amount >= 10 ? grouped(Int(whole(amount, rounding))) : decimal(amount, places: 1, rounding)
    }

    /// A part of a noun's number, a day where that is at least one: `7 of 38 requests a day`, `none of 38 requests a
    /// day`, `1 of 614 requests in 28 days`.
    static func share(_ part: Int, of all: Int, _ noun: String = "", in days: Double) -> String {
        let noun = noun.isEmpty ? "" : " " + noun
        if part > 0 && Double(part) < days || Double(all) < days {
            return "\(grouped(part)) of \(grouped(all))\(noun) in \(counted(Int(days.rounded()), "day"))"
        }
        let daily = part == 0 ? "none" : amount(Double(part) / max(1, days))
        return "\(daily) of \(amount(Double(all) / max(1, days)))\(noun) a day"
    }

    /// `1 request a week`, `0.5 requests a week`; never fewer than there are.
    static func perWeek(_ amount: Double) -> String {
        let text = Figures.amount(amount, .up)
        return "\(text) \(text == "1" ? "request" : "requests") a week"
    }

    /// A length of time: `1 day`, `3.2 days`.
    static func days(_ days: Double) -> String {
        let text = amount(days)
        return text == "1" ? "1 day" : "\(text) days"
    }

    /// A number with at most `places` digits after the point, without trailing zeros.
    private static func decimal(_ number: Double, places: Int, _ rounding: Rounding) -> String {
        let scaled = Int(whole(number * power(places), rounding))
        let unit = Int(power(places))
        var fraction = String(scaled % unit)
        fraction = String(repeating: "0", count: max(0, places - fraction.utf8.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return grouped(scaled / unit) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// A number from 0 on, rounded to a whole one; within a hair's breadth of a whole number, it is that number.
    private static func whole(_ number: Double, _ rounding: Rounding) -> Double {
        let hair = 1e-9 * max(1, number)
        let below = Double(Int(min(number + (rounding == .nearest ? 0.5 : hair), 9e15)))
        return rounding == .up && number - below > hair ? below + 1 : below
    }

    private static func power(_ places: Int) -> Double {
        (0..<places).reduce(1) { product, _ in product * 10 }
    }
}

/// Days and spans of time as people write them, in UTC.
enum CalendarText {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `at 02:00–03:59, 21:00–06:59`: hours of the day, ascending; a run goes on past midnight.
    static func hours(_ hours: [Int]) -> String {
        guard hours.count < 24 else { return "in every hour of the day" }
        let runs = hours.filter { !hours.contains(($0 + 23) % 24) }.map { first -> String in
            let length = (1..<24).first { !hours.contains((first + $0) % 24) } ?? 1
            return "\(clock(first)):00–\(clock((first + length - 1) % 24)):59"
        }
        return "at " + runs.joined(separator: ", ")
    }

    private static func clock(_ hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }

    /// `14 Oct 2026`.
    static func day(_ day: Day) -> String {
        let (year, month, number) = day.civil
        return "\(number) \(months[month - 1]) \(year)"
    }

    /// `14 Oct 2026 09:05`.
    static func minute(_ instant: Instant) -> String { "\(day(instant.day)) \(clock(instant))" }

    /// A span of days without what both ends share: `1–14 Oct 2026`, `28 Sep – 11 Oct 2026`.
    static func span(from first: Day, to last: Day) -> String {
        let (start, end) = (first.civil, last.civil)
        if first == last { return day(first) }
        if start.year != end.year { return "\(day(first)) – \(day(last))" }
        if start.month != end.month { return "\(start.day) \(months[start.month - 1]) – \(day(last))" }
        return "\(start.day)–\(day(last))"
    }

    /// The same within a sentence: `on 14 Oct 2026`, `from 28 Sep to 11 Oct 2026`.
    static func during(_ first: Day, _ last: Day) -> String {
        if first == last { return "on \(day(first))" }
        let start = first.civil.year == last.civil.year ? short(first) : day(first)
        return "from \(start) to \(day(last))"
    }

    /// A short span to the minute: `14 Oct 2026 00:12 – 23:58`, `14 Oct 2026 09:05 – 15 Oct 2026 09:04`.
    static func span(from first: Instant, to last: Instant) -> String {
        if minute(first) == minute(last) { return minute(first) }
        let end = first.day == last.day ? clock(last) : minute(last)
        return "\(minute(first)) – \(end)"
    }

    /// `Wed 14 Oct`, for lists whose title gives the year.
    static func weekday(_ day: Day) -> String {
        let (_, month, number) = day.civil
        return "\(weekdays[day.weekday]) \(number < 10 ? " " : "")\(number) \(months[month - 1])"
    }

    /// `14 Oct`, for axes.
    static func short(_ day: Day) -> String {
        let (_, month, number) = day.civil
        return "\(number) \(months[month - 1])"
    }

    /// `14 Oct 09:05 UTC`, or `14 Oct` for the beginning of a day.
    static func moment(_ instant: Instant) -> String {
        instant.nanosecondOfDay == 0 ? short(instant.day) : "\(short(instant.day)) \(clock(instant)) UTC"
    }

    /// The same for a span: `27 Sep – 3 Oct`.
    static func shortSpan(from first: Day, to last: Day, dash: String) -> String {
        let (start, end) = (first.civil, last.civil)
        let month = start.month == end.month ? "" : " \(months[start.month - 1])"
        return "\(start.day)\(month) \(dash) \(end.day) \(months[end.month - 1])"
    }

    /// `09:05`.
    static func clock(_ instant: Instant) -> String {
        func twoDigits(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        let minuteOfDay = instant.nanosecondOfDay / 60_000_000_000
        return "\(twoDigits(minuteOfDay / 60)):\(twoDigits(minuteOfDay % 60))"
    }
}
