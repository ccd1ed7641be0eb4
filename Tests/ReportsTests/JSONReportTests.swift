import Foundation
import Testing

@testable import Reports

/// How values become JSON; which of them a report has, the golden files show, and the case `export-schema`.
@Suite struct JSONReportTests {
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
        let back = try JSONDecoder().decode(String.self, from: Data(text.utf8))
        #expect(back.unicodeScalars.elementsEqual(string.unicodeScalars))
    }
}
