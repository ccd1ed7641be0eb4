import Testing

@testable import callcheck

/// What is shown while a run reads.
@Suite struct ProgressLineTests {
    private let line = ProgressLine(name: "logs/export.json.gz", bytes: 312_000_000, total: 742_000_000, seconds: 1.5)

    @Test func theFileTheBarAndTheTimeLeftAreShown() {
        #expect(
            line.text(columns: 100, unicode: true)
                == "export.json.gz  █████░░░░░░░  42%  312 MB of 742 MB  208 MB/s  3 s left")
        #expect(
            line.text(columns: 100, unicode: false)
                == "export.json.gz  #####.......  42%  312 MB of 742 MB  208 MB/s  3 s left")
    }

    @Test func nothingIsEverWiderThanTheTerminal() {
        let long = ProgressLine(
            name: String(repeating: "ä", count: 300), bytes: 1, total: 742_000_000_000, seconds: 1)
        for columns in 1...120 {
            #expect(long.text(columns: columns, unicode: true).count <= columns)
            #expect(line.text(columns: columns, unicode: false).count <= columns)
        }
        #expect(line.text(columns: 70, unicode: true).hasPrefix("export…son.gz  █"))
        #expect(line.text(columns: 60, unicode: true).hasPrefix("█████░"))
    }

    @Test func withoutASizeThereIsNoBar() {
        let piped = ProgressLine(name: "standard input", bytes: 5_000_000, total: nil, seconds: 2)
        #expect(piped.text(columns: 80, unicode: true) == "standard input  5.0 MB read  2.5 MB/s")
        // A file that has grown meanwhile.
        let grown = ProgressLine(name: "a", bytes: 30, total: 20, seconds: 1)
        #expect(grown.text(columns: 80, unicode: true) == "a  0.0 MB read  0.0 MB/s")
    }

    @Test func aNameIsMadeHarmless() {
        let hostile = ProgressLine(name: "a\u{1B}[2J.json", bytes: 0, total: nil, seconds: 0)
        #expect(hostile.text(columns: 80, unicode: true).hasPrefix("a<U+001B>[2J.json  "))
    }
}
