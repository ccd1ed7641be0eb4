import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Logs with bytes that were flipped, lost, doubled or cut off, through the whole analysis.
@Suite struct MutationTests {
    private static let logs: [RandomLog] = (0..<10).map { RandomLog(seed: $0, entries: 12) }
    private static let mutations = Tier.some(of: 0..<1000, every: 10)

    /// In plain text nothing can come of damage but loss.
    @Test(arguments: logs.indices)
    func plain(_ index: Int) throws {
        let log = MutationTests.logs[index]
        let bytes = Array(log.lines.joined(separator: "\n").utf8)
        var random = SeededGenerator(seed: UInt64(index) + 100)
        for _ in MutationTests.mutations {
            let mutation = Mutation(of: bytes, using: &random)
            let input = try analysed(mutation.bytes).input
            #expect(input.classed <= log.verifications + log.duplicates, "\(mutation)")
            #expect(input.addsUp, "\(mutation)")
            #expect(input.faults.isSubset(of: [.damaged, .unsupported]), "\(mutation)")
        }
    }

    /// Damage to compressed bytes is noticed.
    ///
    /// A flipped bit in DEFLATE data can make libz repeat a record in the place of another one, long before the check
    /// sum tells; it is rare.
    @Test(arguments: logs.indices)
    func compressed(_ index: Int) throws {
        let log = MutationTests.logs[index]
        let lines = log.lines.map { Array("\($0)\n".utf8) }
        let members = [lines.prefix(lines.count / 2), lines.dropFirst(lines.count / 2)].map { Array($0.joined()) }
        let first = Gzip.member(members[0])
        let bytes = first + Gzip.member(members[1])
        let intact = try analysed(bytes)
        #expect(intact.input.classed == log.verifications + log.duplicates)
        var random = SeededGenerator(seed: UInt64(index) + 200)
        var repeated = 0
        for _ in MutationTests.mutations {
            let mutation = Mutation(of: bytes, using: &random)
            let result = try analysed(mutation.bytes)
            let input = result.input
            if input.classed > log.verifications + log.duplicates { repeated += 1 }
            #expect(input.addsUp, "\(mutation)")
            // A header's time and its system's number mean nothing, and a whole member is no damage; when several of
            // its first bytes are wrong nothing says that it was gzip.
            let isDamaged = input.faults.contains(.damaged)
            let isRecognised = mutation.isSingle || mutation.bytes.starts(with: [0x1F, 0x8B])
            let isWhole = result.tally == intact.tally || mutation.bytes == first
            #expect(isDamaged || isWhole || !isRecognised || mutation.bytes.isEmpty, "\(mutation)")
            #expect(isDamaged == input.problems.entries.contains { $0.kind.isStream }, "\(mutation)")
        }
        #expect(repeated <= 2)
    }

    private func analysed(_ bytes: [UInt8]) throws -> LogAnalysis.Result {
        let file = try MemoryFile(bytes)
        return withExtendedLifetime(file) {
            LogAnalysis(inputs: [.file(file.path)], horizon: laterThanAll).run()
        }
    }
}

/// One to three small changes to bytes.
private struct Mutation: CustomStringConvertible {
    private(set) var bytes: [UInt8]
    private var steps: [String] = []

    init(of original: [UInt8], using random: inout SeededGenerator) {
        bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                bytes[place] ^= bit
                steps.append("byte \(place) ^ \(bit)")
            case 2:
                bytes.remove(at: place)
                steps.append("byte \(place) lost")
            case 3:
                bytes.insert(bytes[place], at: place)
                steps.append("byte \(place) doubled")
            case 4:
                let byte = UInt8.random(in: 0...255, using: &random)
                bytes.insert(byte, at: place)
                steps.append("\(byte) put in front of byte \(place)")
            default:
                bytes.removeSubrange(place...)
                steps.append("cut at byte \(place)")
            }
        }
    }

    var isSingle: Bool { steps.count == 1 }

    var description: String { steps.joined(separator: ", then ") }
}

extension InputSummary {
    /// All verification records, including duplicates and those that were filtered or ignored.
    fileprivate var classed: Int { verifications + duplicates + filtered + ignored }

    /// True when each record is in one class only.
    fileprivate var addsUp: Bool { classed + malformed + oversized <= records }
}
