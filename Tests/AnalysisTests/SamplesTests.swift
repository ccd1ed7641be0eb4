import Foundation
import SyntheticLogs
import TestSupport
import Testing

/// The committed samples are what the generator writes, to the byte.
@Suite struct SamplesTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../samples").standardizedFileURL

    private func unpacked(_ name: String, status: Int32 = 0) throws -> Data {
        let outcome = try Shell(in: folder).run(lines: "gzip -dc '\(name)'")
        #expect(outcome.status == status)
        return outcome.output
    }

    private func written(_ preset: Preset, as transport: Transport = .lines) throws -> Data {
        Data(try WrittenLog(preset.scenario(seed: 1), as: transport).parts[0])
    }

    @Test(arguments: Preset.allCases.filter { $0 != .mixed && $0 != .dense })
    func areReproduced(preset: Preset) throws {
        #expect(try unpacked("\(preset.rawValue).json.gz") == written(preset))
    }

    @Test(arguments: [
        (Transport.gcloudRead, "one-day-gcloud-read.json.gz"), (.gcloudPull, "one-day-gcloud-pull.json.gz"),
        (.bigQueryExtract, "one-day-bigquery-extract.json.gz"), (.functionsLog, "one-day-functions-log.txt.gz"),
    ])
    func otherWaysAreReproduced(transport: Transport, name: String) throws {
        #expect(try unpacked(name) == written(.verificationsOnly, as: transport))
    }

    @Test func oneDayInManyMembersAndCutShort() throws {
        let day = try written(.oneDay)
        #expect(try unpacked("many-members.json.gz") == day)
        let cut = try unpacked("cut-in-the-middle.json.gz", status: 1)
        #expect(cut.count > 500_000 && cut.count < day.count && day.starts(with: cut))
    }

    @Test(arguments: AnalyticsPreset.allCases)
    func analyticsRowsAreReproduced(preset: AnalyticsPreset) throws {
        #expect(
            try unpacked("\(preset.rawValue).json.gz") == Data(AnalyticsTransport.extract.bytes(preset.rows(seed: 1))))
    }
}
