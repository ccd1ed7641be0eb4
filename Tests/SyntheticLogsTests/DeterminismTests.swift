import SyntheticLogs
import Testing
import Verifications

/// The same scenario gives the same bytes, on any machine and in any number of parts.
@Suite struct DeterminismTests {
    @Test(arguments: [Preset.mixed, .dense])
    func sameSeedSameBytes(preset: Preset) throws {
        let scenario = try preset.scenario(seed: 9).scaled(toBytes: 400_000)
        let (first, second) = (try scenario.bytes(), try scenario.bytes())
        #expect(first.bytes == second.bytes)
        #expect(first.truth == second.truth)
        #expect(first.truth.bytes == first.bytes.count)
    }

    @Test func anotherSeedGivesOtherBytes() throws {
        let one = try Preset.oneDay.scenario(seed: 1).lines().lines
        let two = try Preset.oneDay.scenario(seed: 2).lines().lines
        #expect(Set(one).isDisjoint(with: two))
    }

    @Test func shardsHoldTheSameLines() throws {
        let scenario = try Preset.mixed.scenario(seed: 3).scaled(toBytes: 300_000)
        let parts = (0..<4).map { _ in Collected() }
        let truth = try scenario.write(shards: 4) { parts[$0].bytes += $1 }
        let lines = parts.map { String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n") }
        let whole = try scenario.lines()
        #expect(lines.flatMap(\.self).map(String.init).sorted() == whole.lines.sorted())
        #expect(lines.allSatisfy { $0.count > whole.lines.count / 8 })
        #expect(truth == whole.truth)
    }

    @Test(arguments: [Preset.mixed, .dense], [3_000_000, 8_000_000])
    func sizeIsAsWanted(preset: Preset, wanted: Int) throws {
        let truth = try preset.scenario(seed: 5).scaled(toBytes: wanted).write { _, _ in }
        #expect(abs(truth.bytes - wanted) < wanted / 100)
    }

    @Test func scalingKeepsTheSum() {
        let scenario = Preset.dense.scenario(seed: 1)
        let half = scenario.scaled(by: 0.5)
        #expect(abs(half.requestCount - scenario.requestCount / 2) <= scenario.functions.count * 16)
    }
}
