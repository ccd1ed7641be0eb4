import Foundation
import Readiness
import Testing
import Verifications

@testable import Reports

@Suite struct JSONReportTests {
    /// The keys of `callcheck.report/6`, in their order; when they change, so does the number in ``JSONReport/schema``.
    @Test func shapeOfTheSchema() throws {
        var shape = try OrderedJSON(Report.summary(Story.judged).text(.json)).shape
        shape += try OrderedJSON(Report.summary(Story.troubled).text(.json)).shape.filter {
            $0.hasPrefix("input.problems[]")
        }
        shape += try OrderedJSON(Report.summary(ChangesReportTests.eventful).text(.json)).shape.filter {
            $0.hasPrefix("changes")
        }
        GoldenFiles().expect(shape.joined(separator: "\n") + "\n", "schema-callcheck.report-6.txt")
        #expect(JSONReport.schema == "callcheck.report/6")
    }

    @Test func numbersAreThoseOfTheTally() throws {
        let function = try #require(Story.judged.functions.first { $0.name == "sendReceipts" })
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(Report.summary(Story.judged).text(.json).utf8)) as? [String: Any])
        let rows = try #require(document["functions"] as? [[String: Any]])
        let row = try #require(rows.first { $0["function"] as? String == "sendReceipts" })
        let totals = function.table.totals
        let cells = try #require(row["appByAuth"] as? [String: [String: Int]])
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases { #expect(cells[app.name]?[auth.name] == totals[app, auth]) }
        }
        let daily = try #require(row["daily"] as? [[String: Any]])
        #expect(daily.map { $0["date"] as? String } == function.days.map(\.day.description))
        #expect(daily.map { $0["admitted"] as? Int } == function.days.map { $0.statuses.admitted(.notRefused) })
        #expect(daily.map { $0["blocked"] as? Int } == function.days.map { $0.statuses.blocked(.notRefused) })
        let verdicts = try #require((document["totals"] as? [String: Any])?["verdicts"] as? [String: Int])
        #expect(verdicts.values.reduce(0, +) == Story.judged.functions.count)
        #expect(verdicts["blind"] == 1 && verdicts["exempt"] == 1 && verdicts["enforced"] == 1)
    }

    /// Read with the standard library: Foundation's reader may be off by the last bit.
    @Test func boundsReadBackToTheLastBit() throws {
        let document = try OrderedJSON(Report.summary(Story.judged).text(.json))
        let rows = try #require(document["functions"]?.elements)
        let written = rows.map { row -> Double? in
            if case .number(let upper)? = row["readiness"]?["blockedRateUpper"] { upper } else { nil }
        }
        #expect(written == Story.judged.functions.map { $0.assessment.period.upper })
    }

    @Test func nothingDatedIsNull() throws {
        let document = try OrderedJSON(Report.summary(Story.empty).text(.json))
        guard case .null = document["asOf"] else {
            Issue.record("asOf is not null")
            return
        }
        #expect(document["functions"]?.elements.isEmpty == true)
        #expect(document["totals"]?["verdicts"]?["enforce"] != nil)
    }

    @Test(
        arguments: [
            (0.0, "0.0"), (1.0, "1.0"), (0.01, "0.01"), (0.1 + 0.2, "0.30000000000000004"), (1e-7, "1e-07"),
            (123456.75, "123456.75"), (.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (.nan, "null"),
        ])
    func numbersReadBackAsThemselves(number: Double, text: String) throws {
        var json = JSONWriter()
        json.object(.inline) { $0.member("x", number) }
        var written = ""
        json.drain(into: &written)
        #expect(written == "{\"x\": \(text)}\n")
        if number.isFinite { #expect(Double(text) == number) }
    }

    @Test(
        arguments: [
            ("plain", "\"plain\""), ("\"\\/", #""\"\\/""#), ("a\nb\r\t", #""a\nb\r\t""#),
            ("\u{0}\u{1f}\u{7f}", #""\u0000\u001f\u007f""#), ("\u{1b}[31m", #""\u001b[31m""#),
            ("\"\u{301}", "\"\\\"\u{301}\""), ("\\\u{301}", "\"\\\\\u{301}\""), ("日本", "\"日本\""), ("🚀", "\"🚀\""),
            ("\u{202e}\u{2028}", #""\u202e\u2028""#), ("\u{e0041}", #""\udb40\udc41""#),
        ])
    func stringsAreEscaped(string: String, literal: String) throws {
        var text = ""
        JSONWriter.append(string, to: &text)
        #expect(text.unicodeScalars.elementsEqual(literal.unicodeScalars))
        guard case .string(let back) = try OrderedJSON(text) else {
            Issue.record("not a string: \(text)")
            return
        }
        #expect(back.unicodeScalars.elementsEqual(string.unicodeScalars))
    }
}
