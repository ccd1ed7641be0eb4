internal import Readiness
internal import Verifications

/// What was counted of one function, by a query or of a day.
extension RawFunction.Part {
    /// Codes all but the callers; no count is above the limit.
    mutating func code<C: Coder>(_ coder: inout C, _ limit: ClosedRange<Int>) throws(C.Failure) {
        copies = try coder.number(copies, in: limit)
        var undated = tally.undated
        try undated.code(&coder, limit)
        let severities = PassSeverity(
            rawValue: try coder.number(tally.otherSeverities.rawValue, in: Limits.severities))
        var days: [DayTally] = []
        for var day in try coder.elements(tally.days, or: .blank) {
            try day.code(&coder, after: days.last?.day, limit)
            days.append(day)
        }
        tally = FunctionTally(
            days: days, undated: undated, pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: severities,
            label: nil)
    }

    /// The sums as they count in a range; of what was filtered nothing but its number is left.
    fileprivate mutating func restrict(to range: TimeRange, horizon: Instant) {
        if range.isBounded {
            let days = tally.days.filter { range.days.contains($0.day) }
            filtered += tally.totals.total - days.reduce(0) { $0 + $1.counts.total }
            tally = FunctionTally(
                days: days, undated: StatusMatrix(), pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: [],
                label: nil)
            callers = callers.days(range)
        }
        for day in tally.days {
            for nanosecond in [day.firstNanosecond, day.lastNanosecond] {
                let instant = Instant(day: day.day, nanosecondOfDay: nanosecond)
                if instant <= horizon { updateNewest(instant) }
            }
        }
    }
}

extension RawFunction {
    /// The function as it counts in a range.
    func days(_ range: TimeRange, horizon: Instant) -> RawFunction {
        var function = self
        for provenance in Provenance.allCases {
            guard !self[provenance].tally.days.isEmpty || range.isBounded && !self[provenance].isEmpty else { continue }
            function.update(provenance) { $0.restrict(to: range, horizon: horizon) }
        }
        function.rows = rows.days(range)
        return function
    }
}

extension FunctionCallers {
    fileprivate func days(_ range: TimeRange) -> FunctionCallers {
        guard range.isBounded else { return self }
        var callers = FunctionCallers()
        for (day, counts) in days where range.days.contains(day) { callers.update(day) { $0 = counts } }
        return callers
    }
}

extension DayTally {
    fileprivate static let blank = DayTally(
        day: .earliest, counts: StatusMatrix(), nanoseconds: 0...0, blocked: BlockedTimes(),
        signedInBlocked: BlockedTimes())

    fileprivate mutating func code<C: Coder>(
        _ coder: inout C, after last: Day?, _ limit: ClosedRange<Int>
    ) throws(C.Failure) {
        let day = try coder.day(day, after: last)
        var (counts, revisions, parts) = (counts, revisions, [DayPart]())
        try counts.code(&coder, limit)
        try coder.require(counts.total > 0)
        let severities = PassSeverity(rawValue: try coder.number(passSeverities.rawValue, in: Limits.severities))
        try revisions.code(&coder, limit)
        let times = try coder.nanoseconds(firstNanosecond...lastNanosecond)
        let lastSlot = try coder.number(lastSlot, in: Limits.slots)
        var (blocked, signedInBlocked) = (blocked, signedInBlocked)
        try blocked.code(&coder)
        try signedInBlocked.code(&coder)
        let validHours = try coder.number(validHours, in: Limits.hours)
        for part in try coder.elements(self.parts, or: DayPart(from: 0, slot: nil)) {
            let from = try coder.nanosecond(part.from)
            let slot = try coder.optional(part.slot.map(Int.init), in: 0...Revision.slots + 1).map { UInt8($0) }
            var (counts, callers) = (part.counts, part.callers)
            try counts.code(&coder, limit)
            try callers.code(&coder)
            parts.update(from, slot) { ($0.counts, $0.callers) = (counts, callers) }
        }
        self = DayTally(
            day: day, counts: counts, nanoseconds: times, blocked: blocked, signedInBlocked: signedInBlocked,
            validHours: validHours, passSeverities: severities, revisions: revisions, lastSlot: lastSlot, parts: parts)
    }
}

extension DayRevisions {
    fileprivate mutating func code<C: Coder>(_ coder: inout C, _ limit: ClosedRange<Int>) throws(C.Failure) {
        let (slot, revision) = (try coder.number(slot, in: Limits.slots), try coder.revision(revision))
        var read: [RevisionCounts] = []
        for var one in try coder.elements(counts, or: RevisionCounts(slot: 0, counts: StatusMatrix())) {
            let (slot, revision) = (try coder.number(one.slot, in: Limits.slots), try coder.revision(one.revision))
            try coder.require(read.last.map { $0.slot < slot } ?? true)
            try one.counts.code(&coder, limit)
            read.append(RevisionCounts(slot: slot, revision: revision, counts: one.counts))
        }
        self = DayRevisions(slot: slot, revision: revision, counts: read)
    }
}

extension BlockedTimes {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        let hours = try coder.number(hours, in: Limits.hours)
        self = BlockedTimes(
            hours: hours, lastNanosecond: hours == 0 ? nil : try coder.nanosecond(lastNanosecond ?? 0))
    }
}

extension StatusMatrix {
    private static let cells = TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { (app, $0) } }

    fileprivate mutating func code<C: Coder>(_ coder: inout C, _ limit: ClosedRange<Int>) throws(C.Failure) {
        let cells = StatusMatrix.cells
        let filled = cells.reversed().reduce(0) { $0 << 1 | (self[$1.0, $1.1] > 0 ? 1 : 0) }
        let read = try coder.number(filled, in: 0...1 << cells.count - 1)
        for (index, (app, auth)) in cells.enumerated() where read >> index & 1 == 1 {
            self[app, auth] = try coder.number(self[app, auth], in: limit)
        }
    }
}

/// Who called: numbers that are not zero, and clients by their hashes.
extension FunctionCallers {
    mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        var read = FunctionCallers()
        var last: Day?
        for (day, counts) in try coder.elements(days.sorted { $0.key < $1.key }, or: (.earliest, CallerDay())) {
            let day = try coder.day(day, after: last)
            var counts = counts
            try counts.code(&coder)
            read.update(day) { $0 = counts }
            last = day
        }
        self = read
    }
}

extension CallerDay {
    /// What adds up, in the order in which it is kept.
    private static var numbers: [WritableKeyPath<CallerDay, Int>] {
        [
            \.rows, \.successes, \.unlogged, \.withRow, \.refusedByRow, \.verifiedRefused, \.verifiedServed,
            \.authRefused, \.signedIn.blockedUnclear, \.signedIn.iOSPlaceholders, \.signedOut.blockedUnclear,
            \.signedOut.iOSPlaceholders,
        ]
    }

    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        let numbers = CallerDay.numbers
        let filled = numbers.reversed().reduce(0) { $0 << 1 | (self[keyPath: $1] == 0 ? 0 : 1) }
        let read = try coder.number(filled, in: 0...1 << numbers.count - 1)
        let limit = Limits.entries.upperBound
        for (index, path) in numbers.enumerated() where read >> index & 1 == 1 {
            self[keyPath: path] = try coder.number(self[keyPath: path], in: -limit...limit)
        }
        try signs.code(&coder)
        try signedIn.code(&coder)
        try signedOut.code(&coder)
    }
}

extension AdmittedCallers {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        for cause in causes.indices { causes[cause] = try coder.number(causes[cause], in: Limits.entries) }
        let known = clients.sorted { ($0.key.rank, $0.key.kind.rawValue) < ($1.key.rank, $1.key.kind.rawValue) }
        for (client, counts) in try coder.elements(known, or: (Client(kind: .other), Counts())) {
            let kind = ClientKind(rawValue: try coder.number(client.kind.rawValue, in: 0...Int(UInt8.max)))
            let rank = try coder.number(client.rank, in: 0...Int(ClientVersions.hashMask))
            let read = Client(kind: try coder.require(kind, or: client.kind), rank, in: coder.versions)
            var counts = counts
            for path in [\Counts.verified, \.missing, \.invalid, \.other, \.failing] {
                counts[keyPath: path] = try coder.number(counts[keyPath: path], in: Limits.entries)
            }
            for path in [\Counts.verifiedHours, \.blockedHours] {
                counts[keyPath: path] = try coder.number(counts[keyPath: path], in: Limits.hours)
            }
            if C.isReading { add(counts, of: read) }
        }
    }
}

extension AdmittedCallers.Client {
    /// A client by what a row keeps of it: the hash of its version, or of its site with the number of its browser.
    ///
    /// Without a table of versions, they are only passed on.
    init(kind: ClientKind, _ rank: UInt64, in versions: ClientVersions?) {
        let hash = ClientVersions.hash(of: kind, rank)
        let known = versions.map { $0[hash] } ?? ClientVersion()
        let version = hash == 0 ? nil : known
        let client = Self(kind: kind, version: version, rank: rank)
        self = version == nil ? client.withoutVersion : client
    }
}

extension DaySigns {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        let runs = try coder.runs(runs)
        var read: [Revision] = []
        for known in try coder.elements(revisions, or: Revision(slot: 0)) {
            let slot = try coder.number(known.slot, in: Limits.slots)
            try coder.require(read.last.map { $0.slot < slot } ?? true)
            var revision = Revision(slot: slot, runs: try coder.runs(known.runs))
            revision.verifiedRefused = try coder.number(known.verifiedRefused, in: Limits.entries)
            revision.verifiedServed = try coder.number(known.verifiedServed, in: Limits.entries)
            read.append(revision)
        }
        self = DaySigns(runs: runs, revisions: read)
    }
}

extension Coder {
    fileprivate mutating func runs(_ known: [SignRun]) throws(Failure) -> [SignRun] {
        var runs: [SignRun] = []
        for run in try elements(known, or: SignRun(.served, nanoseconds: 0...0, slots: (0, 0))) {
            let kind = SignRun.Kind(rawValue: try number(run.kind.rawValue, in: 0...2))
            let slots = (try number(run.firstSlot, in: Limits.slots), try number(run.lastSlot, in: Limits.slots))
            let times = try nanoseconds(run.first...run.last)
            var read = SignRun(try require(kind, or: run.kind), nanoseconds: times, slots: slots)
            for kind in EnforcementSign.Kind.allCases { read[kind] = try number(run[kind], in: Limits.entries) }
            runs.append(read)
        }
        return runs
    }

    fileprivate mutating func revision(_ revision: Revision) throws(Failure) -> Revision {
        let revision = Revision(word: try number(revision.word, in: 0...Int.max))
        try require(revision == .none || revision.isPossible)
        return revision
    }
}
