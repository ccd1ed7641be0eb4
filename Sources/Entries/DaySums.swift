package import Readiness
package import Verifications

/// What the entries of one UTC day count, by the keyed hash of the function or service: all that is left of them when
/// they are given up.
package struct DaySums: Sendable {
    private(set) var functions: [UInt64: RawFunction] = [:]
    /// Rows that no verification belongs to.
    private(set) var open = 0

    package init() {}

    /// What was counted of a day, among others or not.
    ///
    /// - Parameters:
    ///   - resolved: The counts, those of services included.
    ///   - day: The day.
    ///   - names: By hash, those of the functions.
    package init(_ resolved: ResolvedSet, of day: StoredDay, names: [UInt64: FunctionIdentity]) {
        for (hash, name) in names {
            if let function = resolved.tally.functions[name], !function.hasNoCounts { functions[hash] = function }
        }
        for (hash, callers) in resolved.services where !callers.days.isEmpty {
            functions[hash, default: RawFunction()].rows.merge(callers)
        }
        open = day.day.flatMap { resolved.open[$0] } ?? 0
    }

    /// How many verifications count.
    package var verifications: Int { functions.values.reduce(0) { $0 + $1.verifications } }

    /// How many functions have one that counts.
    package var functionCount: Int { functions.values.count { $0.verifications > 0 } }

    /// Takes what another store has kept of the day: of a function that both know, what counts more verifications, or
    /// has the smaller bytes.
    package mutating func mergeSealed(_ other: DaySums) {
        for (hash, theirs) in other.functions {
            guard let ours = functions[hash] else {
                functions[hash] = theirs
                continue
            }
            let (number, others) = (ours.verifications, theirs.verifications)
            guard number <= others, theirs != ours else { continue }
            if number < others || theirs.packed.lexicographicallyPrecedes(ours.packed) { functions[hash] = theirs }
        }
        open = max(open, other.open)
    }

    package var bytes: [UInt8] {
        var out = PackedWriter()
        out.write(functions.count)
        for (hash, function) in functions.sorted(by: { $0.key < $1.key }) {
            out.write(word: hash)
            out.append(function.packed)
        }
        out.write(open)
        return out.bytes
    }

    /// Reads the sums of a day as they count in a range.
    ///
    /// - Parameters:
    ///   - bytes: What ``bytes`` has written, or anything else.
    ///   - day: The day.
    ///   - range: What counts, by whole days.
    ///   - horizon: Verifications after it do not decide what is judged as of.
    ///   - versions: Of the clients.
    /// - Throws: That the bytes are something else.
    package init(
        _ bytes: ArraySlice<UInt8>, of day: StoredDay, range: TimeRange = TimeRange(),
        horizon: Instant = Instant(seconds: .max), versions: ClientVersions?
    ) throws(PackedFault) {
        var reader = PackedReader(bytes)
        for _ in 0..<(try reader.readCount(bytesEach: 10)) {
            let hash = try reader.readWord()
            let function = try reader.readFunction(of: day, range, horizon, versions)
            guard functions.updateValue(function, forKey: hash) == nil else { throw PackedFault() }
        }
        open = try reader.readNumber(SourceLimits.entries)
        guard reader.rest == 0 else { throw PackedFault() }
    }
}

extension ResolvedSet {
    /// Adds what a day counts; the names are those of the functions, by hash.
    package mutating func add(_ sums: DaySums, of day: StoredDay, names: [UInt64: FunctionIdentity]) {
        for (hash, function) in sums.functions {
            input.add(function)
            if let name = names[hash] {
                tally.add(function, for: name)
            } else {
                services[hash, default: FunctionCallers()].merge(function.rows)
            }
        }
        if sums.open > 0, let day = day.day { open[day, default: 0] += sums.open }
    }

    /// Adds what queries have counted of other projects.
    package mutating func add(_ counted: RawTally) {
        for function in counted.functions.values { input.add(function) }
        tally.merge(counted)
    }
}

extension InputSummary {
    fileprivate mutating func add(_ function: RawFunction) {
        for part in Provenance.allCases.map({ function[$0] }) {
            verifications += part.tally.totals.total
            undated += part.tally.undated.total
            duplicates += part.copies
            filtered += part.filtered
        }
        ignored += function.repeated + function.repeatedAlone
    }
}

extension RawFunction {
    fileprivate var verifications: Int { Provenance.allCases.reduce(0) { $0 + self[$1].tally.totals.total } }

    fileprivate var hasNoCounts: Bool {
        repeated + repeatedAlone == 0 && rows.days.isEmpty && Provenance.allCases.allSatisfy { self[$0].isEmpty }
    }

    /// What is counted by day, in bytes.
    fileprivate var packed: [UInt8] {
        var out = PackedWriter()
        let parts = Provenance.allCases.filter { !self[$0].isEmpty }
        out.write(parts.reduce(0) { $0 | 1 << Int($1.rawValue) } | (rows.days.isEmpty ? 0 : 8))
        out.write(repeated)
        out.write(repeatedAlone)
        for provenance in parts {
            out.write(self[provenance])
            out.write(self[provenance].callers)
        }
        if !rows.days.isEmpty { out.write(rows) }
        return out.bytes
    }
}

extension PackedReader {
    fileprivate mutating func readFunction(
        of day: StoredDay, _ range: TimeRange, _ horizon: Instant, _ versions: ClientVersions?
    ) throws(PackedFault) -> RawFunction {
        var function = RawFunction()
        let parts = try readNumber(15)
        function.repeated = try readNumber(SourceLimits.entries)
        function.repeatedAlone = try readNumber(SourceLimits.entries)
        for provenance in Provenance.allCases where parts & 1 << Int(provenance.rawValue) != 0 {
            var part = try readSums(range, horizon: horizon, upTo: SourceLimits.entries, versions)
            part.callers = try readCallers(of: day, range, versions)
            guard part.tally.days.allSatisfy({ $0.day == day.day }) else { throw PackedFault() }
            function[provenance] = part
        }
        if parts & 8 != 0 { function.rows = try readCallers(of: day, range, versions) }
        return function
    }
}

/// Who called, as it is kept: numbers that are not zero, and clients by their hashes.
extension PackedWriter {
    fileprivate mutating func write(_ callers: FunctionCallers) {
        write(callers.days.count)
        for (day, counts) in callers.days.sorted(by: { $0.key < $1.key }) {
            write(signed: Int64(day.number))
            write(counts)
        }
    }

    mutating func write(_ counts: CallerDay) {
        let numbers = CallerDay.numbers.map { counts[keyPath: $0] }
        write(numbers.reversed().reduce(UInt64(0)) { $0 << 1 | ($1 == 0 ? 0 : 1) })
        for number in numbers where number != 0 { write(signed: Int64(number)) }
        write(counts.signs.runs)
        write(counts.signs.revisions.count)
        for revision in counts.signs.revisions {
            write(revision.slot)
            write(revision.runs)
            write(revision.verifiedRefused)
            write(revision.verifiedServed)
        }
        for admitted in [counts.signedIn, counts.signedOut] {
            write(admitted.causes.count { $0 > 0 })
            for (cause, count) in admitted.causes.enumerated() where count > 0 {
                write(cause)
                write(count)
            }
            write(admitted.clients.count)
            let clients = admitted.clients.sorted {
                ($0.key.rank, $0.key.kind.rawValue) < ($1.key.rank, $1.key.kind.rawValue)
            }
            for (client, counts) in clients {
                write(client.kind.rawValue)
                write(client.rank)
                for count in [counts.verified, counts.missing, counts.invalid, counts.other, counts.failing] {
                    write(count)
                }
            }
        }
    }

    private mutating func write(_ runs: [SignRun]) {
        write(runs.count)
        for run in runs {
            write(Int(run.firstSlot) << 6 | Int(run.lastSlot) << 2 | Int(run.kind.rawValue))
            write(run.first)
            write(run.last - run.first)
            for kind in EnforcementSign.Kind.allCases { write(run[kind]) }
        }
    }
}

extension PackedReader {
    fileprivate mutating func readCallers(
        of name: StoredDay, _ range: TimeRange, _ versions: ClientVersions?
    ) throws(PackedFault) -> FunctionCallers {
        var callers = FunctionCallers()
        for _ in 0..<(try readCount(bytesEach: 10)) {
            let day = Day(number: Int32(try readSigned(Int(Int32.min)...Int(Int32.max))))
            guard day == name.day else { throw PackedFault() }
            let counts = try readCallerDay(versions)
            if range.days.contains(day) { callers.update(day) { $0.merge(counts) } }
        }
        return callers
    }

    mutating func readCallerDay(_ versions: ClientVersions?) throws(PackedFault) -> CallerDay {
        var counts = CallerDay()
        let filled = UInt64(try readNumber())
        guard filled >> UInt64(CallerDay.numbers.count) == 0 else { throw PackedFault() }
        for (index, path) in CallerDay.numbers.enumerated() where filled >> UInt64(index) & 1 == 1 {
            counts[keyPath: path] = try readSigned(-SourceLimits.entries...SourceLimits.entries)
        }
        counts.signs = DaySigns(runs: try readRuns(), revisions: try readRevisionSigns())
        for path in [\CallerDay.signedIn, \.signedOut] {
            for _ in 0..<(try readCount(bytesEach: 2)) {
                let cause = try readNumber(RefusalCause.allCases.count - 1)
                counts[keyPath: path].causes[cause] += try readNumber(SourceLimits.entries)
            }
            for _ in 0..<(try readCount(bytesEach: 7)) {
                guard let kind = ClientKind(rawValue: try readByte()) else { throw PackedFault() }
                let rank = UInt64(try readNumber(Int(ClientVersions.hashMask)))
                var numbers = AdmittedCallers.Counts()
                numbers.verified = try readNumber(SourceLimits.entries)
                numbers.missing = try readNumber(SourceLimits.entries)
                numbers.invalid = try readNumber(SourceLimits.entries)
                numbers.other = try readNumber(SourceLimits.entries)
                numbers.failing = try readNumber(SourceLimits.entries)
                counts[keyPath: path].add(numbers, of: AdmittedCallers.Client(kind: kind, rank, in: versions))
            }
        }
        return counts
    }

    private mutating func readRevisionSigns() throws(PackedFault) -> [DaySigns.Revision] {
        var revisions: [DaySigns.Revision] = []
        for _ in 0..<(try readNumber(Revision.slots + 1)) {
            let slot = UInt8(try readNumber(Revision.slots))
            guard revisions.last.map({ $0.slot < slot }) ?? true else { throw PackedFault() }
            var revision = DaySigns.Revision(slot: slot, runs: try readRuns())
            revision.verifiedRefused = try readNumber(SourceLimits.entries)
            revision.verifiedServed = try readNumber(SourceLimits.entries)
            revisions.append(revision)
        }
        return revisions
    }

    private mutating func readRuns() throws(PackedFault) -> [SignRun] {
        var runs: [SignRun] = []
        for _ in 0..<(try readCount(bytesEach: 9)) {
            let code = try readNumber(1 << 10 - 1)
            guard let kind = SignRun.Kind(rawValue: UInt8(code & 3)) else { throw PackedFault() }
            let first = try readNanosecond()
            let last = first + (try readNanosecond())
            guard last < Instant.nanosecondsPerDay else { throw PackedFault() }
            var run = SignRun(kind, nanoseconds: first...last, slots: (UInt8(code >> 6), UInt8(code >> 2 & 15)))
            for kind in EnforcementSign.Kind.allCases { run[kind] = try readNumber(SourceLimits.entries) }
            runs.append(run)
        }
        return runs
    }
}

extension AdmittedCallers.Client {
    /// A client by what a row keeps of it, the hash of its version or the number of its browser.
    ///
    /// Without a table of versions, they are only passed on.
    init(kind: ClientKind, _ rank: UInt64, in versions: ClientVersions?) {
        guard rank != 0, kind != .web else {
            self.init(kind: kind, rank: UInt8(exactly: rank).flatMap(Browser.init) == nil ? 0 : rank)
            return
        }
        let version = versions.map { $0[rank] } ?? ClientVersion(app: "", version: "", os: "")
        self.init(kind: kind, version: version, rank: version == nil ? 0 : rank)
    }
}

extension CallerDay {
    /// What adds up, in the order in which it is kept.
    fileprivate static var numbers: [WritableKeyPath<CallerDay, Int>] {
        [
            \.rows, \.successes, \.unlogged, \.withRow, \.refusedByRow, \.verifiedRefused, \.verifiedServed,
            \.authRefused, \.signedIn.blockedUnclear, \.signedIn.iOSPlaceholders, \.signedOut.blockedUnclear,
            \.signedOut.iOSPlaceholders,
        ]
    }
}
