import Foundation
import TestSupport
import Testing

/// One log in every shape that people hand in: each is read, or named and counted as unread, or refused.
///
/// The shapes are files next to `Fixtures/shapes/make.py`, which says what each is; all hold the same seven requests.
@Suite struct ShapeTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = tests.appending(path: "LogStreamTests/Fixtures/shapes")
    private static let page = tests.deletingLastPathComponent()
        .appending(path: "Sources/callcheck/Documentation.docc/Internals/formats.md")

    private static let counts = ["VALID": 4, "MISSING": 2, "INVALID": 1, "OTHER": 0]
    private static let requests = 7

    struct Shape: CustomStringConvertible {
        let file: String
        let what: String
        var description: String { file }
    }

    private static let shapes: [Shape] = {
        let list = try? String(contentsOf: folder.appending(path: "shapes.tsv"), encoding: .utf8)
        return (list ?? "").split(separator: "\n").map { line in
            let cells = line.split(separator: "\t")
            return Shape(file: String(cells[0]), what: String(cells[1]))
        }
    }()

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

        let input: Input
        let totals: Totals
    }

    private func answer(_ line: String) throws -> (answer: Answer, status: Int32) {
        let outcome = try Shell(in: ShapeTests.folder).run(lines: line)
        return (try JSONDecoder().decode(Answer.self, from: outcome.output), outcome.status)
    }

    private func answer(on file: String) throws -> (answer: Answer, status: Int32) {
        try answer("callcheck -f json \(file)")
    }

    @Test func theListIsWhole() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: ShapeTests.folder.path)
        #expect(Set(ShapeTests.shapes.map(\.file)) == Set(files).subtracting(["make.py", "shapes.tsv"]))
        #expect(ShapeTests.shapes.count == 36)
    }

    @Test(.enabled(if: BuiltProgram.isBuilt, "callcheck is not built"), arguments: shapes)
    func isReadOrNamed(shape: Shape) throws {
        let (answer, status) = try answer(on: shape.file)
        if answer.input.unread == 0 {
            #expect(status == 0)
            #expect(answer.totals.app == ShapeTests.counts)
            #expect(answer.input.problems.isEmpty)
        } else {
            #expect(answer.input.unread == ShapeTests.requests)
            #expect(answer.totals.app.values.allSatisfy { $0 == 0 })
            #expect(answer.input.problems.count == 1)
            #expect([0, 65].contains(status))
        }
    }

    /// A shape that is not read stays unread behind a log that passes, before one, as a gzip member and in a folder.
    @Test(.enabled(if: BuiltProgram.isBuilt, "callcheck is not built"), arguments: shapes)
    func nothingHidesBesideALog(shape: Shape) throws {
        let isRead = try answer(on: shape.file).answer.input.unread == 0
        let joined = [
            "cat log.ndjson \(shape.file)", "cat \(shape.file) log.ndjson",
            "(gzip -c log.ndjson; gzip -c \(shape.file))",
        ].map { "\($0) | callcheck -f json" }
        let folder = "mkdir logs && cp log.ndjson \(shape.file) logs && callcheck -f json logs"
        for line in joined + [folder] {
            let home = try TemporaryDirectory()
            let script = """
                HOME='\(home.path("."))'
                cp '\(ShapeTests.folder.path)/\(shape.file)' "$HOME"
                cd "$HOME"
                sed 's/shapes-demo/other/g; s/"MISSING"/"VALID"/g' '\(ShapeTests.folder.path)/sink.ndjson' >log.ndjson
                \(line)
                """
            let answer = try answer(script).answer
            // The same requests of another project, all with a valid token except the one with an invalid token.
            let refused = (answer.totals.app["MISSING"] ?? 0) + (answer.totals.app["INVALID"] ?? 0) - 1
            let unread = answer.input.unread ?? 1_000
            #expect(refused + unread >= 3, "\(line)")
            if isRead, line == folder { #expect(refused == 3) }
        }
    }

    /// What is printed to take entries out does so, on the file that it was printed for.
    @Test(
        .enabled(if: BuiltProgram.isBuilt && ExternalTool.jq.isExpected, "callcheck or jq is missing"),
        arguments: shapes)
    func adviceWorks(shape: Shape) throws {
        let (answer, _) = try answer(on: shape.file)
        for problem in answer.input.problems {
            guard let end = problem.detail.range(of: " | callcheck)"),
                let start = ["(gzip", "(python3", "(iconv"].compactMap({ problem.detail.range(of: $0) }).first
            else { continue }
            let command = problem.detail[start.lowerBound..<end.lowerBound].dropFirst()
            let (taken, status) = try self.answer("\(command) | callcheck -f json")
            #expect(status == 0)
            #expect(taken.totals.app == ShapeTests.counts)
            #expect(taken.input.unread == 0)
        }
    }

    /// The table of the documentation says what happens; with `RECORD_GOLDEN=1` it is written anew.
    @Test(.enabled(if: BuiltProgram.isBuilt, "callcheck is not built"))
    func theTableIsTrue() throws {
        let rows = try ShapeTests.shapes.map { shape in
            let (answer, status) = try answer(on: shape.file)
            let kind = answer.input.problems.first?.kind
            let outcome = kind.map { "\(status == 0 ? "named" : "refused"), `\($0)`" } ?? "read"
            return "| \(shape.what) | \(outcome) |"
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
