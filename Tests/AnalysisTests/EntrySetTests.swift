import Analysis
import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// The set of all entries that were read: its pieces and their order do not change the counts.
@Suite struct EntrySetTests {
    private static let name = FunctionIdentity(project: "p", region: "r", name: "f", generation: .second)
    private static let start = Instant(seconds: 1_791_936_000)

    /// Verifications of a few days: copies, entries of one execution, ties, and entries without a time.
    private static func verifications(_ count: Int, seed: UInt64) -> [(Verification, Fingerprint)] {
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
            made.append((verification, Fingerprint(value: spread(number), digest: UInt8(spread(number) >> 8 & 255))))
        }
        return made
    }

    private static func spread(_ number: UInt64) -> UInt64 { (number + 1) &* 0x9E37_79B9_7F4A_7C15 }

    private static func set(
        _ verifications: some Sequence<(Verification, Fingerprint)>, foldsCopies: Bool = false
    ) -> EntrySet {
        var (set, entries) = (EntrySet(), FunctionEntries(foldsCopies: foldsCopies))
        for (verification, fingerprint) in verifications {
            entries.add(PackedVerification(verification, fingerprint), .none)
        }
        set.add(entries, of: name, hash: 1)
        return set
    }

    private static func resolved(_ set: consuming EntrySet, jobs: Int = 1) -> ResolvedSet {
        var resolution = Resolution(horizon: Instant(seconds: .max))
        resolution.jobs = jobs
        return set.resolved(resolution)
    }

    private static func isEqual(_ left: ResolvedSet, _ right: ResolvedSet) -> Bool {
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

    /// Copies are left out on the way, so that one entry again and again takes no memory.
    @Test func copiesOnTheWay() {
        let verifications = EntrySetTests.verifications(300, seed: 4)
        let repeated = (0..<700).lazy.flatMap { _ in verifications }
        let folded = EntrySetTests.set(repeated, foldsCopies: true)
        #expect(folded.count < 1 << 17)
        let once = EntrySetTests.resolved(EntrySetTests.set(verifications))
        let sum = EntrySetTests.resolved(folded)
        #expect(sum.input.verifications == once.input.verifications && sum.input.ignored == once.input.ignored)
        #expect(sum.input.duplicates == once.input.duplicates + 699 * 300)
        #expect(EntrySetTests.isEqual(EntrySetTests.resolved(EntrySetTests.set(repeated)), sum))
    }

    /// What is older than an instant is counted first, the rest later: as if all had been counted at once.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func splits(seed: UInt64) {
        let verifications = EntrySetTests.verifications(400, seed: seed).filter { $0.0.instant != nil }
        let whole = EntrySetTests.resolved(EntrySetTests.set(verifications))
        var old = EntrySetTests.set(verifications)
        let cut = EntrySetTests.start.adding(seconds: Int64(seed) * 20_000)
        let later = old.split(at: cut, horizon: Instant(seconds: .max))
        var sum = EntrySetTests.resolved(old)
        sum.merge(EntrySetTests.resolved(later))
        #expect(EntrySetTests.isEqual(sum, whole))
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
                        return (verification, Fingerprint(value: UInt64(index), digest: UInt8(index)))
                    }))
        }
        for isUndated in [false, true] {
            let input = result(isUndated).input
            #expect(input.verifications == counted && input.ignored == days.count - counted)
        }
    }

    /// A file holds what the set holds, to the nanosecond, and far from today whole seconds.
    @Test func whatIsWrittenIsRead() throws {
        var verifications = EntrySetTests.verifications(500, seed: 3)
        for year in [2016, 2084, 2559, 2561, 9999] {
            let instant = try #require(Instant(timestamp: "\(year)-12-31T23:59:59Z"))
            let verification = Verification(
                function: 0, app: .valid, auth: .valid, severity: .info, instant: instant)
            verifications.append((verification, Fingerprint(value: EntrySetTests.spread(UInt64(year)))))
        }
        let packed = PackedSource(Source(set: EntrySetTests.set(verifications), hasEvidence: false), named: "log")
        let read = try Source(packed, named: "log", horizon: Instant(seconds: .max)) { _ in 1 }
        let whole = EntrySetTests.resolved(EntrySetTests.set(verifications))
        #expect(EntrySetTests.resolved(read.set).tally == whole.tally)
        let days = try #require(whole.tally.functions.values.first)[.labelled].tally.days.map(\.day.description)
        #expect(days.suffix(4) == ["2084-12-31", "2559-12-31", "2561-12-31", "9999-12-31"])
        #expect(days.first == "2016-12-31")
    }

    /// Days counted one by one, each with what lies around it, come to what all of them come to at once; of most seeds
    /// all requests share a few traces, and rows and verifications get lost.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func daysAddUp(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 40)
        let calls = EvidenceTests().randomCalls(seed: seed, count: 300).map { call in
            var call = call
            call.second += Int.random(in: 0..<(seed < 6 ? 5 : 12), using: &random) * 86_400
            guard seed >= 6 else { return call }
            call.trace = Int.random(in: 0...Int(seed % 4), using: &random)
            call.hasSpan = Int.random(in: 0..<3, using: &random) == 0
            let part = Int.random(in: 0..<4, using: &random)
            (call.hasRow, call.isLogged) = (part != 0, part != 1)
            return call
        }
        let log = try MemoryFile(Array(calls.flatMap(\.lines).joined(separator: "\n").utf8))
        let read = LogAnalysis(inputs: [], horizon: laterThanAll).packed(.file(log.path), progress: ReadProgress())
        let packed = try #require(read.sources.first).source
        let whole = EntrySetTests.resolved(
            try Source(packed, named: "log", horizon: laterThanAll) { $0.hash(.usual) }.set)
        let head = try SourceHead(packed.head, named: "log", horizon: laterThanAll) { $0.hash(.usual) }
        var stored = StoredDays()
        (stored.heads, stored.days) = (head.source.set, Set(packed.parts.map(\.day)))
        func load(_ uses: [DayIndex: PartUse], into set: inout EntrySet) throws {
            for part in packed.parts {
                guard let use = uses[part.day] else { continue }
                _ = try part.read(head, for: use, into: &set, horizon: laterThanAll)
            }
        }
        for day in stored.days.shuffled(using: &random).dropFirst(2) {
            let bytes = try stored.sums(of: day, jobs: 1, load: load).bytes
            stored.sums[day] = try DaySums(bytes[...], of: day, versions: head.source.set.versions)
        }
        let resolution = Resolution(horizon: laterThanAll)
        let sum = try EntrySet().resolved(resolution, with: stored, load: load)
        let days = Set(whole.tally.functions.values.flatMap { $0[.labelled].tally.days.map(\.day) })
        for (name, function) in whole.tally.functions {
            let summed = sum.tally.functions[name] ?? RawFunction()
            #expect(summed[.labelled].tally.days == function[.labelled].tally.days)
            #expect(summed.rows == function.rows)
            #expect(summed[.labelled].callers == function[.labelled].callers)
        }
        #expect(sum.open == whole.open)
        #expect(days.count > 4 && sum.input.verifications == whole.input.verifications)
        #expect(sum.input.ignored == whole.input.ignored && sum.input.duplicates == whole.input.duplicates)
    }
}
