import TestSupport
import Testing
import Verifications

@testable import LogStream

/// The table that gives names their indices, and gives up the rest beyond its limit.
@Suite struct NameTableTests {
    /// Feeds names and returns who was asked for what: index by name, in order, and the retired indices.
    private struct Feeding {
        var table: NameTable
        /// What each index stands for now, as its user sees it.
        var users: [Int32: [UInt8]] = [:]
        /// How often each name was counted under an index of its own, and how often it was pooled, then or later.
        var own: [[UInt8]: Int] = [:]
        var pooled: [[UInt8]: Int] = [:]

        init(limit: Int, key: HashKey = HashKey(low: 1, high: 2)) {
            table = NameTable(key: key, limit: limit)
        }

        mutating func feed(_ name: [UInt8]) {
            var retired: [Int32] = []
            let index = withText(name) { table.index(of: NameKey(project: $0)) { retired.append($0) } }
            for index in retired {
                let user = users.removeValue(forKey: index)
                #expect(user != nil, "only what stands for a name is given up")
                guard let user else { continue }
                pooled[user, default: 0] += own.removeValue(forKey: user) ?? 0
            }
            guard index != NameTable.pooled else {
                pooled[name, default: 0] += 1
                return
            }
            #expect(users[index] == nil || users[index] == name, "an index stands for one name at a time")
            users[index] = name
            own[name, default: 0] += 1
        }
    }

    private func names(_ count: Int) -> [[UInt8]] {
        (0..<count).map { Array("function-\($0)".utf8) }
    }

    @Test func sameNameSameIndex() {
        var table = NameTable(key: .fixed, limit: 100)
        func index(_ project: String, _ region: String = "", _ name: String = "", _ tag: UInt8 = 0) -> Int32 {
            withText(Array(project.utf8)) { project in
                withText(Array(region.utf8)) { region in
                    withText(Array(name.utf8)) { name in
                        table.index(of: NameKey(project: project, region: region, name: name, tag: tag)) { _ in }
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
        #expect(!distinct.contains(NameTable.pooled))
        #expect(index("a", "b", "c", 2) == distinct[8])
        #expect(index("") == distinct[6])
        let name = table.name(at: distinct[8])
        #expect(name?.project == "a" && name?.region == "b" && name?.name == "c" && name?.tag == 2)
        #expect(table.name(at: NameTable.pooled) == nil)
    }

    /// Names that begin and end alike share their place among those looked up lately; they are two names all the same.
    @Test func namesThatDifferInTheMiddle() {
        var table = NameTable(key: HashKey(low: 1, high: 2), limit: 1000)
        var seen: [Int32: Int] = [:]
        for round in 0..<3 {
            for number in 0..<500 {
                let name = Array("beginning-\(number)-the-end-of-it".utf8)
                let index = withText(name) { text in
                    table.index(of: NameKey(project: text, region: text, name: text)) { _ in }
                }
                #expect(seen[index] ?? number == number)
                #expect(round == 0 || seen[index] == number)
                seen[index] = number
            }
        }
        #expect(seen.count == 500)
    }

    /// Whatever the order, the names with the smallest ranks keep all their counts, and no count is lost.
    @Test(arguments: [1, 2, 3, 10, 50])
    func theSmallestRanksStay(limit: Int) {
        let names = self.names(300)
        var kept: Set<[UInt8]>?
        for seed in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var feeding = Feeding(limit: limit, key: HashKey(low: seed, high: 7))
            let calls = (0..<4).flatMap { _ in names.shuffled(using: &random) }
            for name in calls { feeding.feed(name) }
            let counted = feeding.own.values.reduce(0, +) + feeding.pooled.values.reduce(0, +)
            #expect(counted == calls.count)
            // Names that were never given up are among those that are held; the smallest ranks are.
            let ranked = feeding.users.sorted {
                (feeding.table.name(at: $0.key)?.rank ?? 0) < (feeding.table.name(at: $1.key)?.rank ?? 0)
            }
            let smallest = Set(ranked.prefix(limit).map(\.value))
            #expect(smallest.count == limit)
            #expect(smallest.allSatisfy { feeding.own[$0] == 4 && feeding.pooled[$0] == nil })
            #expect(kept ?? smallest == smallest, "the order of names and the key of the hash change nothing")
            kept = smallest
            #expect(feeding.table.count <= 2 * limit + 2)
        }
    }

    /// Memory and time stay in proportion: a quadratic table would not come back from this.
    @Test(arguments: [100_000, 1000])
    func manyNames(limit: Int) {
        var table = NameTable(key: HashKey(low: 1, high: 2), limit: limit)
        var retired = 0
        for number in 0..<250_000 {
            withText(Array("f\(number)".utf8)) { name in
                _ = table.index(of: NameKey(project: name)) { _ in retired += 1 }
            }
        }
        #expect(table.count <= 2 * limit + 2)
        #expect(retired > 0)
        let live = (0..<Int32(table.count)).count { table.name(at: $0) != nil }
        #expect((limit...2 * limit + 1).contains(live))
    }

    /// What a sink learns during a scan lets it keep every count.
    @Test func scannersTellTheirSinks() throws {
        let lines = (0..<400).map {
            EntryText.second("s\($0 % 130)", app: "INVALID", id: "\($0)", project: "p\($0 % 90)").text
        }
        var options = ScanOptions()
        options.maxFunctions = 20
        var reader = RecordReader(options: options, sink: RecordingSink())
        var framer = LineFramer(limit: options.maxRecordBytes)
        unsafe withSlack(Array(lines.joined(separator: "\n").utf8)) { unsafe framer.consume($0, &reader) }
        framer.finish(isDamaged: false, &reader)
        #expect(reader.sink.verifications.count == 400)
        #expect(!reader.sink.retiredFunctions.isEmpty)
        #expect(!reader.sink.retiredProjects.isEmpty)
        #expect(reader.functions.count <= 42)
        #expect(reader.projects.count <= 42)
        // Labels of names that were given up are forgotten with them.
        for index in 0..<Int32(reader.functions.count) where reader.functions.name(at: index) == nil {
            #expect(reader.labels[Int(index)] == nil)
        }
    }
}
