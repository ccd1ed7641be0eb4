import TestSupport
import Testing
import Verifications

@testable import LogStream

/// The table that gives names their indices, and gives up the rest beyond its limit.
@Suite struct NameTableTests {
    @Test func sameNameSameIndex() {
        var table = NameTable(key: .fixed, limit: 100)
        func index(_ project: String, _ region: String = "", _ name: String = "", _ tag: UInt8 = 0) -> Int32 {
            withText(Array(project.utf8)) { project in
                withText(Array(region.utf8)) { region in
                    withText(Array(name.utf8)) { name in
                        table.index(of: NameKey(project: project, region: region, name: name, tag: tag))
                    }
                }
            }
        }
        let distinct = [
            index("a"), index("b"), index("a", "b"), index("a", "", "b"), index("", "a", "b"), index("ab"), index(""),
            index("a", "b", "c", 1), index("a", "b", "c", 2), index("a", "bc", "", 1), index("ab", "", "c", 1),
            index("a\0"),
        ]
        #expect(Set(distinct).count == distinct.count)
        #expect(!distinct.contains(NameTable.none))
        #expect(index("a", "b", "c", 2) == distinct[8])
        #expect(index("") == distinct[6])
        let second = FunctionIdentity(project: "a", region: "b", name: "c", generation: .second)
        #expect(table.identity(at: distinct[8]) == second)
    }

    /// Names that begin and end alike share their place among those looked up lately; they are two names all the same.
    @Test func namesThatDifferInTheMiddle() {
        var table = NameTable(key: HashKey(low: 1, high: 2), limit: 1000)
        var seen: [Int32: Int] = [:]
        for round in 0..<3 {
            for number in 0..<500 {
                let name = Array("beginning-\(number)-the-end-of-it".utf8)
                let index = withText(name) { text in
                    table.index(of: NameKey(project: text, region: text, name: text))
                }
                #expect(seen[index] ?? number == number)
                #expect(round == 0 || seen[index] == number)
                seen[index] = number
            }
        }
        #expect(seen.count == 500)
    }

    /// A full table knows what it has and takes nothing else; a quadratic one would not come back from this.
    @Test(arguments: [0, 1, 1000, 100_000])
    func manyNames(limit: Int) {
        var table = NameTable(key: HashKey(low: 1, high: 2), limit: limit)
        var indices: [Int32] = []
        for _ in 0..<2 {
            indices = (0..<250_000).map { number in
                withText(Array("f\(number)".utf8)) { table.index(of: NameKey(project: $0)) }
            }
        }
        let limit = max(limit, 1)
        #expect(table.isOverfull && table.count == limit + 1)
        #expect(indices == (1...Int32(limit)) + Array(repeating: NameTable.none, count: 250_000 - limit))
    }

    /// Nothing of a function beyond the limit reaches the sink.
    @Test func scannersSayThatThereAreTooMany() throws {
        let lines = (0..<400).map { EntryText.second("s\($0 % 130)", id: "\($0)", project: "p\($0 % 130)").text }
        var options = ScanOptions()
        options.maxFunctions = 20
        let scan = try Scan.text(lines.joined(separator: "\n"), options: options)
        #expect(scan.summary.faults == .tooManyFunctions)
        #expect(Set(scan.found.map(\.identity)).count == 20)
        options.maxFunctions = 130
        let whole = try Scan.text(lines.joined(separator: "\n"), options: options)
        #expect(whole.summary.faults == [] && whole.found.count == 400)
    }
}
