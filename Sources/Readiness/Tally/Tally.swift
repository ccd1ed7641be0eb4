package import Verifications

/// The counts of an input: one table per function, and what is known of each project.
///
/// Tallies form a commutative monoid under ``merge(_:)`` with the empty tally as identity. That one property lets files
/// be read in any order, in parallel, on several nights or on several machines.
package struct Tally: Hashable, Sendable {
    package private(set) var functions: [FunctionIdentity: CellTable] = [:]
    package private(set) var projects: [ExactName: ProjectTally] = [:]
    /// The newest dated verification that is not later than the clock plus 24 hours: what a run is judged as of.
    package private(set) var newest: Instant?
    /// The rows and lines that were read; nil where they were not to be read.
    ///
    /// Ignored by ==.
    package var evidence: Evidence?

    /// What is known of rows and lines apart from the requests that they belong to.
    package struct Evidence: Sendable {
        /// The newest day of which something was given up for lack of room; nil when all was kept.
        package var givenUpThrough: Day?
        /// The names of revisions that somebody chose, by their hashes.
        package var revisionNames: [UInt64: String] = [:]
        /// Cloud Functions that have rows and no entry of the SDK, by the names in the rows' URLs.
        package var withoutEntries: Set<ExactName> = []

        package init() {}
    }

    package init() {}

    package mutating func add(_ function: CellTable, for identity: FunctionIdentity) {
        functions[identity, default: CellTable()].merge(function)
    }

    package mutating func add(_ project: ProjectTally, for name: ExactName) {
        projects[name, default: ProjectTally()].merge(project)
    }

    package mutating func merge(_ other: Tally) {
        for (identity, function) in other.functions { add(function, for: identity) }
        for (name, project) in other.projects { add(project, for: name) }
        if let instant = other.newest { updateNewest(instant) }
    }

    /// Takes a dated verification into account that is not later than the clock plus 24 hours.
    package mutating func updateNewest(_ instant: Instant) {
        newest = max(newest ?? instant, instant)
    }

    package static func == (left: Tally, right: Tally) -> Bool {
        left.functions == right.functions && left.projects == right.projects && left.newest == right.newest
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(functions) }
}

extension Tally {
    /// The most combinations of clients, functions and days that are kept.
    private static let clientLimit = 200_000

    /// Finishes the counts once all of them are there: what one function shows of the others' clients, and what there
    /// is no room for.
    ///
    /// - Parameters:
    ///   - last: The day through which rows without a verification were given up.
    ///   - first: The first day of which verdicts look at hours and at the names of clients.
    package mutating func finish(givenUpThrough last: Day?, namesFrom first: Day?) {
        var apps: [ExactName: Set<String>] = [:]
        for (identity, table) in functions { apps[ExactName(identity.project), default: []].formUnion(table.apps) }
        change { identity, table in
            if let last { table.giveUpOpenRows(through: last) }
            table.tellExtensions(of: apps[ExactName(identity.project)] ?? [])
            if let first { table.fold(before: first) }
        }
        let limit = rankLimit
        change { $1.trimClients(below: limit) }
    }

    /// The rank from which on there is no room for clients; nil where there is room for all.
    private var rankLimit: UInt64? {
        guard functions.values.reduce(0, { $0 + $1.mostClientRanks }) > Tally.clientLimit else { return nil }
        var ranks: [UInt64] = []
        for table in functions.values { for day in table.clientRanks.values { ranks += day.values } }
        return ranks.count > Tally.clientLimit ? ranks.sorted()[Tally.clientLimit] : nil
    }

    private mutating func change(_ change: (FunctionIdentity, inout CellTable) -> Void) {
        var place = functions.values.startIndex
        while place < functions.values.endIndex {
            change(functions.keys[place], &functions.values[place])
            functions.values.formIndex(after: &place)
        }
    }

    /// The name that the log shows for a function.
    func displayName(of identity: FunctionIdentity) -> String { functions[identity]?.label?.text ?? identity.name }

    /// Returns the counts that `--since` and `--until` would leave of the same input; without bounds the tally itself.
    ///
    /// Labels and what was discarded are not kept by day: they stay as they are. What has no day is left out. What is
    /// earlier still shows enforcement, unless it comes from elsewhere.
    package func days(from first: Day?, through last: Day?, keepsEarlier: Bool = true) -> Tally {
        guard first != nil || last != nil else { return self }
        var part = Tally()
        part.evidence = evidence
        let (first, last) = (first ?? Day(number: .min), last ?? Day(number: .max))
        guard first <= last else { return part }
        for (identity, function) in functions {
            let function = function.part(of: first...last, keepsEarlier: keepsEarlier)
            if function.cells.contains(where: \.isCounted) { part.add(function, for: identity) }
        }
        for (name, project) in projects { part.add(project.days(first...last), for: name) }
        if let newest, let mine = newest.day <= last ? newest : part.lastInstant, first <= mine.day {
            part.updateNewest(mine)
        }
        return part
    }

    private var lastInstant: Instant? { functions.values.compactMap(\.last).max() }

    /// Admitted requests of iOS apps with a row, from a day on: those with a valid token, and with the placeholder.
    package func iOSTokens(from first: Day?) -> (verified: Int, placeholders: Int) {
        functions.values.reduce(into: (verified: 0, placeholders: 0)) { sum, table in
            for cell in table.cells where cell.isCounted && cell.auth != .invalid && first ?? cell.day <= cell.day {
                guard table.client(of: cell)?.kind.isIOSApp ?? false else { continue }
                if cell.app == .valid { sum.verified += cell.count }
                if cell.cause == .placeholder { sum.placeholders += cell.count }
            }
        }
    }
}
