import Foundation
import SyntheticLogs
import Testing
import Verifications

/// The truth must be what somebody finds who reads the lines.
@Suite struct TruthTests {
    @Test(arguments: Preset.allCases.filter { $0 != .mixed && $0 != .dense && $0 != .fourWeeks })
    func equalsACountOfTheLines(preset: Preset) throws {
        let (lines, truth) = try preset.scenario(seed: 1).lines()
        #expect(try CountedLog(lines: lines) == CountedLog(truth))
        #expect(truth.verifications > 0)
    }

    @Test(arguments: [(Preset.mixed, UInt64(3)), (.dense, 4), (.mixed, 5)])
    func equalsACountOfTheLinesWithAllThatGoesWrong(preset: Preset, seed: UInt64) throws {
        var scenario = preset.scenario(seed: seed)
        scenario.duplicateShare = 0.05
        scenario.undatedShare = 0.02
        scenario.lateShare = 0.03
        let (lines, truth) = try scenario.scaled(toBytes: 1_500_000).lines()
        #expect(try CountedLog(lines: lines) == CountedLog(truth))
        #expect(truth.duplicates > 0)
        #expect(truth.undated > 0)
    }

    @Test func jsonHoldsTheSameCounts() throws {
        let (bytes, truth) = try Preset.duplicated.scenario(seed: 1).bytes()
        let json = try #require(JSONSerialization.jsonObject(with: Data(truth.json())) as? [String: Any])
        let input = try #require(json["input"] as? [String: Int])
        #expect(input["bytesDecompressed"] == bytes.count)
        #expect(input["records"] == truth.records)
        #expect(input["duplicates"] == truth.duplicates)

        let functions = try #require(json["functions"] as? [[String: Any]])
        #expect(functions.map { $0["function"] as? String } == ["addmessage", "delete_account", "scanreceipt"])
        #expect(functions.compactMap { $0["verifications"] as? Int }.reduce(0, +) == truth.verifications)
        let days = try #require(functions[2]["daily"] as? [[String: Any]])
        #expect(days.count == 1)
        #expect(days[0]["date"] as? String == "2026-10-14")
        #expect(days[0]["MISSING"] as? Int == 5)
        #expect(days[0]["INVALID"] as? Int == 2)
        #expect(days[0]["blocked"] as? Int == 7)
        let matrix = try #require(days[0]["appByAuth"] as? [String: [String: Int]])
        #expect(matrix["MISSING"] == ["VALID": 5, "INVALID": 0, "MISSING": 0, "OTHER": 0])
    }

    @Test func lateEntriesCountOnTheirOwnDay() throws {
        var scenario = Preset.oneDay.scenario(seed: 2)
        scenario.lateShare = 1
        let truth = try scenario.bytes().truth
        #expect(truth.functions.flatMap(\.days).map(\.day.description) == ["2026-10-14", "2026-10-14", "2026-10-14"])
    }

    /// Python's JSON reader and the rules as written down in the script count the same.
    @Test(.enabled(if: Tool.exists("python3"), "python3 is not installed"))
    func equalsAPythonCount() throws {
        let (bytes, truth) = try Preset.oneDay.scenario(seed: 6).bytes()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("truth-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appendingPathComponent("log.json")
        let json = folder.appendingPathComponent("truth.json")
        try Data(bytes).write(to: log)
        try Data(truth.json()).write(to: json)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appendingPathComponent("check_truth.py").path
        #expect(try Tool.run("python3", [script, json.path, log.path]).status == 0)

        try Data(bytes.split(separator: UInt8(ascii: "\n")).dropLast(7).joined(separator: [10])).write(to: log)
        #expect(try Tool.run("python3", [script, json.path, log.path]).status == 1)
    }
}
