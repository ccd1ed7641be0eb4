internal import Readiness
internal import Verifications

/// Divides the requests of the current day by revision, in the order of time where that matters.
extension FunctionResolver {
    private func cuts(of day: DayIndex) -> [Int64] {
        (resolution.cuts + [resolution.range.since].compactMap(\.self)).filter { DayIndex($0.day) == day }
            .map(\.nanosecondOfDay)
    }

    typealias OpenRow = (revision: Revision, instant: Instant)

    /// The rows of a day that no verification has, in the order of time: their revisions answered requests, too, such
    /// as those that fail before the SDK logs them.
    ///
    /// The first verifications of the next day may have one of them yet, which is of the same revision then.
    func openRows(of day: ResolvedDay) -> [OpenRow] {
        var open: [OpenRow] = []
        for (place, row) in day.rows.enumerated() where !day.takenRows.contains(place) {
            let revision = day.revision(ofRow: place)
            guard revision != .none, let instant = row.time.instant(on: day.day), resolution.sees(instant),
                resolution.range.contains(instant) || resolution.range.since.map({ instant < $0 }) ?? false
            else { continue }
            open.append((revision, instant))
        }
        return open.sorted { ($0.instant, $0.revision) < ($1.instant, $1.revision) }
    }

    /// True if the order of a day's requests matters: several revisions had some, a policy names an instant, or some
    /// that name no revision may have been refused.
    func isDivided(_ day: ResolvedDay, _ open: [OpenRow]) -> Bool {
        guard let first = day.entries.first?.revision else {
            return open.contains { $0.revision != open[0].revision }
        }
        if let since = resolution.range.since, day.day <= DayIndex(since.day) { return true }
        let revision = day.revisions[Int(first)]
        return day.entries.contains { $0.revision != first } || !cuts(of: day.day).isEmpty
            || open.contains { $0.revision != revision }
            || revision == .none && neighbours.contains(where: \.mayRefuse)
    }

    mutating func divide(_ found: [JoinedEntry], _ open: [OpenRow], on date: Day) {
        guard let day = current else { return }
        let sorted = found.sorted { ($0.instant, $0.revision) < ($1.instant, $1.revision) }
        let unnamed = found.allSatisfy { $0.revision == .none }
        let bounds = (cuts(of: day.day) + (unnamed ? turns(sorted) : [])).sorted()
        var open = open[...]
        func addOpen(before instant: Instant?) {
            while let next = open.first, instant.map({ next.instant < $0 }) ?? true {
                noteOpen([next], of: timeline.add(next.revision, 1, on: date))
                open.removeFirst()
            }
        }
        defer { addOpen(before: nil) }
        for entry in sorted {
            addOpen(before: entry.instant)
            let beginning = timeline.add(entry.revision, entry.number, on: date)
            write(
                entry,
                in: CellTable.Stint(
                    entry.revision, beginning: beginning,
                    piece: bounds.partitioningIndex { $0 <= entry.instant.nanosecondOfDay }))
        }
    }

    /// Notes rows without a verification, of one revision and in the order of time.
    mutating func noteOpen(_ open: [OpenRow], of beginning: Int) {
        guard let first = open.first else { return }
        let stint = CellTable.Stint(first.revision, beginning: beginning)
        writer.table.openings[stint] = min(writer.table.openings[stint] ?? first.instant, first.instant)
    }

    /// The times at which runs of refused requests may begin, of entries that name no revision: the first of each kind
    /// that may have been refused after the last sign of each kind.
    private func turns(_ sorted: [JoinedEntry]) -> [Int64] {
        guard hasEvidence else { return [] }
        var times: [EnforcementSign: [Int64]] = [:]
        for entry in sorted {
            let sign = EnforcementSign(
                answer: answer(of: entry), line: line(of: entry), app: entry.entry.app, auth: entry.entry.auth)
            if let sign { times[sign, default: []].append(entry.instant.nanosecondOfDay) }
        }
        // The last sign of a kind may be of an earlier day.
        let ends = [-1] + times.values.compactMap(\.last)
        return Array(
            Set(
                times.filter(\.key.mayBeRefused).values.flatMap { times in
                    ends.compactMap { end in
                        let next = times.partitioningIndex { $0 <= end }
                        return next < times.count ? times[next] : nil
                    }
                }))
    }

    func answer(of found: JoinedEntry) -> RequestRow.ResponseClass? {
        if let row = row(found.row) { return row.answer }
        guard found.row == .none, hasAnswers else { return nil }
        let lines = lines(of: found.traced)
        let answers = lines.compactMap { self[$0].answer }
        if answers.contains(.unauthenticated) { return .unauthenticated }
        return lines.contains(where: { self[$0].isServed }) ? .success : answers.min()
    }

    /// Returns what lines next to a verification say of enforcement.
    func line(of found: JoinedEntry) -> EnforcementSign.Line {
        guard found.entry.app == .invalid, found.entry.auth != .invalid else { return .none }
        let near = lines(of: found.traced)
        if near.contains(where: { self[$0].isAllowing }) { return .allowing }
        return near.contains { isBefore($0, found.entry) && self[$0].cause != nil } ? .refused : .none
    }
}
