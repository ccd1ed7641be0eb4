import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// When an entry was written.
@Suite struct TimeTests {
    private func instant(_ timestamp: String?, _ received: String?) -> Instant? {
        let entry = EntryText.first().with("timestamp", timestamp).with("receiveTimestamp", received)
        let found = Extraction(entry).found
        #expect(found != nil)
        // Behind another one of an hour that most of these have: nothing is taken from it.
        let behind = Scan.pieces([Array("\(EntryText.first().text)\n\(entry.text)".utf8)]).found.last
        #expect(behind == found)
        #expect((found?.fingerprint == nil) == (found?.instant == nil), "what has no time is no copy of anything")
        return found?.instant
    }

    private func quoted(_ text: String?) -> String? { text.map { "\"\($0)\"" } }

    @Test(
        arguments: [
            ("2026-10-14T12:00:00Z", 1_791_979_200, 0), ("2026-10-14T12:00:00.5Z", 1_791_979_200, 500_000_000),
            ("2026-10-14T12:00:00.123456Z", 1_791_979_200, 123_456_000),
            ("2026-10-14T12:00:00.123456789Z", 1_791_979_200, 123_456_789),
            ("2026-10-14T12:00:00.1234567899Z", 1_791_979_200, 123_456_789),
            ("2026-10-14T12:00:00.000000001Z", 1_791_979_200, 1), ("2026-10-14T14:00:00+02:00", 1_791_979_200, 0),
            ("2026-10-14T12:30:15z", 1_791_981_015, 0), ("2026-10-14t12:30:15Z", 1_791_981_015, 0),
            ("2026-10-14T12:30:15,5Z", 1_791_981_015, 500_000_000),
            ("2026-10-14T12:30:15.5+00:00", 1_791_981_015, 500_000_000),
            ("2026-10-14T12:59:59.1234567890Z", 1_791_982_799, 123_456_789),
            ("2026-10-14T06:30:00-05:30", 1_791_979_200, 0), ("2026-10-15T01:00:00+13:00", 1_791_979_200, 0),
            ("2026-10-14t12:00:00z", 1_791_979_200, 0), (#"2026-10-14T12:00:00\u005a"#, 1_791_979_200, 0),
            ("9999-12-31T23:59:59Z", 253_402_300_799, 0), ("2024-02-29T00:00:00Z", 1_709_164_800, 0),
            ("2026-06-30T23:59:60Z", 1_782_863_999, 999_999_999),
            ("2026-06-30T23:59:60.25Z", 1_782_863_999, 999_999_999),
            ("2026-07-01T01:59:60+02:00", 1_782_863_999, 999_999_999),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
            ("9999-12-31T22:59:59-01:00", 253_402_300_799, 0), ("2026-10-14T14:00:00+0200", 1_791_979_200, 0),
            ("2026-10-14 12:00:00+00", 1_791_979_200, 0), ("2026-10-14 08:00:00.5-04", 1_791_979_200, 500_000_000),
            ("2026-10-14 17:30:00+05:30", 1_791_979_200, 0), ("2026-10-14 12:00:00 +00:00", 1_791_979_200, 0),
            ("2026-10-14 12:00:00.25 +0000 UTC", 1_791_979_200, 250_000_000),
            ("2026-10-14 12:00:00 UTC", 1_791_979_200, 0), ("2026-10-14 17:30:00 +0530", 1_791_979_200, 0),
        ] as [(String, Int64, UInt32)])
    func timestamps(text: String, seconds: Int64, nanoseconds: UInt32) {
        let expected = Instant(seconds: seconds, nanoseconds: nanoseconds)
        #expect(instant(quoted(text), nil) == expected)
        #expect(instant(nil, quoted(text)) == expected)
    }

    /// Fractions of any length; what is beyond a nanosecond is cut off, not rounded.
    @Test(arguments: 0...12)
    func fractionDigits(count: Int) {
        let digits = String("987654321987".prefix(count))
        let nanoseconds = UInt32(String((digits + "000000000").prefix(9)))
        let text = "2026-10-14T12:00:00\(count > 0 ? "." : "")\(digits)Z"
        #expect(instant(quoted(text), nil) == Instant(seconds: 1_791_979_200, nanoseconds: nanoseconds ?? 0))
    }

    /// If a value is not a time, the next place is read; if no place has a time, the entry is undated.
    @Test(arguments: [
        #""""#, "null", "7", "999999999", "{}", "[]", "true", #""2026-10-14""#, #""2026-10-14T12:00:00""#,
        #""2026-13-14T12:00:00Z""#, #""2026-02-29T12:00:00Z""#, #""2026-10-14T25:00:00Z""#, #""2026-10-14T12:60:00Z""#,
        #""2026-10-14T24:00:00Z""#, #""2026-10-14T24:00:00.000Z""#, #""2026-10-14 24:00:00 UTC""#,
        #""2026-10-14T24:00:00+02:00""#, #""2026-10-14T24:00:00.5Z""#, #""2026-10-14T24:00:01Z""#,
        #""2026-10-14T24:01:00Z""#,
        #""9999-12-31T24:00:00Z""#, #""9999-12-31T23:59:59-00:01""#, #""0001-01-01T00:00:00+00:01""#,
        #""2026-10-14T12:00:61Z""#, #""2026-10-14T12:00:00.Z""#, #""2026-10-14T12:00:00Zx""#,
        #""2026-10-14T12:3a:15Z""#, #""2026-10-14T12:30-15Z""#,
        #""2026-10-14T12:30:15.12x4Z""#, #""2026-10-14T12:30:15.xZ""#, #""2026-10-14T12:30:1Z""#, #""2026-10-14T12:Z""#,
        #""2026-10-14T12:00:00+2""#, #""2026-10-14T12:00:00+020""#, #""2026-10-14T12:00:00+02:0""#,
        #""2026-10-14T12:00:00+02:""#, #""2026-10-14T12:00:00+02:00:00""#, #""2026-10-14T12:00:00+02000""#,
        #""2026-10-14T12:00:00+02:60""#, #""2026-10-14 12:00:00 02:00""#, #""2026-10-14 12:00:00  +02:00""#,
        #""2026-10-14 12:00:00+02 UTC""#, #""2026-10-14 12:00:00 +02 PDT""#, #""2026-10-14 12:00:00UTC""#,
        #""2026-10-14 12:00:00 UTC UTC""#, #""2026-10-14 12:00:00 ""#, #""2026-10-14 12:00:00 Z""#,
        #""2026-10-14T12:00:00+24:00""#, #"" 2026-10-14T12:00:00Z""#, #""2026-10-14T12:00:00Z ""#,
        #""0000-01-01T00:00:00Z""#,
        #""12026-10-14T12:00:00Z""#, #""-026-10-14T12:00:00Z""#, #""2026/10/14T12:00:00Z""#, #""２026-10-14T12:00:00Z""#,
        #""\u0000""#, #"["2026-10-14T12:00:00Z"]"#,
    ])
    func noTime(value: String) {
        let received = "2026-10-14T12:00:01Z"
        #expect(instant(value, quoted(received)) == Instant(timestamp: received))
        #expect(instant(quoted(received), value) == Instant(timestamp: received))
        #expect(instant(value, nil) == nil)
        #expect(instant(value, value) == nil)
        #expect(instant(nil, value) == nil)
    }

    /// Exports of tables write seconds since 1970, as a number or as its text; what lies before 2001 is something else.
    @Test(
        arguments: [
            ("1791979200", 1_791_979_200, 0), ("1791979200.25", 1_791_979_200, 250_000_000),
            ("1451606400", 1_451_606_400, 0), ("1791979200.123456789", 1_791_979_200, 123_456_789),
            ("9223372036.999999999", 9_223_372_036, 999_999_999),
            ("1.791979200123456789E9", 1_791_979_200, 123_456_789), ("1791979200.0000000019", 1_791_979_200, 1),
        ] as [(String, Int64, UInt32)])
    func secondsSince1970(text: String, seconds: Int64, nanoseconds: UInt32) {
        let expected = Instant(seconds: seconds, nanoseconds: nanoseconds)
        #expect(instant(text, nil) == expected)
        #expect(instant(quoted(text), nil) == expected)
        #expect(instant(nil, text) == expected)
    }

    /// Stores keep them: another version must make the same.
    @Test func fingerprintsStay() {
        let found = [EntryText.first(), .second(), .second().with("insertId", nil)].map {
            Extraction($0).found?.fingerprint
        }
        #expect(found == [5_165_978_514_629_238_102, 16_373_134_429_752_948_699, nil])
    }

    /// What engines write for a log that they have read, recorded by `Fixtures/times/make.py`.
    @Test func timesOfEngines() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/times/engines.tsv")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t")
        }
        #expect(rows.count == 44)
        for row in rows {
            let written = try #require(Instant(timestamp: String(row[2])))
            let milliseconds = Instant(
                seconds: written.seconds, nanoseconds: written.nanoseconds / 1_000_000 * 1_000_000)
            let found = try #require(instant(String(row[3]), nil), "\(row)")
            #expect(found == written || found == milliseconds, "\(row)")
        }
    }

    /// Milliseconds, microseconds and nanoseconds since 1970 have three, six and nine digits more.
    @Test(arguments: [
        "1791979200250", "1791979200250.000", "1.79197920025e12", "1791979200250000", "1791979200250000000",
        "01791979200250",
    ])
    func partsOfSecondsSince1970(text: String) {
        let expected = Instant(seconds: 1_791_979_200, nanoseconds: 250_000_000)
        #expect(instant(quoted(text), nil) == expected)
        // A number may not begin with a zero.
        if !text.hasPrefix("0") { #expect(instant(text, nil) == expected) }
    }

    @Test(arguments: [
        ".", "-", "e9", ".e9", "1.2.3", "1791979200e", "1791979200e+", "1e99", "1e-99", "1791979200x", " 1791979200",
        "1791979200 ", "+1791979200", "-1791979200", "1_791_979_200", "0x7", "1e9.5", "9223372037",
        "9999999999999999999", "18446744073709551617", "99999999999999999999",
        "9999999999999999999999999999", "NaN", "999999999.999999999",
        "17919792002", "179197920025", "17919792002500", "179197920025000", "9999999999999", "9999999999999999",
    ])
    func noSecondsSince1970(text: String) {
        #expect(instant(quoted(text), nil) == nil)
    }

    @Test func noTimeAtAll() {
        #expect(instant(nil, nil) == nil)
    }

    /// A stamp more than one hour later than the arrival is a clock that runs wild: the arrival is taken.
    @Test(arguments: [
        ("2026-10-14T12:59:59.999999999Z", false), ("2026-10-14T13:00:00Z", false),
        ("2026-10-14T13:00:00.000000001Z", true),
        ("2026-10-14T13:00:01Z", true), ("9999-12-31T23:59:59Z", true), ("2026-10-14T14:00:00+01:00", false),
        ("2026-10-14T14:00:01+01:00", true), ("2026-10-14T11:00:00Z", false), ("2026-10-13T12:00:00Z", false),
    ])
    func stampedAfterItsArrival(stamped: String, takesArrival: Bool) {
        let received = "2026-10-14T12:00:00Z"
        #expect(instant(quoted(stamped), quoted(received)) == Instant(timestamp: takesArrival ? received : stamped))
    }

    /// One more than a day earlier was imported again, or forged: it has no time that can be believed.
    @Test(arguments: ["2026-10-13T11:59:59.999999999Z", "2020-01-01T00:00:00Z", "2016-01-01T00:00:00Z"])
    func stampedLongBeforeItsArrival(stamped: String) {
        #expect(instant(quoted(stamped), quoted("2026-10-14T12:00:00Z")) == nil)
        #expect(instant(quoted(stamped), nil) == Instant(timestamp: stamped))
    }

    @Test func arrivalWithFraction() {
        let received = "2026-10-14T12:00:00.25Z"
        #expect(
            instant(quoted("2026-10-14T13:00:00.25Z"), quoted(received))
                == Instant(timestamp: "2026-10-14T13:00:00.25Z"))
        #expect(instant(quoted("2026-10-14T13:00:00.250000001Z"), quoted(received)) == Instant(timestamp: received))
        #expect(
            instant(quoted("9999-12-31T23:59:59Z"), quoted("9999-12-31T23:59:58Z"))
                == Instant(timestamp: "9999-12-31T23:59:59Z"))
    }

    /// Records of the error stream are dated by the same rule.
    @Test func errorStreamIsDatedAlike() {
        let entry = EntryText.application("x").with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#)
        for (stamped, received, expected) in [
            (#""2026-10-14T13:00:01Z""#, #""2026-10-14T12:00:00Z""#, "2026-10-14T12:00:00Z"),
            ("null", #""2026-10-14T12:00:00Z""#, "2026-10-14T12:00:00Z"), ("null", "null", nil),
        ] as [(String, String, String?)] {
            let line = entry.with("timestamp", stamped).with("receiveTimestamp", received).text
            let scan = Scan.pieces([Array(line.utf8)])
            #expect(scan.errorStreams.map(\.instant) == [expected.flatMap { Instant(timestamp: $0) }])
        }
    }

    // MARK: What tells an entry from its copies

    @Test func fingerprintsOfCopiesAndOthers() {
        let entry = EntryText.second()
        func fingerprint(_ entry: EntryText) -> UInt64? { Extraction(entry).found?.fingerprint }
        let original = fingerprint(entry)
        #expect(original != nil)
        // The same project, log and insertId, spelled or placed differently, or with other differences.
        for copy in [
            entry, EntryText(entry.members.reversed()), entry.with("timestamp", #""2026-10-14T14:00:00.000+02:00""#),
            entry.with("insertId", #""id\u002d1""#),
            entry.with("logName", #""projects\/demo\/logs\/run.googleapis.com%2Fstdout""#),
            entry.with("receiveTimestamp", nil), entry.with("severity", #""INFO""#), entry.adding("x", "1"),
            entry.with("timestamp", #""2026-10-14T15:00:00Z""#), entry.with("timestamp", nil),
            // Times are compared apart, as copies may give them less exactly.
            entry.with("timestamp", #""2026-10-14T12:00:00.000000001Z""#),
        ] { #expect(fingerprint(copy) == original, "\(copy.text)") }
        for other in [
            entry.with("insertId", #""id-2""#), entry.with("insertId", #""id-1 ""#), entry.with("insertId", #""ID-1""#),
            entry.with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#), entry.with("logName", nil),
            EntryText.second(project: "other").with("logName", #""projects/demo/logs/run.googleapis.com%2Fstdout""#),
        ] {
            #expect(fingerprint(other) != nil, "\(other.text)")
            #expect(fingerprint(other) != original, "\(other.text)")
        }
        for unmatched in ["null", #""""#, "7", "{}", nil] {
            #expect(fingerprint(entry.with("insertId", unmatched)) == nil)
        }
    }
}
