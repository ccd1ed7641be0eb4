internal import Verifications

/// Rows of services that may not be functions. A project has many, and no verification ever matches them.
extension EntrySet {
    package var rowCount: Int { services.values.reduce(0) { $0 + $1.rows.count } }

    /// True if rows were dropped of a service that may still turn out to be a function.
    package var hasGivenUpRows: Bool { services.values.contains { $0.givenUpThrough != nil } }

    /// Gives up rows of services without a sign of a function where there are more than the limit, until half as many
    /// are left: those first whose labels show that they are none, and the oldest days first.
    package mutating func giveUpRows(beyond limit: Int, sparing functions: Set<UInt64> = []) {
        let unknown = services.keys.filter { !functions.contains($0) && sign(of: $0) != .function }
        var count = unknown.reduce(0) { $0 + (services[$1]?.rows.count ?? 0) }
        guard count > limit else { return }
        for wanted in [RequestRow.ServiceSign.otherService, .unknown] where count > limit / 2 {
            let found = unknown.filter { sign(of: $0) == wanted }
            var days: [Day: Int] = [:]
            for hash in found { services[hash]?.rows.forEach { days[$0.day, default: 0] += 1 } }
            var last: Day?
            for (day, rows) in days.sorted(by: { $0.key < $1.key }) where count > limit / 2 {
                last = day
                count -= rows
            }
            guard let last else { continue }
            for hash in found { services[hash]?.giveUpRows(through: last) }
        }
    }

    private func sign(of service: UInt64) -> RequestRow.ServiceSign {
        guard names[service] == nil, let found = services[service], found.lines.count == 0 else { return .function }
        return found.sign
    }
}

extension EntrySet.Service {
    mutating func add(_ row: EntryRow, _ sign: RequestRow.ServiceSign) {
        rows.append(row)
        self.sign = max(self.sign, sign)
    }

    mutating func merge(_ other: consuming EntrySet.Service) {
        sign = max(sign, other.sign)
        givenUpThrough = [givenUpThrough, other.givenUpThrough].compactMap(\.self).max()
        rows.append(other.rows)
        lines.append(other.lines)
    }

    fileprivate mutating func giveUpRows(through last: Day) {
        var kept = ChunkedArray<EntryRow>()
        let before = rows.count
        rows.drain { if $0.day > last { kept.append($0) } }
        rows = kept
        if kept.count < before { givenUpThrough = max(givenUpThrough ?? last, last) }
    }
}
