import Verifications

/// Days and spans of time as people write them, in UTC.
enum CalendarText {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `14 Oct 2026`.
    static func day(_ day: Day) -> String {
        let (year, month, number) = day.civil
        return "\(number) \(months[month - 1]) \(year)"
    }

    /// `14 Oct 2026 09:05`.
    static func minute(_ instant: Instant) -> String {
        "\(day(instant.day)) \(clock(instant))"
    }

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
