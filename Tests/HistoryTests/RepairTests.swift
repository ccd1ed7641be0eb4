import Analysis
import History
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// An input that was cut short and is added again counts once; when it is complete, the cut is no longer reported.
@Suite struct RepairTests {
    private static let entries = (0..<60).map { number in
        EntryText.first("f\(number % 3)", id: id(number), time: time(number)).text
    }

    private static let console = (0..<60).map { number in
        "\(time(number)) \(number % 2 == 0 ? "D" : "W") f\(number % 3): "
            + EntryText.payload(app: number % 2 == 0 ? "VALID" : "INVALID", auth: "VALID")
    }

    /// Some digits that do not compress, so that a third of a file holds entries.
    private static func id(_ number: Int) -> String {
        String(UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15, radix: 16)
    }

    private static func time(_ number: Int) -> String {
        Instant(seconds: 1_791_000_000 + Int64(number) * 3600).description
    }

    /// The shapes in which a file may grow, and be read before it is whole.
    private static let shapes = [
        entries.joined(separator: "\n") + "\n",
        "[\n" + entries.joined(separator: ",\n") + "\n]\n",
        console.joined(separator: "\n") + "\n",
    ]

    /// Cut in the middle, and here and there in the last two records.
    private static func cuts(_ count: Int) -> [Int] {
        [count / 3, count / 2] + Array(stride(from: count - 600, to: count - 1, by: 29))
    }

    @Test(arguments: shapes, [false, true])
    func whatWasCutAnywhereCountsOnce(shape: String, isCompressed: Bool) throws {
        let bytes = Array(shape.utf8)
        let whole = isCompressed ? Gzip.member(bytes) : bytes
        let truth = try Nights().analysis([shape])
        for cut in RepairTests.cuts(whole.count) where cut > 0 {
            let nights = try Nights()
            let first = try nights.ingest(bytes: Array(whole.prefix(cut)), as: "a")
            let isSound = try nights.load().input.problems.isEmpty
            let isRenamed = first.summary.verifications > 0 && !cut.isMultiple(of: 2)
            let rest = try nights.ingest(bytes: whole, as: isRenamed ? "b" : "a")
            let stored = try nights.load()
            expectEqual(stored.tally, truth.tally)
            #expect(stored.input.problems.isEmpty, "cut at \(cut)")
            #expect(stored.input.malformed == 0, "cut at \(cut)")
            if !isSound { #expect(rest.replaced == 1, "cut at \(cut)") }
        }
    }

    private let whole = Gzip.member(Array(shapes[0].utf8))
    private var half: [UInt8] { Array(whole.prefix(whole.count / 2)) }

    @Test func aDamagedFileIsToldOfOnceHoweverOftenItComes() throws {
        let nights = try Nights()
        let first = try nights.ingest(bytes: half, as: "a.gz")
        let again = try nights.ingest(bytes: half, as: "a.gz")
        #expect(again.number == first.number)
        let copy = try nights.ingest(bytes: half, as: "b.gz")
        #expect(copy.number == first.number && copy.isKnown)
        #expect(try nights.load().input.problems.entries.map(\.kind) == [.truncatedGzip])
        // One that is longer and damaged, too, may hold something else.
        let longer = try nights.ingest(bytes: Array(whole.prefix(whole.count * 3 / 4)), as: "a.gz")
        #expect(longer.replaced == nil)
        #expect(try nights.load().input.problems.entries.count == 2)
        let last = try nights.ingest(bytes: whole, as: "a.gz")
        #expect(last.replaced == first.number)
        #expect(try nights.load().input.problems.isEmpty)
        #expect(try nights.store(.reading).contents().inputs.map(\.replacedBy) == [3, 3, nil])
    }

    @Test func theDamagedFileBehindItsRepairIsNothingNew() throws {
        let nights = try Nights()
        try nights.ingest(bytes: half, as: "a.gz")
        let repair = try nights.ingest(bytes: whole, as: "a.gz")
        for (bytes, name) in [(half, "a.gz"), (half, "other name.gz"), (Array(whole.prefix(whole.count / 3)), "a.gz")] {
            let again = try nights.ingest(bytes: bytes, as: name)
            #expect(again.original == repair.number, "\(name)")
            #expect(again.summary.verifications == 0)
        }
        #expect(try nights.load().input.problems.isEmpty)
        #expect(try nights.load().input.verifications == 60)
    }

    @Test func theSameFileOnceMoreLeavesNoTrace() throws {
        let nights = try Nights()
        for text in [RepairTests.shapes[0], EntryText.application("no verification").text] {
            let first = try nights.ingest(text, as: "a.json")
            let before = try nights.load().input
            let again = try nights.ingest(text, as: "a.json")
            #expect(again.number == first.number)
            #expect(again.summary.verifications == 0)
            #expect(try nights.load().input == before)
        }
    }

    /// Another night under the same name is no repair, however many entries it shares with the damaged one.
    @Test func anotherNightUnderThatNameRepairsNothing() throws {
        let nights = try Nights()
        try nights.ingest(bytes: half, as: "night.gz")
        try nights.ingest(RepairTests.entries[1...].joined(separator: "\n"), as: "night.gz")
        #expect(try nights.load().input.problems.entries.map(\.kind) == [.truncatedGzip])
    }

    /// It begins alike and ends before the damaged one broke off.
    @Test func aShorterExportRepairsNothing() throws {
        let nights = try Nights()
        let others = (0..<9).map { EntryText.application("\($0)").text }
        let day = Array((RepairTests.entries[..<9] + others).joined(separator: "\n").utf8)
        try nights.ingest(bytes: Array(Gzip.member(day).dropLast(4)), as: "day.gz")
        try nights.ingest(RepairTests.entries[..<9].joined(separator: "\n"), as: "hour.json")
        #expect(try nights.load().input.problems.entries.map(\.kind) == [.truncatedGzip])
        #expect(try nights.ingest(bytes: day, as: "day.json").replaced == 1)
    }

    /// Nothing could be read of it, so that its name is all that an intact one can be known by.
    @Test func whatCouldNotBeReadAtAllIsRepairedUnderItsName() throws {
        let nights = try Nights()
        try nights.ingest(bytes: Array(whole.prefix(12)), as: "a.gz")
        try nights.ingest(EntryText.first(id: "other").text, as: "b.json")
        #expect(try nights.load().input.problems.entries.count == 1)
        #expect(try nights.ingest(bytes: whole, as: "a.gz").replaced == 1)
        #expect(try nights.load().input.problems.isEmpty)
    }

    /// An intact export that begins alike and goes further has all of it, whichever comes first.
    @Test func aDamagedFileWithinALongerOne() throws {
        let nights = try Nights()
        var falsified = whole
        falsified[falsified.count - 6] ^= 1
        try nights.ingest(RepairTests.shapes[0] + EntryText.first().text, as: "longer.json")
        let damaged = try nights.ingest(bytes: falsified, as: "a.gz")
        #expect(damaged.original == 1 && damaged.summary.verifications == 0)
        #expect(try nights.load().input.problems.isEmpty)
        #expect(try nights.load().input.verifications == 61)
    }

    /// What nothing can be added to any more cannot be repaired either, and need not be told for ever.
    @Test func damageOfSealedDaysIsToldNoMore() throws {
        let nights = try Nights()
        try nights.ingest(bytes: half, as: "a.gz")
        #expect(!(try nights.load().input.problems.isEmpty))
        let newest = try #require(try nights.load().tally.newest)
        #expect(try nights.store(.upkeep).prune(before: newest.day, isDryRun: false).inputs == 0)
        #expect(!(try nights.load().input.problems.isEmpty))
        #expect(try nights.store(.upkeep).prune(before: newest.day.advanced(by: 1), isDryRun: false).inputs == 1)
        #expect(try nights.load().input.problems.isEmpty)
    }

    /// Trying says of every input what adding says then.
    @Test func tryingForeseesRepairs() throws {
        let nights = try Nights()
        var falsified = whole
        falsified[whole.count - 6] ^= 1
        let text = RepairTests.shapes[0]
        try nights.ingest(bytes: falsified, as: "a.gz")
        try nights.ingest(bytes: Array(half), as: "cut.gz")
        let inputs = try [
            ("b.json", Array(text.replacing("\"insertId\":\"5", with: "\"insertId\":\"x5").utf8)), ("a.gz", falsified),
            ("c.gz", whole), ("cut.gz", half), ("a.gz", whole), ("cut.gz", whole), ("c.gz", falsified),
        ].enumerated().map { try nights.input($1.1, "\($0)/\($1.0)") }
        func outcomes(_ access: Store.Access) throws -> [String] {
            let store = try nights.store(access)
            return try inputs.map { input in
                let outcome = try Nights.ingest(input, into: store)
                let numbers = [outcome.number, outcome.replaced, outcome.original]
                return "\(input.name) \(numbers) \(outcome.summary)"
            }
        }
        let before = try nights.load()
        let tried = try outcomes(.trying)
        expectEqual(try nights.load().tally, before.tally)
        #expect(try outcomes(.trying) == tried)
        #expect(try outcomes(.adding) == tried)
    }
}
