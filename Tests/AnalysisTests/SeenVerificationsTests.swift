import TestSupport
import Testing
import Verifications

@testable import Analysis

/// The set that remembers what was counted.
@Suite struct SeenVerificationsTests {
    private static let instant = Instant(seconds: 1_791_979_200)

    private func verification(
        app: TokenStatus = .valid, at instant: Instant? = instant, execution: UInt64? = nil
    ) -> Verification {
        Verification(
            function: 0, app: app, auth: .valid, severity: .debug, instant: instant, execution: execution)
    }

    @Test func everyFingerprintIsNewOnce() {
        var random = SeededGenerator(seed: 11)
        let set = SeenVerifications()
        var known: Set<UInt64> = []
        for round in 0..<60_000 {
            // Some repeat, and some crowd one shard.
            let fingerprint: UInt64 =
                switch round % 3 {
                case 0: random.next()
                case 1: (random.next() % 5000) &* 0x9e37_79b9_7f4a_7c15
                default: 0xAB << 56 | random.next() >> 8
                }
            let outcome = set.insert(verification(), Fingerprint(value: fingerprint), function: 1)
            #expect((outcome == .isNew) == known.insert(fingerprint).inserted)
        }
    }

    @Test(arguments: [
        Instant(seconds: 0), Instant(seconds: -1, nanoseconds: 999_999_999), Instant(seconds: Int64(UInt32.max)),
        Instant(seconds: Int64(UInt32.max) + 1), Instant(seconds: 253_402_300_799, nanoseconds: 1), instant, nil,
    ])
    func everythingIsHandedOut(instant: Instant?) {
        let function = FunctionIdentity(project: "p", region: "r", name: "f", generation: .second)
        for app in TokenStatus.allCases {
            for severity in [PassSeverity.debug, .info, .other] {
                for provenance in Provenance.allCases {
                    let set = SeenVerifications()
                    let verification = Verification(
                        function: 0, app: app, auth: .missing, severity: severity, provenance: provenance,
                        instant: instant, execution: 7)
                    let number = set.number(of: function)
                    for _ in 0..<6 {
                        _ = set.insert(
                            verification, Fingerprint(value: 5, order: EntryOrder(UInt64(200))), function: number)
                    }
                    set.forEach { record in
                        #expect(set.names[Int(record.function)] == function)
                        #expect(record.app == app && record.auth == .missing && record.severity == severity)
                        #expect(record.provenance == provenance && record.instant == instant)
                        #expect(record.rank == EntryOrder(200).digest && record.copies == 5)
                    }
                }
            }
        }
    }

    /// Of an execution the earliest stays, in whatever order they come; of equal instants the lower rank.
    @Test func earliestOfAnExecutionStays() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let entries = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                (
                    time: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
                    rank: UInt8.random(in: 0..<3, using: &random)
                )
            }
            let earliest = entries.min { left, right in
                (left.time ?? .max, left.rank) < (right.time ?? .max, right.rank)
            }
            for _ in 0..<3 {
                let set = SeenVerifications()
                for entry in entries.shuffled(using: &random) {
                    let instant = entry.time.map { Instant(seconds: Int64($0)) }
                    _ = set.insert(
                        verification(at: instant, execution: 77),
                        Fingerprint(value: 1, order: EntryOrder(UInt64(entry.rank))), function: 1)
                }
                var left: [SeenRecord] = []
                set.forEach { if !$0.isGone { left.append($0) } }
                #expect(left.count == 1)
                #expect(left.first?.rank == earliest.map { EntryOrder(UInt64($0.rank)).digest })
                #expect(left.first?.instant == earliest?.time.map { Instant(seconds: Int64($0)) })
            }
        }
    }

    /// Nobody can say which of two copies that disagree is right: both count.
    @Test func disagreeingCopiesOfAnExecutionBothStay() {
        let set = SeenVerifications()
        #expect(set.insert(verification(execution: 9), Fingerprint(value: 1), function: 1) == .isNew)
        #expect(set.insert(verification(app: .missing, execution: 9), Fingerprint(value: 2), function: 1) == .isNew)
        #expect(set.insert(verification(execution: 9), Fingerprint(value: 1), function: 1) == .isCopy)
        let earlier = Instant(seconds: 5)
        #expect(set.insert(verification(at: earlier, execution: 9), Fingerprint(value: 3), function: 1) == .isNew)
        var records: [SeenRecord] = []
        set.forEach { records.append($0) }
        #expect(records.map(\.isGone) == [true, true, false])
        #expect(records.map(\.copies) == [1, 0, 0])
    }

    /// A copy that has come another way may have lost its execution.
    @Test(arguments: [false, true])
    func copiesWithoutAnExecution(isNamedFirst: Bool) {
        let set = SeenVerifications()
        let function = set.number(of: FunctionIdentity(project: "p", region: "r", name: "f", generation: .second))
        for (index, execution) in [isNamedFirst ? 9 : nil, isNamedFirst ? nil : 9, nil].enumerated()
            as EnumeratedSequence<[UInt64?]>
        {
            let fingerprint = Fingerprint(value: index == 2 ? 2 : 1, order: EntryOrder(UInt64(index == 2 ? 2 : 1)))
            #expect(set.insert(verification(execution: execution), fingerprint, function: function) == .isNew)
        }
        set.settleCopies()
        var left: [SeenRecord] = []
        set.forEach { if !$0.isGone { left.append($0) } }
        #expect(left.map(\.copies).sorted() == [0, 1])
    }

    @Test func functionsDoNotShareExecutions() {
        let set = SeenVerifications()
        #expect(set.insert(verification(execution: 9), Fingerprint(value: 1), function: 1) == .isNew)
        #expect(set.insert(verification(execution: 9), Fingerprint(value: 2), function: 2) == .isNew)
    }

    /// A batch is taken as its verifications would be one by one, whatever shards they fall into.
    @Test func batchesChangeNothing() {
        var random = SeededGenerator(seed: 9)
        let candidates = (0..<20_000).map { _ in
            let key = (random.next() % 4000) &* 0x9e37_79b9_7f4a_7c15
            let instant = Instant(seconds: Int64.random(in: 0..<3, using: &random))
            return SeenCandidate(
                verification(at: instant, execution: key), Fingerprint(value: key, order: EntryOrder(key)), number: 1)
        }
        let (single, batched) = (SeenVerifications(), SeenVerifications())
        let alone = candidates.map { single.insert($0) }
        var together: [SeenOutcome: Int] = [:]
        var start = 0
        while start < candidates.count {
            let end = min(start + Int.random(in: 1...3000, using: &random), candidates.count)
            batched.insert(Array(candidates[start..<end])) { together[$1, default: 0] += 1 }
            start = end
        }
        #expect(together == Dictionary(grouping: alone) { $0 }.mapValues(\.count))
        #expect(batched.words == single.words)
    }

    /// Of a table that is nearly full most slots are found where they belong.
    @Test func slotsAreSpread() {
        let set = SeenVerifications()
        var random = SeededGenerator(seed: 4)
        for _ in 0..<100_000 {
            _ = set.insert(verification(), Fingerprint(value: random.next()), function: 1)
        }
        #expect(set.meanDistance < 8)
    }

    /// Memory: at most 24 bytes a verification.
    @Test func twentyFourBytesEach() {
        let set = SeenVerifications()
        var random = SeededGenerator(seed: 3)
        for _ in 0..<400_000 {
            _ = set.insert(verification(), Fingerprint(value: random.next()), function: 1)
        }
        #expect(set.bytes < 24 * 400_000)
    }
}

extension SeenVerifications {
    fileprivate var words: [[UInt64]] {
        var all: [[UInt64]] = []
        forEach { all.append([$0.packed.first, $0.packed.second]) }
        return all
    }

    fileprivate func insert(
        _ verification: Verification, _ fingerprint: Fingerprint, function: UInt32
    ) -> SeenOutcome {
        insert(SeenCandidate(verification, fingerprint, number: function))
    }
}
