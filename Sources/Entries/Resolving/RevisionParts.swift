internal import Readiness
internal import Verifications

/// Divides the requests of the current day by revision, in the order of time where that matters.
extension FunctionResolver {
    private func cuts(of day: DayIndex) -> [Int64] {
        (resolution.cuts + [resolution.range.since].compactMap(\.self)).filter { DayIndex($0.day) == day }
            .map(\.nanosecondOfDay)
    }

    /// True if the order of a day's requests matters: several revisions had some, a policy names an instant, or some
    /// that name no revision may have been refused.
    func isDivided(_ day: DayInHand) -> Bool {
        guard let first = day.entries.first?.revision else { return false }
        if let since = resolution.range.since, day.day <= DayIndex(since.day) { return true }
        return day.entries.contains { $0.revision != first } || !cuts(of: day.day).isEmpty
            || day.revisions[Int(first)] == .none && hands.contains(where: \.mayRefuse)
    }

    mutating func keep(_ part: RevisionPart) {
        guard let date = current?.day.day, part.requests > 0 else { return }
        var part = part
        part.beginning = timeline.add(part.revision, part.requests, on: date)
        counts.tally.keep([part], of: date)
        counts.tally.addNewest(part.requests, of: part.revision)
    }

    mutating func divide(_ found: [JoinedEntry]) {
        guard let day = current, let date = day.day.day, !found.isEmpty else { return }
        let sorted = found.sorted { ($0.instant, $0.revision) < ($1.instant, $1.revision) }
        let signs = sorted.map(sign)
        let unnamed = found.allSatisfy { $0.revision == .none }
        let bounds = (cuts(of: day.day) + (unnamed ? turns(sorted, signs) : [])).sorted()
        var (parts, places) = ([DividedPart](), [PartKey: Int]())
        for (entry, sign) in zip(sorted, signs) {
            let beginning = timeline.add(entry.revision, entry.number, on: date)
            let key = PartKey(
                beginning: beginning, bound: bounds.partitioningIndex { $0 <= entry.instant.nanosecondOfDay })
            let place = places[key] ?? parts.count
            if place == parts.count {
                places[key] = place
                parts.append(DividedPart(part: RevisionPart(entry.revision, beginning: beginning)))
            }
            count(entry, sign, &parts[place].part)
            parts[place].counts[entry.entry.app, entry.entry.auth] += entry.number
            let row = row(entry.row)
            if entry.row != .none { parts[place].callers.withRow += entry.number }
            if let row {
                let client = AdmittedCallers.Client(row.client, in: versions)
                parts[place].callers.update(auth: entry.entry.auth) { callers in
                    callers.add(entry.counts(row.answer), of: client)
                    entry.addAddress(of: row, to: &callers)
                }
            } else {
                parts[place].callers.update(auth: entry.entry.auth, entry.addBlocked)
            }
        }
        for entry in sorted.suffix(FunctionTally.newest) { counts.tally.addNewest(entry.number, of: entry.revision) }
        counts.tally.keep(
            parts.map { divided in
                var part = divided.part
                part.keep(divided.counts)
                return part
            }, of: date)
        counts.callers.keep(parts.map(\.callers), of: date)
    }

    private struct PartKey: Hashable {
        let beginning: Int
        let bound: Int
    }

    private struct DividedPart {
        var part: RevisionPart
        var counts = StatusMatrix()
        var callers = CallerDay()
    }

    func count(_ found: JoinedEntry, _ sign: EnforcementSign?, _ part: inout RevisionPart) {
        part.add(
            found.number, at: found.instant.nanosecondOfDay, app: found.entry.app, auth: found.entry.auth,
            answer: hasEvidence ? answer(of: found) : nil, sign: sign)
    }

    /// The times at which runs of refused requests may begin, of entries that name no revision: the first of each kind
    /// that may have been refused after the last sign of each kind.
    private func turns(_ sorted: [JoinedEntry], _ signs: [EnforcementSign?]) -> [Int64] {
        var times: [EnforcementSign: [Int64]] = [:]
        for (entry, sign) in zip(sorted, signs) {
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
        if lines.contains(where: { self[$0].answer == .unauthenticated }) { return .unauthenticated }
        return lines.contains(where: { self[$0].isServed }) ? .success : nil
    }

    /// Returns the sign of enforcement that a verification gives; nil if enforcement does not concern it.
    func sign(of found: JoinedEntry) -> EnforcementSign? {
        let entry = found.entry
        guard entry.app != .valid, entry.auth != .invalid else { return nil }
        var line = EnforcementSign.Line.none
        if entry.app == .invalid {
            let near = lines(of: found.traced)
            if near.contains(where: { self[$0].isAllowing }) {
                line = .allowing
            } else if near.contains(where: { isBefore($0, entry) && self[$0].cause != nil }) {
                line = .refused
            }
        }
        return EnforcementSign(answer: answer(of: found), line: line, app: entry.app, auth: entry.auth)
    }
}
