import Foundation
import TestSupport
import Testing

/// One log in every shape that people hand in, alone and next to a log that passes: each is read, or counted as unread.
///
/// `Fixtures/shapes/make.py` writes the shapes, each with the same fifty requests, and says what each is.
@Suite(.enabled(if: BuiltProgram.isBuilt && ExternalTool.python.isExpected, "callcheck or python3 is missing"))
struct ShapeTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let script = tests.appending(path: "LogStreamTests/Fixtures/shapes/make.py").path
    private static let page = tests.deletingLastPathComponent()
        .appending(path: "Sources/callcheck/Documentation.docc/Internals/formats.md")

    private static let counts = ["VALID": 40, "MISSING": 6, "INVALID": 4, "OTHER": 0]

    /// How a shape is handed in, as a command line: `F` is the file, `log.ndjson` the log that passes.
    enum Place: String, CaseIterable {
        case alone = "gate F"
        case beside = "gate log.ndjson F"
        case before = "cat F log.ndjson | gate"
        case behind = "cat log.ndjson F | gate"
        case inTheNextMember = "(gzip -c log.ndjson; gzip -c F) | gate"
        case inItsFolder = "mkdir logs; cp log.ndjson F logs; gate logs; rm -r logs"
    }

    private struct Shape {
        let file: String
        /// `read`; `unread`; `lost`, where nothing tells how many requests there are.
        let outcome: Substring
        let what: Substring
    }

    /// What callcheck says of a log, as far as it matters here.
    private struct Answer: Decodable {
        struct Input: Decodable {
            struct Problem: Decodable {
                let kind: String
                let detail: String
            }

            let unread: Int?
            let problems: [Problem]
        }

        struct Totals: Decodable { let app: [String: Int] }

        struct Gate: Decodable { let passed: Bool }

        let input: Input
        let totals: Totals
        let gate: Gate
    }

    private let directory: TemporaryDirectory
    private let shapes: [Shape]

    init() throws {
        directory = try TemporaryDirectory()
        _ = try Shell(in: directory.url).run(lines: "python3 '\(ShapeTests.script)'")
        let list = try String(contentsOf: directory.url.appending(path: "shapes.tsv"), encoding: .utf8)
        shapes = list.split(separator: "\n").map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            return Shape(file: String(cells[0]), outcome: cells[1], what: cells[2])
        }
        #expect(shapes.count == 51)
    }

    private func answer(on shape: Shape, _ place: Place) throws -> (answer: Answer, status: Int32) {
        let outcome = try Shell(in: directory.url).run(
            lines: """
                gate() { callcheck check -q -f json --as-of 2026-10-05 "$@"; }
                \(place.rawValue.replacing("F", with: shape.file))
                """)
        return (try JSONDecoder().decode(Answer.self, from: outcome.output), outcome.status)
    }

    /// The log passes, and with a shape next to it no gate does.
    @Test(arguments: Tier.some(of: Place.allCases, every: 3))
    func nothingIsSilent(place: Place) throws {
        let log = Shape(file: "log.ndjson", outcome: "read", what: "")
        let (passed, _) = try answer(on: log, .alone)
        #expect(passed.gate.passed && passed.input.unread == 0)
        for shape in shapes {
            let (answer, status) = try answer(on: shape, place)
            let comment: Comment = "\(shape.file): \(place.rawValue)"
            #expect(!answer.gate.passed && (place == .inItsFolder || status != 0), comment)
            let (app, unread) = (answer.totals.app, answer.input.unread)
            guard shape.outcome != "read" else {
                let refused = ["MISSING", "INVALID"].reduce(0) { $0 + (app[$1] ?? 0) }
                #expect(refused + (unread ?? 50) >= 10, comment)
                if place == .alone { #expect(app == ShapeTests.counts && unread == 0, comment) }
                continue
            }
            switch shape.file {
            // In front of a log that is unread with them, or with the label on one line and the message on another.
            case "python-objects.txt" where place == .before, "gcloud.yaml" where place != .alone:
                #expect(unread ?? 0 >= 50, comment)
            // Zeros between letters, which make what comes after them binary.
            case "utf16.json" where place != .alone: #expect(unread ?? 50 >= 50, comment)
            default:
                #expect(unread == (shape.outcome == "lost" ? nil : 50), comment)
                #expect(app == ["VALID": place == .alone ? 0 : 420, "MISSING": 0, "INVALID": 0, "OTHER": 0], comment)
            }
        }
    }

    /// One sentence says that something is not read, and how to get what is; the documentation's table says what
    /// happens, and with `RECORD_GOLDEN=1` it is written anew.
    @Test func oneSentenceAndATrueTable() throws {
        let answers = try shapes.map { try answer(on: $0, .alone) }
        let kinds = ["unexpected-container", "unsupported-format"]
        let problems = answers.flatMap(\.answer.input.problems).filter { kinds.contains($0.kind) }
        let details = Set(problems.map(\.detail)).filter { !$0.contains("UTF-16") }
        #expect(details.count == 1)
        #expect(details.first?.contains("callcheck export") ?? false)
        #expect(details.first?.contains("in the Logs Explorer, download as JSON") ?? false)

        let rows = zip(shapes, answers).filter { !$0.0.what.isEmpty }.map { shape, answer in
            let kind = answer.answer.input.problems.first?.kind
            return
                "| \(shape.what) | \(kind.map { "\(answer.status == 65 ? "refused" : "unread"), `\($0)`" } ?? "read") |"
        }
        let table = (["| shape | callcheck |", "|---|---|"] + rows).joined(separator: "\n")
        var text = try String(contentsOf: ShapeTests.page, encoding: .utf8)
        let start = try #require(text.range(of: "| shape | callcheck |"))
        let end = text.range(of: "\n\n", range: start.lowerBound..<text.endIndex)?.lowerBound ?? text.endIndex
        guard text[start.lowerBound..<end] != table else { return }
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            text.replaceSubrange(start.lowerBound..<end, with: table)
            try text.write(to: ShapeTests.page, atomically: true, encoding: .utf8)
        }
        Issue.record("the table of shapes in formats.md is not what callcheck does")
    }
}
