import Testing
import Verifications

@testable import Reports

@Suite struct FiguresTests {
    @Test(
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567"),
            (-12_345, "-12,345"), (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func groupsOfThree(number: Int, text: String) {
        #expect(Figures.grouped(number) == text)
    }

    @Test(arguments: [(0.96, "1 day"), (1.0, "1 day"), (1.1, "1.1 days"), (3.25, "3.3 days"), (12.4, "12 days")])
    func lengthsOfTime(days: Double, text: String) {
        #expect(Figures.days(days) == text)
    }

    /// A rounded share must not claim none or all.
    @Test(
        arguments: [
            (0, 0, ""), (0, 5, "0%"), (5, 5, "100%"), (1, 2, "50.0%"), (1, 3, "33.3%"), (2, 3, "66.7%"),
            (1, 2000, "0.1%"), (1, 2001, "<0.1%"), (1999, 2000, ">99.9%"), (9994, 10_000, "99.9%"),
            (9995, 10_000, ">99.9%"), (1, 1_000_000, "<0.1%"), (Int.max / 2, Int.max, "50.0%"),
        ])
    func shares(part: Int, whole: Int, text: String) {
        #expect(Figures.percent(part, of: whole) == text)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (72_938_072, "72.9 MB"), (1_111_377_538, "1.11 GB"),
            (99_949_999, "99.9 MB"), (812_000, "812 kB"), (4_000_000_000_000, "4.00 TB"),
            (5_600_000_000_000_000, "5600 TB"), (Int.max, "9223372 TB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(Figures.bytes(bytes) == text)
    }

    @Test func nounsAgree() {
        #expect(Figures.counted(1, "record") == "1 record")
        #expect(Figures.counted(0, "record") == "0 records")
        #expect(Figures.counted(1200, "copy", plural: "copies") == "1,200 copies")
    }

    @Test(
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (3600, "1 h"), (86_280, "23 h 58 min"), (172_799, "47 h 59 min"),
            (172_800, "2 days"),
        ])
    func durations(seconds: Int64, text: String) {
        #expect(Figures.duration(seconds: seconds) == text)
    }

    @Test(
        arguments: [
            ("2026-10-14", "2026-10-14", "14 Oct 2026"), ("2026-10-01", "2026-10-14", "1–14 Oct 2026"),
            ("2026-09-28", "2026-10-11", "28 Sep – 11 Oct 2026"),
            ("2025-12-28", "2026-01-03", "28 Dec 2025 – 3 Jan 2026"),
            ("2025-10-01", "2026-10-01", "1 Oct 2025 – 1 Oct 2026"),
        ])
    func spansOfDays(first: String, last: String, text: String) {
        #expect(CalendarText.span(from: Sample.day(first), to: Sample.day(last)) == text)
    }

    @Test(
        arguments: [
            ("2026-10-14", "2026-10-14", "on 14 Oct 2026"), ("2026-10-01", "2026-10-14", "from 1 Oct to 14 Oct 2026"),
            ("2025-12-28", "2026-01-03", "from 28 Dec 2025 to 3 Jan 2026"),
        ])
    func spansOfDaysInSentences(first: String, last: String, text: String) {
        #expect(CalendarText.during(Sample.day(first), Sample.day(last)) == text)
    }

    @Test func spansToTheMinute() {
        let first = Sample.instant("2026-10-14T00:05:59.999Z")
        #expect(
            CalendarText.span(from: first, to: Sample.instant("2026-10-14T23:58:00Z"))
                == "14 Oct 2026 00:05 – 23:58")
        #expect(
            CalendarText.span(from: first, to: Sample.instant("2026-10-15T00:04:00Z"))
                == "14 Oct 2026 00:05 – 15 Oct 2026 00:04")
        #expect(CalendarText.span(from: first, to: first) == "14 Oct 2026 00:05")
    }
}
