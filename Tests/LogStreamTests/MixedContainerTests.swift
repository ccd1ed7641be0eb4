import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// One way of writing logs in the middle of another: what fits is read, what does not is reported, and nothing else is
/// lost before or behind it.
@Suite struct MixedContainerTests {
    /// Ways to write the verifications of two requests.
    enum Form: CaseIterable {
        case lines, pretty, array, gcloud, page, prettyPage, push, pull, rows, emulator, functionsLog, python, explorer

        /// The text of two requests of these functions.
        func text(_ names: (String, String)) -> String {
            let records = [EntryText.first(names.0, id: names.0).text, EntryText.first(names.1, id: names.1).text]
            func twice(_ line: (String) -> String) -> String { "\(line(names.0))\n\(line(names.1))\n" }
            switch self {
            case .lines: return MixedContainerTests.text(.lines, records)
            case .pretty: return MixedContainerTests.text(.prettyTwo, records)
            case .array: return MixedContainerTests.text(.array, records)
            case .gcloud: return MixedContainerTests.text(.gcloudArray, records)
            case .page: return MixedContainerTests.text(.pagesOnLines, records)
            case .prettyPage: return MixedContainerTests.text(.prettyPages, records)
            case .pull: return MixedContainerTests.text(.pulled, records) + "\n"
            case .push:
                return records.map {
                    #"{"message":{"data":"\#(Data($0.utf8).base64EncodedString())"},"subscription":"s"}"# + "\n"
                }.joined()
            case .rows:
                return twice {
                    #"{"log_name":"x","insert_id":"\#($0)","labels":{"firebase_log_type":"callable-request-verification"},"#
                        + #""jsonPayload":{"verifications":{"app":"VALID"}}}"#
                }
            case .emulator:
                return twice { _ in ">  \(EntryText.payload(app: "VALID", auth: "VALID"))" }
            case .functionsLog:
                return twice {
                    "2026-09-07T15:52:06.436708Z D \($0): \(EntryText.payload(app: "VALID", auth: "VALID"))"
                }
            case .python:
                return twice { _ in
                    "INFO:root:Callable request verification passed: {'app': 'MISSING', 'auth': 'VALID'}"
                }
            case .explorer:
                let summary = "DEBUG 2025-08-25T13:32:04.715384Z Callable request verification passed\n"
                return records.map { summary + LogStreamTests.pretty($0, by: 2) + "\n" }.joined()
            }
        }
    }

    private static func text(_ layout: Layout, _ records: [String]) -> String {
        String(decoding: layout.log(records).bytes, as: UTF8.self)
    }

    @Test(arguments: Form.allCases, Form.allCases)
    func inTheMiddle(outer: Form, inner: Form) throws {
        let before = outer.text(("a", "b")) + outer.text(("c", "d"))
        let after = outer.text(("e", "f")) + outer.text(("g", "h"))
        let scan = try Scan.text(before + inner.text(("x", "y")) + after)
        let counted = scan.found.count + scan.summary.ignored
        let isReported = scan.kinds.contains(.unexpectedContainer)
        #expect(counted == (isReported ? 8 : 10))
        #expect(scan.summary.malformed == 0)
        // The pages name a next one.
        let problems = scan.summary.problems.entries.filter { $0.kind != .cutPull }
        #expect(problems.allSatisfy { $0.kind == .unexpectedContainer })
        // Problems are reported for the text in the middle only.
        let range = before.utf8.count..<(before.utf8.count + inner.text(("x", "y")).utf8.count)
        for problem in problems { #expect(range.contains(problem.byteOffset ?? -1)) }
    }

    /// Records of all kinds that fit one family are read side by side.
    @Test func kindsOfOneFamilyMix() throws {
        let lines: [Form] = [.lines, .page, .push, .pull, .rows]
        let mixed = lines.map { $0.text(("f", "g")) }.joined()
        #expect(try Scan.text(mixed).found.count == 10)
        let values = Form.allCases.filter { ![.emulator, .functionsLog, .python, .explorer].contains($0) }
        let glued = "[\n" + values.map { $0.text(("f", "g")) }.joined() + "]"
        #expect(try Scan.text(glued).found.count == 2 * values.count)
    }
}
