import Entries
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// The same requests give the same counts in every transport, except for what the transport loses.
///
/// Readers and writers share no code: what one of them gets wrong, the other does not.
@Suite struct TransportAgreementTests {
    struct Story: Sendable, CustomTestStringConvertible {
        let preset: Preset
        let seed: UInt64
        let requests: Int

        var testDescription: String { "\(preset.rawValue), seed \(seed)" }
    }

    private static let stories = [
        Story(preset: .mixed, seed: 1, requests: 150), Story(preset: .mixed, seed: 2, requests: 90),
        Story(preset: .dense, seed: 3, requests: 200), Story(preset: .duplicated, seed: 4, requests: 60),
        Story(preset: .version3, seed: 5, requests: 60),
    ]

    @Test(arguments: Transport.allCases, Tier.some(of: stories, every: 3))
    func countsAreTheTruth(transport: Transport, story: Story) throws {
        let scenario = Scenario.small(story.preset, seed: story.seed, requests: story.requests)
        let log = try WrittenLog(scenario, as: transport)
        let plain = log.parts[0]
        #expect(log.truth.verifications + log.truth.ignored > story.requests / 2)
        for bytes in [plain, Gzip.member(plain, level: 1)] {
            for (jobs, chunkBytes) in [(1, 256 << 10), (2, 4096), (1, 97)] {
                let read = try ReadLogs([bytes], jobs: jobs, chunkBytes: chunkBytes)
                let place = "\(bytes.count) bytes, \(jobs) jobs, pieces of \(chunkBytes)"
                #expect(read.differences(from: log.truth) == [], "\(place)")
                #expect(read.result.input.bytesDecompressed == plain.count, "\(place)")
                // An array that nobody closed is worth a note; nothing else is.
                let kinds = read.result.input.problems.entries.map(\.kind)
                #expect(kinds == (transport == .gcloudTail ? [.unterminatedArray] : []), "\(place)")
            }
        }
    }

    /// A run over one log of which each part has come another way.
    @Test(arguments: [1, 3], 11..<14 as Range<UInt64>)
    func partsInDifferentTransports(jobs: Int, seed: UInt64) throws {
        let scenario = Scenario.small(.mixed, seed: seed, requests: 250, undatedShare: 0)
        let whole = try WrittenLog(scenario, as: .lines)
        let transports = Transport.allCases.filter { $0.loss.isEmpty }
        var parts: [[UInt8]] = []
        for (index, transport) in transports.enumerated() {
            let log = try WrittenLog(scenario, as: transport, shards: transports.count)
            parts.append(index.isMultiple(of: 2) ? log.parts[index] : Gzip.member(log.parts[index]))
        }
        let read = try ReadLogs(parts, jobs: jobs)
        #expect(read.differences(from: whole.truth) == [])
        #expect(read.result.input.sources == transports.count)
    }

    /// An entry that has come twice, in different shapes, is still one entry.
    @Test(arguments: Transport.allCases.filter { $0.loss.isEmpty })
    func sameEntriesTwice(transport: Transport) throws {
        let scenario = Scenario.small(.mixed, seed: 21, requests: 120, undatedShare: 0)
        let lines = try WrittenLog(scenario, as: .lines)
        let others = try WrittenLog(scenario, as: transport)
        let input = try ReadLogs(lines.parts + others.parts, jobs: 2).result.input
        #expect(input.records == lines.truth.records + others.truth.records)
        #expect(input.verifications == lines.truth.verifications)
        #expect(input.duplicates == lines.truth.verifications + lines.truth.duplicates + others.truth.duplicates)
    }

    /// The comparison itself sees a single request that is counted otherwise.
    @Test func differencesAreSeen() throws {
        let scenario = Scenario.small(.dense, seed: 31, requests: 100)
        var other = scenario
        let function = try #require(other.functions.indices.first { !other.functions[$0].days[0].isEmpty })
        other.functions[function].days[0].append(Requests(1, app: .missing, auth: .valid))
        let (log, truth) = (try WrittenLog(scenario, as: .array), try WrittenLog(other, as: .array).truth)
        #expect(try !ReadLogs(log.parts).differences(from: truth).isEmpty)
    }

    /// What a transport loses is known, and nothing beside it: else a fault of a reader could pass for a loss.
    @Test func lossesAreDeclared() {
        let lossless = Transport.allCases.filter { $0.loss.isEmpty }
        #expect(lossless.count == 13)
        #expect(Transport.functionsLog.loss == [.place, .insertID])
        #expect(Transport.allCases.filter { $0.loss.contains(.meaning) } == [.emulator, .emulatorColor])
        #expect(Transport.allCases.filter { $0.loss.contains(.time) && !$0.loss.contains(.name) }.isEmpty)
    }
}
