internal import Verifications

/// Entries of one execution: the SDK verifies one request in it, before the function's own code runs, so that the
/// earliest one counts. It repeats none where the other one is further away than on the neighbouring day.
extension ResolvedDay {
    /// Marks the dated entries that repeat an earlier one of this day or of the day before.
    ///
    /// If several have one nanosecond, those with different statuses all count: which of them is the real one is
    /// unknown.
    mutating func markRepeated(after last: ResolvedDay?) {
        var earlier = last?.executions ?? ExecutionCursor([])
        var start = 0
        for end in entries.indices
        where end + 1 == entries.count || entries[end + 1].entry.key != entries[start].entry.key {
            defer { start = end + 1 }
            let isAfterOther = earlier.isDated(entries[start].entry.key)
            guard end > start || isAfterOther else { continue }
            var (first, statuses) = (TimeOfDay?.none, UInt16(0))
            for place in start...end where entries[place].entry.namesExecution {
                let entry = entries[place].entry
                guard entry.time.isDated else { continue }
                first = first ?? entry.time
                let status: UInt16 = 1 << UInt16(entry.statuses)
                if isAfterOther || entry.time != first || statuses & status != 0 { repeated.insert(place) }
                statuses |= status
            }
        }
        markRepeatedRequests(after: last)
    }

    /// Marks what another handler has written of the same request, where not both name an `execution_id`.
    private mutating func markRepeatedRequests(after last: ResolvedDay?) {
        let earlier = last?.entries ?? []
        func isBySpan(_ found: FoundEntry) -> Bool { found.entry.naming == .span }
        guard entries.contains(where: isBySpan) || earlier.contains(where: isBySpan) else { return }
        var known: [PackedVerification.Naming: [PackedRequestID: (time: TimeOfDay, statuses: UInt16)]] = [:]
        func requests(_ naming: PackedVerification.Naming) -> Set<PackedRequestID> {
            Set(
                earlier.lazy.filter { $0.entry.naming == naming && $0.entry.time.isDated }
                    .map(\.traced.request).filter(\.hasSpan))
        }
        let before = [PackedVerification.Naming.call: requests(.call), .span: requests(.span)]
        let order = entries.indices.filter { entries[$0].traced.request.hasSpan && !repeated.contains($0) }
        for place in order.sorted(by: { entries[$0].entry.time < entries[$1].entry.time }) {
            let (entry, request) = (entries[place].entry, entries[place].traced.request)
            let status: UInt16 = 1 << UInt16(entry.statuses)
            // Two that name it alike were compared by it.
            let other = entry.naming == .call ? PackedVerification.Naming.span : .call
            if before[other]?.contains(request) ?? false {
                repeated.insert(place)
            } else if let (time, statuses) = known[other]?[request], time != entry.time || statuses & status != 0 {
                repeated.insert(place)
            }
            let (time, statuses) = known[entry.naming]?[request] ?? (entry.time, 0)
            known[entry.naming, default: [:]][request] = (time, statuses | status)
        }
    }

    /// Undated entries that repeat one: they are later than the dated ones around the day of their receipt.
    func undatedRepeated(_ previous: ResolvedDay?, _ next: ResolvedDay?) -> [Int] {
        guard entries.contains(where: { !$0.entry.time.isDated }) else { return [] }
        var found: [Int] = []
        var (earlier, later) = (previous?.executions ?? ExecutionCursor([]), next?.executions ?? ExecutionCursor([]))
        var (last, isKnown) = (UInt64?.none, false)
        for (place, found1) in entries.enumerated() where found1.entry.namesExecution {
            let entry = found1.entry
            if entry.key != last {
                (last, isKnown) = (entry.key, earlier.isThere(entry.key) || later.isDated(entry.key))
            }
            if !entry.time.isDated, isKnown { found.append(place) }
            isKnown = true
        }
        return found
    }

    var executions: ExecutionCursor { ExecutionCursor(entries) }
}

struct ExecutionCursor {
    private let entries: [FoundEntry]
    private var place = 0

    init(_ entries: [FoundEntry]) { self.entries = entries }

    private mutating func move(to key: UInt64) {
        while place < entries.count, entries[place].entry.key < key { place += 1 }
    }

    mutating func isDated(_ key: UInt64) -> Bool { contains(key) { $0.time.isDated } }
    mutating func isThere(_ key: UInt64) -> Bool { contains(key) { _ in true } }

    private mutating func contains(_ key: UInt64, _ isWanted: (PackedVerification) -> Bool) -> Bool {
        move(to: key)
        return entries[place...].prefix { $0.entry.key == key }.contains {
            $0.entry.namesExecution && isWanted($0.entry)
        }
    }
}
