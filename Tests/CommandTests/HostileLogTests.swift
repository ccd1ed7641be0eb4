import Foundation
import TestSupport
import Testing

/// One log whose projects, regions, functions and labels hold all text that can break a format, in every output.
///
/// What comes out is read by someone else's parsers, in `Readers/inert.py`.
@Suite(.enabled(if: ExternalTool.python.isExpected, "python3 is not installed"))
struct HostileLogTests {
    private static let reader = CommandCase.tests.appending(path: "Readers/inert.py").path
    /// Files that cannot be read have hostile names too; a file name has no slash and no NUL.
    private static let fileNames = HostileText.names.filter { name in
        !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    private let directory: TemporaryDirectory
    private let shell: Shell

    init() throws {
        directory = try TemporaryDirectory()
        shell = Shell(in: directory.url)
    }

    /// Entries with the name in each field that can hold one.
    private func entries(_ name: String, number: Int) -> [String] {
        let json = HostileText.json(name)
        func labels(_ function: String, project: String, region: String) -> String {
            """
            {"type":"cloud_function","labels":{"function_name":\(function),"project_id":\(project),"region":\(region)}}
            """
        }
        func first(_ place: String) -> EntryText { EntryText.first(id: "\(place)-\(number)") }
        let second = EntryText.second(id: "service-\(number)").with(
            "labels",
            #"{"firebase-log-type":"callable-request-verification","goog-drz-cloudfunctions-id":\#(json)}"#)
        return [
            first("function").with("resource", labels(json, project: #""demo""#, region: #""r""#)),
            first("project").with("resource", labels(#""f""#, project: json, region: #""r""#)),
            first("region").with("resource", labels(#""f""#, project: #""demo""#, region: json)),
            second.with(
                "resource",
                """
                {"type":"cloud_run_revision","labels":{"service_name":\(json),"project_id":"demo","location":"l"}}
                """),
        ].map(\.text)
    }

    private func expectInert(
        _ outcome: Shell.Outcome, _ format: String, functions: String = "any", names: [String] = []
    ) throws {
        for (bytes, arguments) in [(outcome.output, [format, functions] + names), (outcome.errors, ["lines", "any"])] {
            let complaints = try ExternalTool.python.run([HostileLogTests.reader] + arguments, input: Array(bytes))
            #expect(String(decoding: complaints, as: UTF8.self) == "")
        }
    }

    @Test(arguments: Tier.some(of: Rendering.all.filter { !$0.isOfOneFunction }, every: 5))
    func allFunctions(_ rendering: Rendering) throws {
        let lines = HostileText.names.enumerated().flatMap { entries($0.element, number: $0.offset) }
        try directory.write(Array(lines.joined(separator: "\n").utf8), to: "log.json")
        for name in HostileLogTests.fileNames { try directory.write([0x1F, 0x8B], to: "broken/\(name).json.gz") }
        let outcome = try shell.run(lines: rendering.line("log.json broken"))
        #expect(outcome.status == 0)
        // Two entries name the function `f`; their project and region differ.
        #expect(outcome.errors.count > 1000)
        guard rendering.isOfFunctions else {
            return try expectInert(outcome, rendering.format == "table" ? "lines" : rendering.format)
        }
        // Tables cut long names, and Markdown knows no way back.
        let isExact = !["table", "markdown"].contains(rendering.format)
        try directory.write(
            Array("[\(HostileText.names.map(HostileText.json).joined(separator: ","))]".utf8), to: "names")
        try expectInert(
            outcome, rendering.format,
            functions: rendering.isComplete ? "\(HostileText.names.count * 4)" : "any",
            names: isExact ? [directory.path("names")] : [])
        if rendering.format == "prometheus", ExternalTool.promtool.isExpected {
            // It ends with another status than 0 when it finds fault.
            #expect(try ExternalTool.promtool.run(["check", "metrics"], input: Array(outcome.output)).isEmpty)
        }
    }

    /// One page for each name.
    @Test(.exhaustive, arguments: Rendering.all.filter { $0.isOfOneFunction && !$0.isStored })
    func oneFunction(_ rendering: Rendering) throws {
        // One name of each special, as a function of one generation or of the other.
        for (number, name) in HostileText.names.enumerated() where number % 4 == 1 {
            let entry = entries(name, number: number)[number % 8 == 1 ? 0 : 3]
            try directory.write(Array(entry.utf8), to: "log-\(number).json")
        }
        let outcome = try shell.run(lines: "for log in log-*.json; do \(rendering.line("$log")); done")
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        try expectInert(outcome, rendering.format, functions: "\(HostileText.names.count / 4)")
        // The message when several functions match.
        let several = try shell.run(lines: "cat log-*.json | callcheck explain '*'")
        #expect(several.status == 64 && several.errors.count > 200)
        try expectInert(several, "lines")
    }

    /// The readers complain of what they should.
    @Test(arguments: [
        ("lines", "a\u{1b}[31mb\n"), ("lines", "a\u{202e}b\n"), ("lines", "\u{301}b\n"), ("table", "a\u{9b}b\n"),
        ("json", "{"), ("json", #"{"functions": [{"function": "a", "function": "b"}]}"#), ("csv", "a,b\r\nc\r\n"),
        ("csv", "a,b\r\n=zq,1\r\n"), ("csv", "a,b\r\n\"x\ny,1\r\n"), ("markdown", "| a |\n| --- |\n| zq | b |\n"),
        ("markdown", "a zq b\n"), ("markdown", "`zq` `\n"), ("markdown", "| a |\n| --- |\n| `z|q` |\n"),
        ("html", "x<!DOCTYPE html>"), ("html", "<!DOCTYPE html><p>a</b></p>"), ("html", "<!DOCTYPE html><!-- a -->"),
        ("html", "<!DOCTYPE html><p id=\"a\" onload=\"x\"></p>"), ("html", "<!DOCTYPE html><p>a\u{202e}b</p>"),
        ("prometheus", "x{a=\"zq\"} 1} 2\n"), ("prometheus", "x{a=\"z\"q\"} 1\n"), ("prometheus", "x{a=\"zq\\\"} 1\n"),
        ("prometheus", "x{a=\"z\\q\"} 1\n"), ("prometheus", "x{a=\"1\",a=\"2\"} 1\n"), ("prometheus", "zq\n"),
    ])
    func readersComplain(format: String, text: String) throws {
        let complaints = try ExternalTool.python.run([HostileLogTests.reader, format, "any"], input: Array(text.utf8))
        #expect(!complaints.isEmpty)
    }

    @Test(arguments: [
        ("json", #"{"functions": [{"function": "zq", "project": "", "region": ""}]}"#), ("csv", "a,b,c\r\n1,2,zq\r\n"),
        ("html", "<!DOCTYPE html><article><h3>zq</h3></article>"),
        ("prometheus", #"v{project="p",region="r",function="zq",verdict="enforce"} 1"# + "\n"),
    ])
    func readersMissNames(format: String, text: String) throws {
        for (names, isMissed) in [(#"["zq"]"#, false), (#"["zq", "zq\u0301"]"#, true)] {
            try directory.write(Array(names.utf8), to: "names")
            let complaints = try ExternalTool.python.run(
                [HostileLogTests.reader, format, "any", directory.path("names")], input: Array(text.utf8))
            #expect(complaints.isEmpty == !isMissed)
        }
    }
}
