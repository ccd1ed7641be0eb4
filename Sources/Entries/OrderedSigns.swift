internal import Readiness
internal import Verifications

/// The row that was found for a verification.
struct FoundRow: Hashable, Sendable {
    /// Its place, or less than 0.
    private let code: Int32

    static let none = FoundRow(-1)
    /// There is one, and others of its trace could be it.
    static let unclear = FoundRow(-2)

    init(_ place: Int) { code = Int32(place) }

    /// Its place, where no other could be it.
    var certain: Int? { code >= 0 ? Int(code) : nil }
}

/// A verification that counts, with what is known of its row.
struct JoinedEntry: Sendable {
    let traced: TracedEntry
    let row: FoundRow
    let number: Int32

    var entry: PackedVerification { traced.entry }
}

/// The days of which single verifications are looked at again once all are known: there the order of requests matters.
///
/// Days without an answer that enforcement gives show nothing but served requests, whose order is of no interest: those
/// are nearly all, and cost nothing.
struct OrderedDays: Sendable {
    /// Days since 2016 on which a request may have been refused by enforcement.
    private var ordered: Set<Int> = []
    /// Instants from which on a day's requests are wanted, by the day.
    private var cuts: [Int: [Int64]] = [:]
    private(set) var hour: Instant?

    var isEmpty: Bool { ordered.isEmpty && cuts.isEmpty }

    init(_ rows: [EntryRow], _ lines: [EntryLine], _ resolution: Resolution) {
        for row in rows where row.answer == .unauthenticated { add(row.day) }
        for line in lines where line.isRefused { add(line.day) }
        lines.forEachRun(of: { $0.link == $1.link && $0.key == $1.key }) { lines in
            let isLetThrough = lines.first?.link == .function || lines.contains(where: \.isAllowing)
            if !isLetThrough { for line in lines where line.cause != nil { add(line.day) } }
        }
        for cut in resolution.cuts {
            cuts[Day.earliest.distance(to: cut.day), default: []].append(cut.nanosecondOfDay)
        }
        hour = resolution.hour
    }

    /// A row belongs to a verification of the same day or the day next to it.
    private mutating func add(_ day: Day) {
        let number = Day.earliest.distance(to: day)
        if ordered.contains(number), ordered.contains(number - 1), ordered.contains(number + 1) { return }
        ordered.formUnion(number - 1...number + 1)
    }

    func uses(_ day: Int) -> (isKept: Bool, isOrdered: Bool) {
        guard !isEmpty else { return (false, false) }
        let isOrdered = ordered.contains(day)
        return (isOrdered || cuts[day] != nil, isOrdered)
    }

    func cuts(of day: Day) -> [Int64] { cuts[Day.earliest.distance(to: day)] ?? [] }
}

extension EvidenceJoin {
    /// Puts the signs of days in their order, now that all are known.
    ///
    /// A line that says that a request goes on is a sign also where nothing but its function is known.
    ///
    /// - Returns: What days have from the instants on that matter: beginnings of spells, and those of a policy.
    func order(_ joined: inout JoinedEntries) -> [(day: Day, parts: [DayPart])] {
        var found: [(day: Day, parts: [DayPart])] = []
        for line in lines where line.link == .function && line.isAllowing && line.counts {
            let sign = EnforcementSign(.allowed, nanosecond: line.instant.nanosecondOfDay, slot: 0, count: 1)
            joined.callers.update(line.day) { $0.signs.merge(DaySigns([sign])) }
        }
        for (number, entries) in Dictionary(grouping: joined.kept, by: \.entry.dayNumber) {
            let day = Day.earliest.advanced(by: number)
            if days.uses(number).isOrdered {
                let signs = DaySigns(entries.compactMap(sign), verified: verified(entries))
                if !signs.isEmpty { joined.callers.update(day) { $0.signs.merge(signs) } }
            }
            var instants: [(nanosecond: Int64, slot: UInt8?)] = days.cuts(of: day).map { ($0, nil) }
            let signs = joined.callers.days[day]?.signs ?? DaySigns()
            instants += signs.beginnings(sharing: Set(entries.lazy.map(\.entry.slot)).count > 1)
            var parts: [DayPart] = []
            for (nanosecond, slot) in instants {
                parts.update(nanosecond, slot) { $0 = part(of: entries, from: nanosecond, slot) }
            }
            if let hour = days.hour, hour.day == day {
                let last = part(of: entries, from: hour.nanosecondOfDay, nil)
                if last.counts.blocked(.notRefused) > 0 { parts.update(last.from, nil) { $0 = last } }
            }
            if !parts.isEmpty { found.append((day, parts)) }
        }
        return found
    }

    /// Where several revisions share a day: how each of them answered requests with both tokens VALID.
    private func verified(_ entries: [JoinedEntry]) -> [DaySigns.Revision] {
        let bySlot = Dictionary(grouping: entries, by: \.entry.slot)
        guard bySlot.count > 1 else { return [] }
        return bySlot.compactMap { slot, entries in
            var revision = DaySigns.Revision(slot: slot)
            for found in entries where found.entry.app == .valid && found.entry.auth == .valid {
                guard let answer = answer(of: found) else { continue }
                if answer == .unauthenticated {
                    revision.verifiedRefused += Int(found.number)
                } else {
                    revision.verifiedServed += Int(found.number)
                }
            }
            return revision.verifiedRefused + revision.verifiedServed > 0 ? revision : nil
        }
    }

    private func part(of entries: [JoinedEntry], from nanosecond: Int64, _ slot: UInt8?) -> DayPart {
        var (part, signs) = (DayPart(from: nanosecond, slot: slot), [EnforcementSign]())
        for found in entries where slot.map({ $0 == found.entry.slot }) ?? true {
            guard let instant = found.entry.instant, instant.nanosecondOfDay >= nanosecond else { continue }
            part.counts[found.entry.app, found.entry.auth] += Int(found.number)
            // What files do not keep must not tell an answer from logs.
            add(found, to: &part.callers, withAddress: false)
            if let sign = sign(of: found) { signs.append(sign) }
        }
        part.callers.signs = DaySigns(totals: signs)
        return part
    }

    /// Adds what the row of a verification shows, or generation 1's line about its execution.
    func add(_ found: JoinedEntry, to day: inout CallerDay, withAddress: Bool = true) {
        let (entry, number) = (found.entry, Int(found.number))
        if found.row != .none { day.withRow += number }
        let row = found.row.certain.map { rows[$0] }
        if let answer = answer(of: found) {
            let isRefused = answer == .unauthenticated
            switch (entry.app, entry.auth) {
            case (_, .invalid): if isRefused { day.authRefused += number }
            case (.valid, .valid): if isRefused { day.verifiedRefused += number } else { day.verifiedServed += number }
            case (.valid, _): break
            default: if isRefused, row != nil { day.refusedByRow += number }
            }
        }
        guard let row, let instant = entry.instant else {
            if found.row != .none, entry.app != .valid { day.update(auth: entry.auth) { $0.blockedUnclear += number } }
            return
        }
        let client = AdmittedCallers.Client(kind: row.client, row.version, in: versions)
        day.update(auth: entry.auth) {
            $0.add(
                number, app: entry.app, client: client, answer: row.answer, address: withAddress ? row.address : 0,
                hour: instant.hour)
        }
    }

    /// What its row says, or generation 1's line about its execution.
    private func answer(of found: JoinedEntry) -> RequestRow.ResponseClass? {
        if let row = found.row.certain { return rows[row].answer }
        guard hasAnswers else { return nil }
        let lines = lines(of: found.traced)
        if lines.contains(where: \.isRefused) { return .unauthenticated }
        return lines.contains(where: \.isServed) ? .success : nil
    }

    /// What a verification shows of enforcement; nil for one that enforcement does not concern, and where its answer
    /// may have another cause.
    ///
    /// The SDK's word that it lets the request through outweighs the answer, which is the handler's then; and where it
    /// says no such word about a refused token, an answer below 400 is that of a stream.
    func sign(of found: JoinedEntry) -> EnforcementSign? {
        let entry = found.entry
        guard entry.app != .valid, entry.auth != .invalid, let instant = entry.instant else { return nil }
        let isLineWanted = !lines.isEmpty && (entry.app == .invalid || hasAnswers)
        let near = isLineWanted ? lines(of: found.traced) : []
        func sign(_ kind: EnforcementSign.Kind) -> EnforcementSign {
            EnforcementSign(
                kind, nanosecond: instant.nanosecondOfDay, slot: entry.slot, count: Int(found.number))
        }
        if entry.app == .invalid, near.contains(where: \.isAllowing) { return sign(.allowed) }
        let answer = found.row.certain.map { rows[$0].answer }
        let refused = entry.app == .invalid ? EnforcementSign.Kind.refusedInvalid : .refused
        if answer == .unauthenticated || found.row == .none && near.contains(where: \.isRefused) {
            return sign(refused)
        }
        let hasCause = entry.app == .invalid && near.contains { $0.cause != nil && $0.instant <= instant }
        let isServed = answer?.isServed ?? (found.row == .none && near.contains(where: \.isServed))
        if hasCause, entry.provenance == .labelled { return sign(isServed ? .refusedByLineOrServed : .refusedByLine) }
        return isServed ? sign(.served) : nil
    }
}
