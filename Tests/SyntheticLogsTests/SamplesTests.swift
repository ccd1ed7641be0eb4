import Foundation
import SyntheticLogs
import Testing

/// The committed samples are what the generator writes.
@Suite(.enabled(if: Tool.exists("gzip"), "gzip is not installed"))
struct SamplesTests {
    private let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("samples")

    @Test(arguments: Preset.allCases.filter { $0 != .mixed && $0 != .dense })
    func areReproduced(preset: Preset) throws {
        let unpacked = try Tool.run("gzip", ["-dc", path("\(preset.rawValue).json.gz")])
        #expect(unpacked.status == 0)
        #expect(try unpacked.output == Data(preset.scenario(seed: 1).bytes().bytes))
    }

    @Test(arguments: [
        (Transport.gcloudRead, "one-day-gcloud-read.json.gz"), (.gcloudPull, "one-day-gcloud-pull.json.gz"),
        (.bigQueryExtract, "one-day-bigquery-extract.json.gz"), (.functionsLog, "one-day-functions-log.txt.gz"),
    ])
    func otherWaysAreReproduced(transport: Transport, name: String) throws {
        let unpacked = try Tool.run("gzip", ["-dc", path(name)])
        #expect(unpacked.status == 0)
        let collected = Collected()
        _ = try Preset.verificationsOnly.scenario(seed: 1).write(as: transport) { collected.bytes += $1 }
        #expect(unpacked.output == Data(collected.bytes))
    }

    @Test func manyMembersHoldTheSameDay() throws {
        let unpacked = try Tool.run("gzip", ["-dc", path("many-members.json.gz")])
        #expect(unpacked.status == 0)
        #expect(try unpacked.output == Data(Preset.oneDay.scenario(seed: 1).bytes().bytes))
    }

    @Test func theCutFileIsTheBeginningOfTheSameDay() throws {
        let unpacked = try Tool.run("gzip", ["-dc", path("cut-in-the-middle.json.gz")])
        #expect(unpacked.status == 1)
        let day = try Data(Preset.oneDay.scenario(seed: 1).bytes().bytes)
        #expect(unpacked.output.count > 500_000)
        #expect(unpacked.output.count < day.count)
        #expect(day.starts(with: unpacked.output))
    }

    @Test(arguments: AnalyticsPreset.allCases)
    func analyticsRowsAreReproduced(preset: AnalyticsPreset) throws {
        let unpacked = try Tool.run("gzip", ["-dc", path("\(preset.rawValue).json.gz")])
        #expect(unpacked.status == 0)
        #expect(unpacked.output == Data(AnalyticsTransport.extract.bytes(preset.rows(seed: 1))))
    }

    @Test func readmeNamesEverySample() throws {
        let readme = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for file in files where file != "README.md" && !file.hasPrefix(".") {
            #expect(readme.contains("`\(file)`") || readme.contains("`samples/\(file)`"), "\(file) is not described")
        }
        #expect(files.count > 10)
    }

    private func path(_ name: String) -> String {
        folder.appendingPathComponent(name).path
    }
}
