import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Verifications in forms that cannot be counted show in exactly one counter each, however the file is put together.
@Suite struct UncountedFormsTests {
    private static let entry = EntryText.second("f", app: "MISSING").text
    private static let undated = EntryText.second("f").with("timestamp", nil).with("receiveTimestamp", nil).text
    private static let said =
        #"{"message":"Callable request verification passed","verifications":{"app":"VALID","auth":"VALID"}}"#

    /// The text as a string in JSON.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    enum Counter {
        case counted, malformed, unexpected, none
    }

    private static let forms: [(String, Counter)] = [
        ("\(entry),", .counted), ("\(entry) , ", .counted), (undated, .counted),
        ("Oct 12 10:00:00 host app: \(entry)", .malformed), ("\(entry),\(entry)", .malformed),
        ("Oct 12,callable-request-verification,MISSING", .unexpected),
        (#"{"event":\#(entry)}"#, .unexpected), (#"{"log":\#(quoted(entry)),"stream":"stdout"}"#, .unexpected),
        (quoted(entry), .unexpected), (quoted(quoted(entry)), .unexpected), (#"{"log":\#(quoted(said))}"#, .unexpected),
        (#"{"log":\#(quoted("Oct 12 10:00:00 host app: \(entry)"))}"#, .unexpected),
        (#"{"a":[0,{"b":\#(quoted(#"{"c":[\#(entry)]}"#))}]}"#, .unexpected), ("[1,\(entry)]", .unexpected),
        (#"{"message":\#(quoted(entry)),"@version":"1"}"#, .unexpected),
        (#"{"insertId":"1","jsonPayload":{"data":\#(entry)}}"#, .none),
        (#"{"insertId":"1","textPayload":\#(quoted(entry))}"#, .none),
        (#"{"logName":"projects/p/logs/l","event":\#(entry)}"#, .unexpected),
        (#"{"resource":{},"event":\#(entry)}"#, .unexpected),
        (#"{"severity":"INFO","message":"got","data":\#(entry)}"#, .none),
        (#"{"severity":"INFO","message":\#(quoted(entry))}"#, .none),
        (#"{"jsonPayload":{"data":\#(entry)}}"#, .unexpected), (#"{"insert_id":"1","x":\#(entry)}"#, .unexpected),
        (#"{"message":{"data":"e30="},"x":\#(entry)}"#, .none),
        (#"{"x":{"firebase-log-type":"callable-request-verification"}}"#, .unexpected),
    ]

    /// In lines, plain and compressed, behind an entry that shows what the file is.
    @Test(arguments: forms)
    func inLines(form: String, counter: Counter) throws {
        let text = EntryText.first("first").text + "\n" + String(repeating: form + "\n", count: 700)
        for bytes in [Array(text.utf8), Gzip.member(Array(text.utf8))] {
            try expect(Scan.bytes(bytes), 700, counter)
        }
    }

    /// With nothing else in the file; lines of which none is an object are no log.
    @Test(arguments: forms.filter { $0.1 != .none && !$0.0.hasPrefix("[") })
    func alone(form: String, counter: Counter) throws {
        let text = Array(String(repeating: form + "\n", count: 50).utf8)
        let scan = try Scan.bytes(text)
        guard form.hasPrefix("{") else {
            #expect(scan.kinds == [.unsupportedFormat] && scan.summary.unread.total == 50)
            return
        }
        // Lines that end in a comma are an array without brackets, and so are entries with one between them.
        try expect(scan, form.contains("},{") ? 100 : 50, form.contains("},{") ? .counted : counter, others: 0)
    }

    /// As the elements of an array.
    @Test(arguments: forms.filter { !$0.0.hasPrefix("Oct") && !$0.0.hasPrefix("[") && !$0.0.hasSuffix(" ") })
    func inArrays(form: String, counter: Counter) throws {
        let isTwo = form.contains("},{")
        let element = form.hasSuffix(",") ? String(form.dropLast()) : form
        let text = "[\n\(EntryText.first("first").text)" + String(repeating: ",\n\(element)", count: 50) + "\n]"
        for bytes in [Array(text.utf8), Gzip.member(Array(text.utf8))] {
            try expect(Scan.bytes(bytes), isTwo ? 100 : 50, isTwo ? .counted : counter)
        }
    }

    private func expect(_ scan: Scan, _ count: Int, _ counter: Counter, others: Int = 1) throws {
        #expect(scan.summary.records == count + others)
        #expect(scan.found.count == (counter == .counted ? count + others : others))
        #expect(scan.summary.malformed == (counter == .malformed ? count : 0))
        #expect(scan.summary.unexpected == (counter == .unexpected ? count : 0))
        #expect(scan.summary.ignored + scan.summary.oversized == 0)
        let problems = scan.summary.problems.entries
        switch counter {
        case .counted, .none: #expect(problems.isEmpty)
        case .malformed: #expect(problems.count { $0.kind == .malformedRecord } == ProblemLog.recordLimit)
        case .unexpected:
            #expect(problems.map(\.kind) == [.unexpectedContainer])
            #expect(problems.map(\.record) == [others + 1])
        }
    }
}
