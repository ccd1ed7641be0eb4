import Analysis
import History
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// However a log comes in, over however many nights: the store holds what one pass over all of it counts.
@Suite struct EqualityTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func anyOverlapsInAnyOrder(seed: UInt64) throws {
        let log = MixedLog(seed: seed)
        var random = SeededGenerator(seed: seed)
        let nights = try Nights()
        let whole = try nights.analysis(log.whole)
        let parts = log.parts([1, 2, 3, 7][Int(seed % 4)], using: &random)
        for (index, part) in (parts + parts.prefix(2)).enumerated() {
            try nights.ingest(part, as: "part-\(index).json", isCompressed: index.isMultiple(of: 2))
        }
        let stored = try nights.load()
        expectEqual(stored.tally, whole.tally)
        #expect(stored.input.verifications == whole.input.verifications)
        #expect(stored.input.undated == whole.input.undated)
        #expect(whole.input.undated > 5 && whole.input.duplicates > 20)
    }

    /// SQLite ends text at a NUL: names that hold one are kept apart all the same.
    @Test func namesOfAnyCharacters() throws {
        let names = ["f", #"f\u0000"#, #"f\u0000g"#, #"\u001a"#, #"\u001a0"#, #"\u001a1\u0000"#, #"\u0000\u0301"#, ""]
        let entries = names.enumerated().flatMap { index, name in
            [
                EntryText.first(name, id: "a\(index)"), EntryText.first(id: "b\(index)", region: name),
                EntryText.first(id: "c\(index)", project: name), EntryText.second(id: "d\(index)", label: name),
            ]
        }
        let text = entries.map(\.text).joined(separator: "\n")
        let nights = try Nights()
        try nights.ingest(text, as: "1.json")
        try nights.ingest(text, as: "2.json", isCompressed: true)
        expectEqual(try nights.load().tally, try nights.analysis([text]).tally)
    }

    /// One store for a whole run is the same as a new one for each input.
    @Test func oneRunOverAll() throws {
        let log = MixedLog(seed: 77)
        var random = SeededGenerator(seed: 5)
        let nights = try Nights()
        let store = try nights.store()
        for (index, part) in log.parts(9, using: &random).enumerated() {
            _ = try Nights.ingest(try nights.input(Array(part.utf8), "\(index).json"), into: store)
        }
        try store.finishRun(retentionDays: nil, at: now)
        expectEqual(try nights.load().tally, try nights.analysis(log.whole).tally)
    }

    @Test func theSameFileAgainAddsNothing() throws {
        let log = MixedLog(seed: 3)
        let nights = try Nights()
        for text in log.whole {
            let first = try nights.ingest(text, as: "night.json")
            #expect(first.summary.verifications > 50)
            for name in ["night.json", "shared under another name.json"] {
                let again = try nights.ingest(text, as: name, isCompressed: true)
                #expect(again.summary.verifications == 0)
                #expect(again.summary.duplicates == first.summary.verifications + first.summary.duplicates)
            }
        }
        expectEqual(try nights.load().tally, try nights.analysis(log.whole).tally)
    }

    /// Records that cannot be told apart count as often as in the input that has most of them.
    @Test func recordsWithoutAnInsertId() throws {
        let line = "2026-10-14T12:00:00.5Z D addMessage: \(EntryText.payload(app: "VALID", auth: "VALID"))"
        let nights = try Nights()
        for (copies, added) in [(2, 2), (1, 0), (5, 3), (5, 0), (3, 0), (6, 1)] {
            let text = Array(repeating: line, count: copies).joined(separator: "\n")
            #expect(try nights.ingest(text, as: "\(copies).log").summary.verifications == added, "\(copies) copies")
        }
        #expect(try nights.load().input.verifications == 6)
    }

    @Test func hostileNumbersOfDays() throws {
        let times = (0..<4100).map { Instant(seconds: 1_451_606_400 + Int64($0) * 86_400).description }
        let nights = try Nights()
        let halves = [0, 1].map { half in
            times.enumerated().filter { $0.offset % 2 == half }
                .map { EntryText.first(id: "\($0.offset)", time: $0.element).text }.joined(separator: "\n")
        }
        let store = try nights.store()
        for (index, half) in halves.enumerated() {
            _ = try Nights.ingest(try nights.input(Array(half.utf8), "half-\(index)"), into: store)
        }
        expectEqual(try nights.load().tally, try nights.analysis(halves).tally)
        let function = try #require(try nights.load().tally.functions.values.first)
        #expect(function.days.count == FunctionTally.dayLimit)
        #expect(function.pooledDays.total == 100)
    }

    @Test func tooManyFunctions() throws {
        let lines = (0..<60).map { EntryText.first("f\($0)", id: "\($0)", project: "p\($0)").text }
        let nights = try Nights()
        try nights.ingest(lines.prefix(40).joined(separator: "\n"), as: "a.json")
        try nights.ingest(lines.suffix(40).joined(separator: "\n"), as: "b.json")
        for limit in [59, 60] {
            let stored = try nights.load(limit: limit)
            #expect(stored.input.faults.contains(.tooManyFunctions) == (limit < 60))
        }
    }
}

/// Equal, told in few words.
func expectEqual(_ left: Tally, _ right: Tally, sourceLocation: SourceLocation = #_sourceLocation) {
    let differing = Set(left.functions.keys).union(right.functions.keys)
        .filter { left.functions[$0] != right.functions[$0] }.map(\.name).sorted()
    #expect(differing == [], sourceLocation: sourceLocation)
    let projects = Set(left.projects.keys).union(right.projects.keys)
        .filter { left.projects[$0] != right.projects[$0] }.sorted()
    #expect(projects == [], sourceLocation: sourceLocation)
    let newest = (left.newest, right.newest)
    #expect(newest.0 == newest.1, sourceLocation: sourceLocation)
    let isEqual = left == right
    #expect(isEqual, sourceLocation: sourceLocation)
}
