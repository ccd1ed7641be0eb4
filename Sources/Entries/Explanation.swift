internal import Readiness
internal import Verifications

/// The SDK's lines about refused tokens, each with the verification that it explains.
extension EvidenceJoin {
    func explain(_ joined: inout JoinedEntries) {
        guard !lines.isEmpty else { return }
        var queues: [UInt64: [TracedEntry]] = [:]
        let refused = joined.refused.sorted { PackedVerification.precedes($0.traced.entry, $1.traced.entry) }
        let numbers = Dictionary(refused.map { ($0.traced.entry, $0.number) }) { first, _ in first }
        for (traced, number) in refused {
            guard traced.entry.isDated else { continue }
            if traced.entry.namesExecution {
                explainExecution(traced.entry, number, &joined)
            } else if !lines(.request, traced.request.word).isEmpty, traced.request != .none {
                queues[traced.request.word, default: []].append(traced)
            } else {
                queues[0, default: []].append(traced)
            }
        }
        for (key, waiting) in queues {
            let causes = key == 0 ? lines(.function, 0) : lines(.request, key)
            explain(waiting, causes.filter { $0.cause != nil }, isOfFunction: key == 0) { entry, cause in
                count(cause, of: entry, numbers[entry] ?? 1, &joined)
            }
        }
    }

    /// The lines that have a link in common, the earliest first.
    private func lines(_ link: EntryLine.Link, _ key: UInt64) -> ArraySlice<EntryLine> {
        let start = lines.partitioningIndex { ($0.link, $0.key) < (link, key) }
        let end = lines[start...].partitioningIndex { ($0.link, $0.key) <= (link, key) }
        return lines[start..<end]
    }

    /// The lines of the execution that an entry names, or else of its request, on its day and the neighbouring ones.
    func lines(of traced: TracedEntry) -> [EntryLine] {
        guard let day = traced.entry.day else { return [] }
        if traced.entry.namesExecution { return lines(ofExecution: traced.entry.key, around: day) }
        return traced.request == .none ? [] : lines(.request, traced.request.word, around: day)
    }

    private func lines(ofExecution key: UInt64, around day: Day) -> [EntryLine] { lines(.execution, key, around: day) }

    private func lines(_ link: EntryLine.Link, _ key: UInt64, around day: Day) -> [EntryLine] {
        lines(link, key).filter { (-1...1).contains(day.distance(to: $0.day)) }
    }

    /// Within an execution the SDK refuses one token, says why, and logs the verification before the function's own
    /// code runs: the first cause is its.
    private func explainExecution(_ entry: PackedVerification, _ number: Int, _ joined: inout JoinedEntries) {
        guard let instant = entry.instant else { return }
        let near = lines(ofExecution: entry.key, around: instant.day)
        guard let cause = near.lazy.filter({ $0.instant <= instant }).compactMap(\.cause).first else { return }
        count(cause, of: entry, number, &joined)
    }

    private func count(
        _ cause: RefusalCause, of entry: PackedVerification, _ number: Int, _ joined: inout JoinedEntries
    ) {
        guard let instant = entry.instant, range.contains(instant), !entry.wasCounted else { return }
        let isOfIOS = joined.refusedOfIOS.contains(entry)
        joined.callers.update(instant.day) { day in
            day.update(auth: entry.auth) { $0.add(number, cause: cause, isOfIOS: isOfIOS) }
        }
    }

    /// Lines that may belong to several verifications: in the order of time, each verification takes the first cause
    /// before it that no other has taken.
    ///
    /// A line that has nothing but the function in common explains none on another day or more than an hour later.
    private func explain(
        _ entries: [TracedEntry], _ causes: [EntryLine], isOfFunction: Bool,
        _ body: (PackedVerification, RefusalCause) -> Void
    ) {
        let entries = entries.map(\.entry).sorted {
            ($0.time.word, $0.auth, $0.digest) < ($1.time.word, $1.auth, $1.digest)
        }
        var waiting = causes[...]
        for entry in entries {
            guard let instant = entry.instant else { continue }
            while let next = waiting.first, isTooOld(next, for: instant, isOfFunction) { waiting.removeFirst() }
            guard let next = waiting.first, next.instant <= instant, let cause = next.cause else { continue }
            waiting.removeFirst()
            body(entry, cause)
        }
    }

    private func isTooOld(_ line: EntryLine, for instant: Instant, _ isOfFunction: Bool) -> Bool {
        guard isOfFunction else { return line.day.distance(to: instant.day) > 1 }
        return line.day < instant.day || line.instant.adding(seconds: 3600) < instant
    }
}
