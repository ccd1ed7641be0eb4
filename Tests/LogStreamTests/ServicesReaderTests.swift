import Foundation
import Testing
import Verifications

@testable import LogStream

/// Answers of Cloud Monitoring about services, in every shape.
@Suite struct ServicesReaderTests {
    private static let metric = "firebaseappcheck.googleapis.com/services/verification_count"

    /// A series with counts of hours from midnight on, the newest first.
    private func series(
        _ security: String, _ counts: [Int], metric: String = metric, length: Int = 3600, lacking: String? = nil,
        value: (Int) -> String = { "\"int64Value\": \"\($0)\"" }
    ) -> String {
        func time(_ second: Int) -> String {
            let (day, hour, minute) = (12 + second / 86_400, second / 3600 % 24, second / 60 % 60)
            return String(format: "2026-10-%02dT%02d:%02d:00Z", day, hour, minute)
        }
        let points = counts.enumerated().reversed().map { index, count in
            """
            {"interval": {"startTime": "\(time(index * length))", "endTime": "\(time((index + 1) * length))"},
             "value": {\(value(count))}}
            """
        }
        let labels = [
            ("app_id", "UNKNOWN"), ("result", "ALLOW"), ("security", security), ("resource_container", "demo"),
            ("service_id", "firestore.googleapis.com"),
        ]
        func text(_ range: Range<Int>) -> String {
            labels[range].filter { $0.0 != lacking }.map { "\"\($0.0)\": \"\($0.1)\"" }.joined(separator: ", ")
        }
        return """
            {"metric": {"type": "\(metric)", "labels": {\(text(0..<3))}}, "resource": {"labels": {\(text(3..<5))}},
             "points": [\(points.joined(separator: ",\n"))]}
            """
    }

    private static func asPythonSpells(_ answer: String) -> String {
        [
            "timeSeries": "time_series", "nextPageToken": "next_page_token", "startTime": "start_time",
            "endTime": "end_time",
            "int64Value": "int64_value",
        ].reduce(answer) { $0.replacing($1.key, with: $1.value) }
    }

    private func page(_ series: String..., more: String = "") -> String {
        "{\"timeSeries\": [\(series.joined(separator: ",\n"))],\(more) \"unit\": \"1\"}\n"
    }

    private func counts(_ scan: Scan) -> [String: [Int: Int]] {
        Dictionary(
            uniqueKeysWithValues: scan.services.series.map { key, counts in
                (
                    key.security.text,
                    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.lowerBound.hour, $0.value) })
                )
            })
    }

    @Test func everyShapeCountsTheSame() throws {
        let (valid, invalid) = (series("VALID", [90, 0, 80]), series("INVALID", [4, 5]))
        let token = " \"nextPageToken\": \"x\","
        let shapes = [
            page(valid, invalid), page(invalid, valid), page(valid, more: token) + page(invalid),
            "[\(page(valid, more: token)), \(page(invalid))]", "[\(valid), \(invalid)]", valid + "\n" + invalid,
            "{\"nextPageToken\": \"x\"}\n" + page(valid, more: token) + page(invalid), page(valid, invalid) + "{}\n",
            page(valid, invalid).replacingOccurrences(of: "\n", with: ""),
            page(valid, invalid).replacingOccurrences(of: ":00:00Z\", \"end", with: ":00:00.000001Z\", \"end"),
            page(series("VALID", [90, 0, 80]) { "\"int64Value\": \($0)" }, invalid),
        ].flatMap { [$0, ServicesReaderTests.asPythonSpells($0)] }
        for shape in shapes {
            let scan = try Scan.text(shape)
            #expect(scan.kinds.isEmpty && scan.summary.faults.isEmpty, "\(shape)")
            #expect(counts(scan) == ["VALID": [0: 90, 2: 80], "INVALID": [0: 4, 1: 5]], "\(shape)")
            #expect(scan.services.incomplete.isEmpty)
        }
        let minutes = try Scan.text(page(series("VALID", [1, 2, 3], length: 60)))
        #expect(minutes.services.requests == 6)
        let days = try Scan.text(page(series("VALID", [100, 200], length: 86_400)))
        #expect(days.services.requests == 300)
    }

    @Test func anAnswerThatIsNotWholeSaysSo() throws {
        for more in [
            " \"nextPageToken\": \"x\",", " \"executionErrors\": [{\"code\": 5}],", " \"unreachable\": [\"us\"],",
        ] {
            let scan = try Scan.text(page(series("VALID", [90]), more: more))
            #expect(scan.services.incomplete == ["demo"])
            #expect(scan.kinds == [.cutPull])
        }
        // An error in the place of a page, and the page of another project after one that names the next.
        let error = #"{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}"#
        let other = page(series("VALID", [80])).replacing("\"demo\"", with: "\"other\"")
        for last in [error + "\n", "[\(error)]\n"] {
            let scan = try Scan.text(page(series("VALID", [90])) + last)
            #expect(scan.services.incomplete == ["demo"], "\(last)")
            #expect(scan.kinds == [.cutPull])
        }
        let scan = try Scan.text(page(series("VALID", [90]), more: " \"nextPageToken\": \"x\",") + other)
        #expect(scan.services.incomplete == ["demo", "other"])
    }

    /// Wherever it is cut, an answer counts as a whole or not at all, and is told once.
    @Test func aCutAnswerCountsNothing() throws {
        let whole = page(series("VALID", [90, 80]), series("INVALID", [4]), more: " \"nextPageToken\": \"\",")
        for text in [whole, "[\(whole)]", ServicesReaderTests.asPythonSpells(whole)] {
            let start = try #require(text.range(of: "points")?.upperBound)
            for end in text[start...].indices.dropLast(text.hasSuffix("\n") ? 2 : 1) {
                let scan = try Scan.text(String(text[..<end]))
                #expect(scan.services.isEmpty && scan.kinds == [.unsupportedFormat], "\(text[..<end])")
            }
        }
    }

    /// The largest minute of an hour is not its sum.
    @Test func gaugesAreNoSums() throws {
        let gauge = series("VALID", [90]).replacing("\"points\"", with: "\"metricKind\": \"GAUGE\", \"points\"")
        let scan = try Scan.text(page(gauge))
        #expect(scan.services.isEmpty)
        #expect(scan.kinds == [.unsupportedFormat])
        let sums = gauge.replacing("GAUGE", with: "DELTA")
        #expect(try Scan.text(page(sums)).services.requests == 90)
    }

    @Test(arguments: [
        "firebaseappcheck.googleapis.com/resources/verification_count",
        "firebaseappcheck.googleapis.com/services/verdict_count", "run.googleapis.com/request_count",
    ])
    func anotherMetricIsNamedAndNeverAdded(metric: String) throws {
        let other = series("VALID", [7], metric: metric)
        let both = try Scan.text(page(series("VALID", [90]), other))
        #expect(both.services.requests == 90)
        #expect(both.kinds == [.unexpectedContainer])
        let alone = try Scan.text(page(other))
        #expect(alone.services.isEmpty)
        #expect(alone.kinds == [.unsupportedFormat])
    }

    @Test func answersOfQueriesAreNamed() throws {
        for text in [
            #"{"timeSeriesDescriptor": {}, "timeSeriesData": []}"#,
            #"{"status": "success", "data": {"resultType": "matrix", "result": []}}"#,
        ] {
            #expect(try Scan.text(text).kinds == [.unsupportedFormat])
        }
    }

    @Test func countsAndModesAfterALogAreNamed() throws {
        let counts = page(series("MISSING_OUTDATED_CLIENT", [4]))
        let alone = series("MISSING_OUTDATED_CLIENT", [4])
        let mode = #"{"name": "projects/1/services/firestore.googleapis.com", "enforcementMode": "ENFORCED"}"#
        let entry = #"{"insertId": "1", "logName": "projects/demo/logs/x", "textPayload": "hello"}"#
        let message = #"{"message": {"data": "e30=", "messageId": "1"}}"#
        let lines = """
            {
              "services": [
                {
                  "name": "projects/1/services/firestore.googleapis.com"
                }
              ]
            }
            """
        let logs = [entry, "[\n\(entry)\n]", "{\n\"entries\": [\(entry)]\n}", message, "[\n\(message)\n]"]
        for log in logs {
            for text in [counts, alone, mode, "{\"services\": [\(mode)]}", "[\(alone), \(alone)]", lines] {
                for isStrict in [false, true] {
                    var options = ScanOptions()
                    options.isStrict = isStrict
                    // In lines of messages, and where nothing may go unread, each line that is not JSON is damage.
                    let spread = isStrict || log == message ? [] : [text]
                    for text in spread + [text.replacingOccurrences(of: "\n", with: "")] {
                        let scan = try Scan.text(log + "\n" + text + "\n", options: options)
                        #expect(scan.kinds == [.unexpectedContainer], "\(log)\n\(text)")
                        #expect(scan.summary.problems.entries.first?.detail == ProblemWording.servicesInLog)
                        #expect(scan.summary.unread.total == nil && scan.services.isEmpty)
                    }
                }
            }
        }
    }

    @Test func nothingOfBadCountsCounts() throws {
        let good = series("INVALID", [4])
        var bad = ["app_id", "result", "security", "resource_container", "service_id"].map {
            page(good, series("VALID", [9], lacking: $0))
        }
        for value in ["\"-5\"", "\"99999999999999999999\"", "\"5.5\"", "-5", "null", "true"] {
            bad.append(page(good, series("VALID", [9]) { _ in "\"int64Value\": \(value)" }))
        }
        bad.append(page(good, series("VALID", [9]) { _ in "\"doubleValue\": 5" }))
        bad.append(page(good, series("VALID", [1, 2], length: 57_600)))
        bad.append(String(page(good, series("VALID", [9])).dropLast(60)))
        for text in bad {
            let scan = try Scan.text(text)
            #expect(scan.services.isEmpty, "\(text)")
            #expect(scan.kinds.contains(.unsupportedFormat), "\(text)")
            #expect(!scan.summary.faults.isEmpty)
        }
        var options = ScanOptions()
        options.horizon = try #require(Instant(timestamp: "2026-10-12T00:30:00Z"))
        #expect(try Scan.text(page(good), options: options).services.isEmpty)
    }

    @Test func modesInEveryShape() throws {
        let mode = """
            {"name": "projects/123456789012/services/firestore.googleapis.com", "enforcementMode": "ENFORCED",
             "updateTime": "2026-10-14T08:00:00.123456Z"}
            """
        let never = #"{"name": "projects/123456789012/services/identitytoolkit.googleapis.com"}"#
        for text in [
            "{\"services\": [\(mode), \(never)]}", "[\(mode), \(never)]", mode + "\n" + never,
            "{\"status\": \"success\", \"result\": [\(mode), \(never)]}",
            "{\"status\": \"success\", \"result\": {\"services\": [\(mode), \(never)]}}",
        ] {
            let modes = try Scan.text(text).services.modes.sorted { $0.service < $1.service }
            #expect(modes.map(\.isEnforced) == [true, false], "\(text)")
            #expect(modes.map(\.isCounted) == [true, false])
            #expect(modes.first?.updated == Instant(timestamp: "2026-10-14T08:00:00.123456Z"))
        }
    }
}
