package import Verifications

/// The first days that are kept; entries of earlier ones are too old.
package struct Floors: Equatable, Codable, Sendable {
    /// The first day kept of every project: later than 0 where days were pruned.
    private(set) var all = DayIndex(number: 0)
    private var projects: [ExactName: DayIndex] = [:]

    package init() {}

    package subscript(project: ExactName) -> DayIndex {
        max(all, projects[project] ?? all)
    }

    package mutating func raise(_ project: ExactName, to day: DayIndex) {
        if self[project] < day { projects[project] = day }
    }

    package mutating func raiseAll(to day: DayIndex) {
        all = max(all, day)
        projects = projects.filter { all < $0.value }
    }
}

/// The first days that are kept, by the keyed hashes of functions.
package struct FunctionFloors: Sendable {
    private let projects: [ExactName: DayIndex]
    private let names: [UInt64: ServiceName]
    /// The first day that is kept of any project, and of functions whose project is unknown.
    package let lowest: DayIndex

    package init(_ floors: Floors, _ names: [UInt64: ServiceName]) {
        self.names = names
        projects = names.values.reduce(into: [:]) { found, name in
            if let project = name.project { found[project] = floors[project] }
        }
        lowest = projects.values.min() ?? floors.all
    }

    package subscript(function: UInt64) -> DayIndex { names[function]?.project.flatMap { projects[$0] } ?? lowest }
    package func keepsAll(of day: DayIndex) -> Bool { lowest <= day && projects.values.allSatisfy { $0 <= day } }

    package func leavesOut(_ day: DayIndex, _ former: FunctionFloors) -> Bool {
        former.lowest <= day && day < lowest
            || projects.contains { project, first in day < first && former.projects[project].map { $0 <= day } ?? true }
    }
}

extension ServiceName {
    package var project: ExactName? { identity.map { ExactName($0.project) } }
}

extension SourceRecord {
    /// Drops days that are not kept; without one left, nothing but what it is known by stays.
    ///
    /// Entries without any time go with the last day, or by the day on which they came.
    package mutating func forget(before floors: FunctionFloors) {
        let days = ledger.days
        let isDated = days.contains { $0 != .none }
        let isAlive = ledger.services.contains { function, records in
            let first = floors[function]
            return isDated
                ? records.days.keys.contains { first <= $0 && $0 != .none } : first <= DayIndex(addedAt.day)
        }
        for (function, service) in ledger.services {
            let first = floors[function]
            func isKept(_ day: DayIndex) -> Bool { day == .none ? isAlive : first <= day }
            ledger.services[function]?.days = service.days.filter { isKept($0.key) }
            ledger.services[function]?.runs = service.runs.filter { isKept($0.key) }
        }
        ledger.services = ledger.services.filter {
            !$0.value.days.isEmpty || $0.value.uncounted != UncountedRecords()
        }
        let last = DayIndex((input.newestEntry ?? addedAt).day)
        guard ledger.days.isEmpty, !days.isEmpty || last < floors.lowest else { return }
        let (sources, bytesRead) = (input.sources, input.bytesRead)
        (input, ledger, projects) = (InputSummary(), Ledger(), [:])
        (input.sources, input.bytesRead) = (sources, bytesRead)
        (newest, hasUndated, isGone) = (nil, false, true)
    }
}

extension ReadSource {
    /// Drops days that are not kept, and the names and clients of which nothing is left.
    package mutating func forget(before floors: FunctionFloors) {
        let whole = record.ledger
        record.forget(before: floors)
        guard record.ledger != whole else { return }
        names = names.filter { record.ledger.services[$0.key] != nil }
        var used: Set<UInt64> = []
        for (day, services) in days {
            days[day] = services.filter { record.ledger.services[$0.key]?.days[day] != nil }
            for entries in days[day, default: [:]].values { entries.forEachVersion { used.insert($0) } }
        }
        versions.keep { used.contains($0) }
    }
}

extension DayEntries {
    fileprivate func forEachVersion(_ body: (UInt64) -> Void) {
        for part in parts {
            if let hash = part.revision.nameHash { body(hash) }
            part.rows.forEach { body($0.client.nameHash) }
        }
    }
}
