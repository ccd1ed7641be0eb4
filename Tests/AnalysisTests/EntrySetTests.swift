import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// The set of all entries that were read: its pieces and their order do not change the counts.
@Suite struct EntrySetTests {
    private static let name = FunctionIdentity(project: "p", region: "r", name: "f", generation: .second)
    static let start = Instant(seconds: 1_791_936_000)

    /// Verifications of a few days: copies, entries of one execution, ties, and entries without a time.
    static func verifications(_ count: Int, seed: UInt64) -> [(Verification, Fingerprint)] {
        var random = SeededGenerator(seed: seed)
        var made: [(Verification, Fingerprint)] = []
        while made.count < count {
            let number = UInt64.random(in: 0..<UInt64(count), using: &random)
            if Int.random(in: 0..<5, using: &random) == 0, let copy = made.randomElement(using: &random) {
                made.append(copy)
                continue
            }
            let seconds = Int64.random(in: 0..<4 * 86_400, using: &random)
            let instant = Instant(
                seconds: start.seconds + seconds, nanoseconds: UInt32.random(in: 0..<3, using: &random))
            let isDated = Int.random(in: 0..<20, using: &random) > 0
            let verification = Verification(
                function: 0, app: TokenStatus.allCases.randomElement(using: &random) ?? .valid,
                auth: TokenStatus.allCases.randomElement(using: &random) ?? .valid, severity: .debug,
                instant: isDated ? instant : nil, received: Bool.random(using: &random) ? instant : nil,
                execution: number % 3 == 0 ? nil : spread(number / 4))
            made.append((verification, Fingerprint(value: spread(number), digest: spread(number) >> 8)))
        }
        return made
    }

    static func spread(_ number: UInt64) -> UInt64 { (number + 1) &* 0x9E37_79B9_7F4A_7C15 }

    static func set(_ verifications: some Sequence<(Verification, Fingerprint)>) -> EntrySet {
        var set = EntrySet()
        set[1].name.identity = name
        for (verification, fingerprint) in verifications { set[1].add(verification, fingerprint) }
        return set
    }

    static func resolved(_ set: consuming EntrySet, jobs: Int = 1) -> ResolvedSet {
        var resolution = Resolution(horizon: Instant(seconds: .max))
        resolution.jobs = jobs
        return set.resolved(resolution)
    }

    static func isEqual(_ left: ResolvedSet, _ right: ResolvedSet) -> Bool {
        left.tally == right.tally && left.input == right.input
    }

    /// A small function, which is counted in one piece, and a busy one, whose entries all cores share.
    @Test(arguments: [300, 90_000])
    func orderPiecesAndCoresMakeNoDifference(count: Int) {
        let verifications = EntrySetTests.verifications(count, seed: 1)
        let whole = EntrySetTests.resolved(EntrySetTests.set(verifications))
        #expect(whole.input.duplicates > count / 10 && whole.input.ignored > count / 10)
        #expect(whole.input.verifications + whole.input.duplicates + whole.input.ignored == count)
        var random = SeededGenerator(seed: 2)
        let shuffled = verifications.shuffled(using: &random)
        var pieces = EntrySet()
        for start in stride(from: 0, to: count, by: count / 7) {
            pieces.merge(EntrySetTests.set(shuffled[start..<min(count, start + count / 7)]))
        }
        for jobs in [1, 2, 5] { #expect(EntrySetTests.isEqual(EntrySetTests.resolved(pieces, jobs: jobs), whole)) }
    }

    /// Within neighbouring days, only the earliest entry of an execution counts; the others are repeated.
    ///
    /// An entry without a time is on its day of receipt.
    @Test(arguments: [
        ([0, 0.5], 1), ([0, 1.9], 1), ([0, 2], 2), ([0, 1.9, 2], 1), ([0.9, 2.1], 2), ([0, 1, 2, 3], 1), ([0, 5], 2),
    ])
    func executions(days: [Double], counted: Int) {
        func result(_ isUndated: Bool) -> ResolvedSet {
            EntrySetTests.resolved(
                EntrySetTests.set(
                    days.enumerated().map { index, day in
                        let instant = EntrySetTests.start.adding(seconds: Int64(day * 86_400))
                        let isUndated = isUndated && index + 1 == days.count
                        let verification = Verification(
                            function: 0, app: .valid, auth: .valid, severity: .debug,
                            instant: isUndated ? nil : instant, received: instant, execution: 7 << 40)
                        return (verification, Fingerprint(value: UInt64(index), digest: UInt64(index)))
                    }))
        }
        for isUndated in [false, true] {
            let input = result(isUndated).input
            #expect(input.verifications == counted && input.ignored == days.count - counted)
        }
    }
}
