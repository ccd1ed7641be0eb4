import Foundation
import TestSupport
import Testing

/// What the pages say is true.
@Suite struct PageTests {
    private static let repository = Repository.this

    private static var pages: [MarkdownPage] {
        get throws {
            let documentation = try ["Sources", "samples"].flatMap {
                try repository.files(below: $0, endings: [".md"])
            }
            let top = try ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md"].map(repository.file)
            return (top + documentation).map {
                MarkdownPage(path: $0.path, text: $0.text)
            }
        }
    }

    private static var examples: [ConsoleExample] {
        get throws {
            try pages.flatMap { $0.blocks.filter { $0.language == "console" }.flatMap(ConsoleExample.all) }
        }
    }

    @Test func linksLeadSomewhere() throws {
        let dead = try PageTests.pages.flatMap { $0.deadLinks(in: PageTests.repository) }
        #expect(dead.isEmpty, Comment(rawValue: dead.joined(separator: "\n")))
    }

    /// A page is read in one sitting; tables are looked up, and the changelog grows with each release.
    @Test func pagesAreShort() throws {
        let long = try PageTests.pages.filter { page in
            let prose = page.lines.filter { !$0.hasPrefix("|") }
            return page.path != "CHANGELOG.md"
                && prose.reduce(0) { $0 + $1.split(whereSeparator: \.isWhitespace).count } > 2_000
        }
        #expect(long.map(\.path) == [])
    }

    @Test func namedTestsExist() throws {
        let paths = PageTests.repository.paths(below: "Tests")
        let names = try PageTests.pages.filter { $0.path != "CHANGELOG.md" }.flatMap(\.lines)
            .flatMap { $0.matches(of: #/`([A-Z]\w+Tests)`/#).map { String($0.1) } }
        let missing = Set(names).filter { name in !paths.contains { $0.contains("/\(name)") } }
        #expect(!names.isEmpty && missing.isEmpty, "\(missing)")
    }

    @Test func thereAreExamples() throws {
        #expect(try PageTests.examples.count > 0)
    }

    /// Filters for Cloud Logging are written in one file of Sources; pages show only filters that callcheck prints.
    @Test func filtersAreWrittenOnce() throws {
        let marks = [#"labels."firebase-log-type"="#, #"log_id("run."#]
        let sources = try PageTests.repository.files(below: "Sources", endings: [".swift"])
        let places = sources.filter { file in marks.contains { file.text.contains($0) } }.map(\.path)
        #expect(places == ["Sources/Reports/Export/CloudCommand.swift"])

        let printed = try String(
            decoding: Shell(in: PageTests.repository.root).run(line: "callcheck export").output, as: UTF8.self)
        let known = Set(printed.split(separator: "\n").map { $0.drop { " (".contains($0) } })
        let shown = try PageTests.pages.flatMap(\.lines).filter { line in marks.contains { line.contains($0) } }
        #expect(shown.filter { !known.contains($0.drop { " (".contains($0) }) } == [])
    }

    /// Commands print what the page shows, on a terminal 80 wide, or into a pipe where they are typed with one.
    ///
    /// They run in the page's order: later ones may read what earlier ones wrote. With `RECORD_GOLDEN=1` the page is
    /// written anew, and the test fails once.
    @Test func examplesPrintWhatThePagesShow() throws {
        try #require(BuiltProgram.isBuilt, "there is no callcheck in \(BuiltProgram.folder.path)")
        let root = PageTests.repository.root
        for page in try PageTests.pages {
            var lines = page.lines
            var shownBlocks: [(block: MarkdownPage.Block, lines: [String])] = []
            for block in page.blocks where block.language == "console" {
                var shown: [String] = []
                for example in ConsoleExample.all(in: block) {
                    let shell = Shell(in: root, variables: ["COLUMNS": example.columns])
                    let printed = try String(decoding: shell.run(line: example.command).output, as: UTF8.self)
                        .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
                    let isMet = example.isMet(by: printed)
                    shown += ("$ " + example.command).split(separator: "\n").map { String($0) }
                    shown += isMet ? example.output : printed.dropLast(printed.last == "" ? 1 : 0)
                    if !isMet {
                        let changes = TextDifference(
                            from: example.output.joined(separator: "\n"), to: printed.joined(separator: "\n"))
                        Issue.record("\(page.path): $ \(example.command)\n\(changes)")
                    }
                }
                shownBlocks.append((block, shown))
            }
            for (block, shown) in shownBlocks.reversed() {
                lines.replaceSubrange(block.start..<block.start + block.lines.count, with: shown)
            }
            if lines != page.lines, ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
                try Data(lines.joined(separator: "\n").utf8)
                    .write(to: PageTests.repository.root.appending(path: page.path))
                Issue.record("recorded new output in \(page.path)")
            }
        }
    }
}
