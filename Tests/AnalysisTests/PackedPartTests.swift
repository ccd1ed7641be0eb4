import Analysis
@_spi(Stages) import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// What a store keeps of a day: everything, to the nanosecond, and nothing else than what was written.
@Suite struct PackedPartTests {
    private static func source(_ set: consuming EntrySet) -> ReadSource {
        ReadSource(set, SourceRecord(), horizon: laterThanAll)
    }

    /// Days of all kinds of entries.
    private static func days(seed: UInt64, entries: Int = 300) throws -> [DayIndex: [UInt64: DayEntries]] {
        let lines = StoredEntriesTests.lines(seed: seed, entries: entries)
        let log = try MemoryFile(Array(lines.joined(separator: "\n").utf8))
        return MadeStore.source(.file(log.path)).days
    }

    private static func read(_ parts: [PackedPart]) throws -> [UInt64: DayEntries] {
        try parts.reduce(into: [:]) { try $1.read(into: &$0) { _ in true } }
    }

    private static func count(_ entries: [UInt64: DayEntries]) -> Int {
        entries.values.reduce(0) { $0 + $1.verifications }
    }

    @Test func whatIsWrittenIsRead() throws {
        var verifications = EntrySetTests.verifications(500, seed: 3)
        for year in [2016, 2084, 2559, 2561, 9999] {
            let instant = try #require(Instant(timestamp: "\(year)-12-31T23:59:59.999999999Z"))
            let verification = Verification(
                function: 0, app: .valid, auth: .valid, severity: .info, instant: instant)
            verifications.append((verification, Fingerprint(value: EntrySetTests.spread(UInt64(year)))))
        }
        let source = PackedPartTests.source(EntrySetTests.set(verifications))
        var written: [DayIndex: [PackedPart]] = [:]
        for (day, services) in source.days {
            let parts = PackedPart.pack(services, of: day, source: 7)
            #expect(parts.allSatisfy { $0.source == 7 && $0.functions == 1...1 })
            written[day] = try parts.map { try PackedPart($0.bytes, of: day) }
        }
        let stored = StoredEntries(
            sources: [source.record], names: source.names, versions: source.versions, days: written.keys.sorted()
        ) { [written] in written[$0] ?? [] }
        var resolution = Resolution(horizon: Instant(seconds: .max))
        resolution.asOf = Instant(timestamp: "9999-12-31T23:59:59.999999999Z")
        let whole = source.set.resolved(resolution)
        let found = try EntrySet().resolved(resolution, with: [stored])
        #expect(found.tally == whole.tally && found.input.verifications == whole.input.verifications)
        let function = try #require(found.tally.functions.values.first)
        #expect(
            function.days().suffix(4).map(\.day.description) == [
                "2084-12-31", "2559-12-31", "2561-12-31", "9999-12-31",
            ])
        #expect(function.first == Instant(timestamp: "2016-12-31T23:59:59.999999999Z"))
    }

    /// Rows and lines that differ in one respect are different bytes, which say the same when they are written again.
    @Test func rowsAndLines() throws {
        let (instant, build) = (EntrySetTests.start, ClientCode(.android, nameHash: 5))
        func row(
            _ answer: RequestRow.ResponseClass = .success, _ client: ClientCode = build, _ address: UInt16 = 1
        ) -> RequestRow {
            RequestRow(
                service: 1, instant: instant, answer: answer, request: .none, fingerprint: 1, client: client,
                address: address, sign: .function)
        }
        let answers = RequestRow.ResponseClass.allCases
        let page = ClientCode(browser: .chrome, isMobile: true, nameHash: ClientVersions.hashMask)
        let clients = [
            build, ClientCode(.android), page, page.withReferer, ClientCode(.none), ClientCode(.none).withReferer,
        ]
        let rows =
            answers.map { row($0) } + clients.dropFirst().map { row(.success, $0) }
            + [0, 2, .max].map { row(.success, build, $0) }
        let meanings: [SDKLine.Meaning] =
            answers.map { .answered($0) } + RefusalCause.allCases.map { .cause($0) } + [.allowing, .preflight]
        let lines = meanings.map { meaning in
            SDKLine(
                service: 1, instant: instant, meaning: meaning, link: .function, fingerprint: .max, isOfRecord: true)
        }
        var seen: Set<[UInt8]> = []
        let all =
            rows.map { row in { (entries: inout ServiceEntries) in entries.add(row) } }
            + lines.map { line in { (entries: inout ServiceEntries) in entries.add(line) } }
        for add in all {
            var set = EntrySetTests.set([])
            add(&set[1])
            for (day, services) in PackedPartTests.source(set).days {
                let parts = PackedPart.pack(services, of: day, source: 0)
                #expect(PackedPart.pack(try PackedPartTests.read(parts), of: day, source: 0) == parts)
                seen.insert(parts.flatMap(\.bytes))
            }
        }
        #expect(seen.count == rows.count + lines.count)
    }

    /// The functions that are wanted, and no others.
    @Test func someFunctions() throws {
        for (day, services) in try PackedPartTests.days(seed: 2) where services.count > 1 {
            let wanted = try #require(services.keys.min())
            var found: [UInt64: DayEntries] = [:]
            for part in PackedPart.pack(services, of: day, source: 0) { try part.read(into: &found) { $0 == wanted } }
            #expect(found.keys.allSatisfy { $0 == wanted })
            #expect(found[wanted]?.verifications ?? 0 == services[wanted]?.verifications)
        }
    }

    /// A bit that is turned, bytes that are missing, and another day: refused.
    @Test func damage() throws {
        var random = SeededGenerator(seed: 4)
        let (day, services) = try #require(PackedPartTests.days(seed: 4).max { $0.value.count < $1.value.count })
        for part in PackedPart.pack(services, of: day, source: 0) {
            #expect(try PackedPart(part.bytes, of: day) == part)
            #expect(throws: MalformedBytes.self) { try PackedPart(part.bytes, of: DayIndex(number: day.number + 1)) }
            for place in part.bytes.indices {
                var changed = part.bytes
                changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                #expect(throws: MalformedBytes.self) { try PackedPart(changed, of: day) }
                #expect(throws: MalformedBytes.self) { try PackedPart(Array(part.bytes[..<place]), of: day) }
            }
        }
    }

    /// What somebody made up, with a check sum that fits: refused, or entries like any others.
    @Test(arguments: [1, 4, 7] as [UInt64])
    func forgedBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (day, services) = try #require(
            PackedPartTests.days(seed: seed, entries: 60).max { $0.value.count < $1.value.count })
        var accepted = 0
        for part in PackedPart.pack(services, of: day, source: 0) {
            for place in part.bytes.indices.dropFirst(8) {
                var changed = part.bytes
                changed[place] = changed[place] &+ UInt8.random(in: 1...255, using: &random)
                for bytes in [changed, Array(changed[..<place])] {
                    guard let forged = try? PackedPart(RowStages.withCheckSum(bytes, day: day.number), of: day),
                        let found = try? PackedPartTests.read([forged])
                    else { continue }
                    accepted += 1
                    #expect(RowStages.isStable(part: bytes, day: day.number))
                    var set = EntrySet()
                    for (hash, entries) in found {
                        set[hash].name.identity = FunctionIdentity(
                            project: "p", region: "r", name: "\(hash)", generation: .second)
                        set[hash].add(entries, on: day)
                    }
                    let input = EntrySetTests.resolved(set).input
                    #expect(input.verifications + input.filtered <= PackedPartTests.count(found))
                }
            }
        }
        #expect(accepted > 100)
    }

    /// Records and names that somebody made up: refused, or the same once more.
    @Test func forgedRecords() throws {
        var random = SeededGenerator(seed: 5)
        let lines = StoredEntriesTests.lines(seed: 5, entries: 40) + ["{\"broken", "callable-request-verification {"]
        let log = try MemoryFile(Gzip.member(Array(lines.joined(separator: "\n").utf8)).dropLast(30))
        let source = MadeStore.source(.file(log.path))
        #expect(try SourceRecord(source.record.bytes[...]).bytes == source.record.bytes)
        for intact in [source.record.bytes] + source.names.values.map(\.bytes) {
            for place in intact.indices {
                var changed = intact
                changed[place] = changed[place] &+ UInt8.random(in: 1...255, using: &random)
                #expect(RowStages.isStable(record: changed) && RowStages.isStable(name: changed))
                let cut = Array(intact[..<place])
                #expect(RowStages.isStable(record: cut) && RowStages.isStable(name: cut))
            }
        }
    }

    /// What is subtracted and what it is subtracted from make the whole, whatever is in both.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func differences(seed: UInt64) throws {
        let all = EntrySetTests.verifications(400, seed: seed)
        let whole = EntrySetTests.resolved(PackedPartTests.source(EntrySetTests.set(all)).set)
        let first = PackedPartTests.source(EntrySetTests.set(all.prefix(300)))
        let second = PackedPartTests.source(EntrySetTests.set(all.suffix(300)))
        var sum = first.set
        var rest = 0
        for (day, services) in second.days {
            guard var entries = services[1] else { continue }
            let known = first.days[day]?[1] ?? DayEntries()
            // The parts that overlap have all that both have.
            let packed = PackedPart.pack([1: known], of: day, source: 0)
            let new = PackedPart.pack([1: entries], of: day, source: 0)
            let near = packed.filter { part in new.contains { $0.overlaps(part) } }
            var same = entries
            entries.subtract(known)
            same.subtract(try PackedPartTests.read(near)[1] ?? DayEntries())
            #expect(entries.verifications == same.verifications)
            rest += entries.verifications
            sum[1].add(entries, on: day)
            var nothing = known
            nothing.subtract(known)
            #expect(nothing.isEmpty)
        }
        #expect(rest < second.days.values.reduce(0) { $0 + PackedPartTests.count($1) })
        let found = EntrySetTests.resolved(sum)
        #expect(found.tally == whole.tally && found.input.verifications == whole.input.verifications)
    }

    @Test func oneOfEachGroupOfCopies() throws {
        for (_, services) in try PackedPartTests.days(seed: 6) {
            for (_, once) in services {
                var entries = once
                for _ in 0..<3 { entries.merge(once) }
                entries.removeCopies()
                #expect(entries.verifications == once.verifications)
                entries.subtract(once)
                #expect(entries.isEmpty)
            }
        }
    }

    /// A busy day is cut by time into parts that can be read one by one.
    @Test func sizes() throws {
        let verifications = (0..<60_000).map { number in
            let instant = EntrySetTests.start.adding(nanoseconds: Int64(number) * 1_440_000_000 / 1000 + 17)
            let verification = Verification(
                function: 0, app: .valid, auth: .valid, severity: .info, instant: instant,
                request: PackedRequestID(trace: EntrySetTests.spread(UInt64(number)), span: UInt64(number)))
            return (verification, Fingerprint(value: EntrySetTests.spread(UInt64(number) + 1 << 20)))
        }
        let source = PackedPartTests.source(EntrySetTests.set(verifications))
        let (day, services) = try #require(source.days.first)
        let parts = PackedPart.pack(services, of: day, source: 0)
        #expect(parts.count > 2 && parts.allSatisfy { (64 << 10...256 << 10).contains($0.bytes.count) })
        #expect(parts.reduce(0) { $0 + $1.verifications } == 60_000)
        for (left, right) in zip(parts, parts.dropFirst()) {
            #expect(!left.overlaps(right) && left.times.upperBound < right.times.lowerBound)
        }
        // Small functions share parts.
        let small = PackedPartTests.source(EntrySetTests.set(verifications.prefix(200))).days[day]?[1] ?? DayEntries()
        let shared = PackedPart.pack(
            Dictionary(uniqueKeysWithValues: (1...200).map { ($0, small) }), of: day, source: 0)
        #expect(shared.dropLast().allSatisfy { (64 << 10...256 << 10).contains($0.bytes.count) })
        #expect(shared.count < 10 && shared.reduce(0) { $0 + $1.verifications } == 200 * 200)
        for (left, right) in zip(shared, shared.dropFirst()) { #expect(!left.overlaps(right)) }
    }
}

extension DayEntries {
    /// Leaves out what another day has as well.
    fileprivate mutating func subtract(_ known: DayEntries) {
        var marks = KnownEntries()
        marks.insert(known, of: 1)
        _ = leaveOut(marks, of: 1)
    }
}
