internal import Readiness
internal import Verifications

/// What was counted of one function, or of a part of its entries.
struct Counted: Sendable {
    var raw = RawFunction()
    var input = InputSummary()
    /// What joining has found so far, by the number of the provenance.
    var joined = Array(repeating: JoinedEntries(), count: Provenance.allCases.count)
    var unnamedCopies: UnnamedCopies?
    /// By day: rows that no verification belongs to.
    var open: [Day: Int] = [:]
    var givenUpThrough: Day?

    mutating func merge(_ other: Counted) {
        raw.merge(other.raw)
        input.merge(other.input)
        for index in joined.indices { joined[index].merge(other.joined[index]) }
    }

    mutating func count(copies number: Int, of provenance: Provenance) {
        guard number > 0 else { return }
        input.duplicates += number
        raw.update(provenance) { $0.copies += number }
    }

    /// Counts the entries of a bucket, which is empty then.
    mutating func count(_ bucket: inout Bucket, _ join: EvidenceJoin, _ resolution: Resolution) {
        let entries = bucket.takeSorted()
        var start = 0
        for index in entries.indices
        where index + 1 == entries.count || entries[index + 1].entry.key != entries[start].entry.key {
            if index == start {
                count(entries[index], copies: 0, repeating: nil, join, resolution)
            } else {
                countGroup(entries[start...index], join, resolution)
            }
            start = index + 1
        }
    }

    /// Counts the entries of one key, the earliest first: copies, and entries of one execution.
    private mutating func countGroup(
        _ group: ArraySlice<TracedEntry>, _ join: EvidenceJoin, _ resolution: Resolution
    ) {
        var execution = ExecutionEntries()
        var undated: [(entry: TracedEntry, copies: Int)] = []
        var index = group.startIndex
        while index < group.endIndex {
            var entry = group[index]
            var (uncounted, wasCounted) = (0, false)
            repeat {
                // If copies name different requests, or none, the same one stays regardless of their order.
                if entry.request == .none { entry.request = group[index].request }
                if entry.entry.slot == 0 { entry.entry = entry.entry.with(slot: group[index].entry.slot) }
                if group[index].entry.wasCounted { wasCounted = true } else { uncounted += 1 }
                index += 1
            } while index < group.endIndex && group[index].entry.isCopy(of: entry.entry)
            if wasCounted { entry.entry = entry.entry.counted }
            let copies = wasCounted ? uncounted : uncounted - 1
            if !entry.entry.namesExecution {
                count(entry, copies: copies, repeating: nil, join, resolution)
            } else if entry.entry.isDated {
                count(entry, copies: copies, repeating: execution.repeated(by: entry.entry), join, resolution)
            } else {
                undated.append((entry, copies))
            }
        }
        for (entry, copies) in undated {
            count(entry, copies: copies, repeating: execution.repeated(by: entry.entry), join, resolution)
        }
    }

    private mutating func count(
        _ traced: TracedEntry, copies: Int, repeating side: Int?, _ join: EvidenceJoin, _ resolution: Resolution
    ) {
        let (entry, provenance) = (traced.entry, traced.entry.provenance)
        let isCopy = unnamedCopies?.contains(entry) ?? false
        let number = resolution.countsCopies ? 1 + copies : 1
        guard !entry.wasCounted else {
            count(copies: copies, of: provenance)
            guard !isCopy, !join.isEmpty else { return }
            // Its row and its line are no other's.
            if let side {
                join.add(traced, repeating: side, &joined[Int(provenance.rawValue)])
            } else {
                join.take(traced, 0, &joined[Int(provenance.rawValue)])
            }
            return
        }
        let further = resolution.countsCopies ? 0 : copies + (isCopy ? 1 : 0)
        count(copies: further, of: provenance)
        guard !isCopy else { return }
        if let side {
            input.ignored += number
            join.add(traced, repeating: side, &joined[Int(provenance.rawValue)])
            return raw.countRepeated(number, of: provenance)
        }
        if !join.isEmpty { join.take(traced, number, &joined[Int(provenance.rawValue)]) }
        let instant = entry.instant
        if let instant, let minute = resolution.minutes?.place(of: instant) {
            raw.update(provenance) { $0.minutes.update(minute) { $0.verifications[entry.app, entry.auth] += number } }
        }
        guard resolution.range.contains(instant) else {
            input.filtered += number
            return raw.update(provenance) { $0.filtered += number }
        }
        input.verifications += number
        if !entry.isDated { input.undated += number }
        raw.update(provenance) { part in
            for _ in 0..<number {
                part.tally.add(
                    app: entry.app, auth: entry.auth, severity: entry.severity, at: instant, slot: entry.slot)
            }
            if let instant, instant <= resolution.horizon { part.updateNewest(instant) }
            guard join.isEmpty else { return }
            part.tally.newest.add(entry, number, nil, horizon: resolution.asOf ?? resolution.horizon)
        }
    }
}

/// The entries of one execution that were met so far.
private struct ExecutionEntries {
    /// The days of dated ones, ascending, each once.
    private var days: [Int] = []
    private var latest: UInt64?
    /// The day of the latest one before that.
    private var earlierDay: Int?
    /// Those with the time of the latest, by their statuses.
    private var statuses: UInt16 = 0
    private var undatedDay: Int?
    private var hasTimeless = false

    /// Where the earlier entry lies that an entry repeats: on the same day (0), the day before (-1) or, for an undated
    /// one, the day after (1); nil where there is none on these days.
    ///
    /// Dated ones come first, in the order of time. If several have one nanosecond, those with different statuses
    /// all count: which of them is the real one is unknown. An undated one is later than the dated ones around its day
    /// of receipt.
    mutating func repeated(by entry: PackedVerification) -> Int? {
        guard entry.hasDay else {
            defer { hasTimeless = true }
            return hasTimeless ? 0 : nil
        }
        let day = entry.dayNumber
        guard entry.isDated else {
            let place = days.partitioningIndex { $0 < day - 1 }
            var sides = days[place...].prefix { $0 <= day + 1 }.map { $0 - day }
            if let undatedDay, day - undatedDay <= 1 { sides.append(undatedDay - day) }
            undatedDay = day
            // Where there are two, one of them is always near.
            return Set(sides).count > 1 ? 0 : sides.first
        }
        if entry.time.word != latest {
            earlierDay = days.last
            (latest, statuses) = (entry.time.word, 0)
            if days.last != day { days.append(day) }
        }
        let status: UInt16 = 1 << UInt16(entry.statuses)
        defer { statuses |= status }
        if statuses & status != 0 { return 0 }
        return earlierDay.flatMap { day - $0 <= 1 ? $0 - day : nil }
    }
}
