internal import Readiness
internal import Verifications

/// What the verifications of the current day show of enforcement, in the order of time where that matters.
///
/// A day without an answer that enforcement gives shows nothing but served requests, whose order is of no interest:
/// those are nearly all, and cost nothing.
extension FunctionResolver {
    /// Instants from which on the day's requests are wanted, since midnight.
    func cuts(of day: DayIndex) -> [Int64] {
        resolution.cuts.filter { DayIndex($0.day) == day }.map(\.nanosecondOfDay)
    }

    /// Puts the signs of the day in their order, and keeps what it has from the instants on that matter: beginnings of
    /// spells, and those of a policy.
    ///
    /// A line that says that a request goes on is a sign also where nothing but its function is known.
    mutating func order(_ kept: [JoinedEntry], isOrdered: Bool, cuts: [Int64]) {
        guard let day = current, let date = day.day.day else { return }
        for place in day.lines(.function, (0, 0)) where day.lines[place].isAllowing {
            let time = day.lines[place].time
            guard resolution.range.contains(time.instant(on: day.day)) else { continue }
            let sign = EnforcementSign(.allowed, nanosecond: Int64(time.word), slot: 0, count: 1)
            updateCallers { $0.signs.merge(DaySigns([sign])) }
        }
        guard !kept.isEmpty else { return }
        if isOrdered {
            let signs = DaySigns(kept.compactMap(sign), verified: verified(kept))
            if !signs.isEmpty { updateCallers { $0.signs.merge(signs) } }
        }
        let hour = resolution.hour.flatMap { $0.day == date ? $0.nanosecondOfDay : nil }
        var instants: [(nanosecond: Int64, slot: UInt8?)] = cuts.map { ($0, nil) }
        let signs = counts.callers.days[date]?.signs ?? DaySigns()
        instants += signs.beginnings(sharing: Set(kept.lazy.map(\.slot)).count > 1)
        var parts: [DayPart] = []
        for (nanosecond, slot) in instants {
            parts.update(nanosecond, slot) { $0 = part(of: kept, from: nanosecond, slot) }
        }
        if let hour {
            let last = part(of: kept, from: hour, nil)
            if last.counts.blocked(.notRefused) > 0 { parts.update(last.from, nil) { $0 = last } }
        }
        keep(parts)
    }

    /// Where several revisions share a day: how each of them answered requests with both tokens VALID.
    private func verified(_ entries: [JoinedEntry]) -> [DaySigns.Revision] {
        let bySlot = Dictionary(grouping: entries, by: \.slot)
        guard bySlot.count > 1 else { return [] }
        return bySlot.compactMap { slot, entries in
            var revision = DaySigns.Revision(slot: slot)
            for found in entries where found.entry.app == .valid && found.entry.auth == .valid {
                guard let answer = answer(of: found) else { continue }
                if answer == .unauthenticated {
                    revision.verifiedRefused += found.number
                } else {
                    revision.verifiedServed += found.number
                }
            }
            return revision.verifiedRefused + revision.verifiedServed > 0 ? revision : nil
        }
    }

    private func part(of entries: [JoinedEntry], from nanosecond: Int64, _ slot: UInt8?) -> DayPart {
        var (part, signs) = (DayPart(from: nanosecond, slot: slot), [EnforcementSign]())
        for found in entries where slot.map({ $0 == found.slot }) ?? true {
            guard found.instant.nanosecondOfDay >= nanosecond else { continue }
            part.counts[found.entry.app, found.entry.auth] += found.number
            let row = row(found.row)
            part.callers.count(found, answer: answer(of: found), row: row)
            if let row {
                // What files do not keep must not show whether an answer is based on logs.
                let client = AdmittedCallers.Client(kind: row.client, row.version, in: versions)
                part.callers.update(auth: found.entry.auth) { $0.add(found.counts(row.answer), of: client) }
            }
            if let sign = sign(of: found) { signs.append(sign) }
        }
        part.callers.signs = DaySigns(totals: signs)
        return part
    }

    /// What its row says, or generation 1's line about its execution.
    func answer(of found: JoinedEntry) -> RequestRow.ResponseClass? {
        if let row = row(found.row) { return row.answer }
        guard hasAnswers else { return nil }
        let lines = lines(of: found.traced)
        if lines.contains(where: { self[$0].isRefused }) { return .unauthenticated }
        return lines.contains(where: { self[$0].isServed }) ? .success : nil
    }

    /// What a verification shows of enforcement; nil for one that enforcement does not concern, and where its answer
    /// may have another cause.
    ///
    /// The SDK's word that it lets the request through outweighs the answer, which is the handler's then; and where it
    /// says no such word about a refused token, an answer below 400 is that of a stream.
    func sign(of found: JoinedEntry) -> EnforcementSign? {
        let entry = found.entry
        guard entry.app != .valid, entry.auth != .invalid else { return nil }
        let near = entry.app == .invalid || hasAnswers ? lines(of: found.traced) : []
        func sign(_ kind: EnforcementSign.Kind) -> EnforcementSign {
            EnforcementSign(kind, nanosecond: found.instant.nanosecondOfDay, slot: found.slot, count: found.number)
        }
        if entry.app == .invalid, near.contains(where: { self[$0].isAllowing }) { return sign(.allowed) }
        let answer = row(found.row)?.answer
        let refused = entry.app == .invalid ? EnforcementSign.Kind.refusedInvalid : .refused
        if answer == .unauthenticated || found.row == .none && near.contains(where: { self[$0].isRefused }) {
            return sign(refused)
        }
        let hasCause =
            entry.app == .invalid
            && near.contains { line in
                self[line].cause != nil && (line.day < 0 || line.day == 0 && self[line].time <= entry.time)
            }
        let isServed = answer?.isServed ?? (found.row == .none && near.contains(where: { self[$0].isServed }))
        if hasCause, entry.provenance == .labelled { return sign(isServed ? .refusedByLineOrServed : .refusedByLine) }
        return isServed ? sign(.served) : nil
    }
}
