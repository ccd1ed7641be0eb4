package import Verifications

/// The counts of an input: one tally per function, one per project.
///
/// Tallies form a commutative monoid under ``merge(_:)`` with the empty tally as identity. That one property lets files
/// be read in any order, in parallel, on several nights or on several machines.
package struct Tally: Hashable, Sendable {
    package private(set) var functions: [FunctionIdentity: FunctionTally] = [:]
    package private(set) var projects: [ExactName: ProjectTally] = [:]
    /// The newest dated verification that is not later than the clock plus 24 hours: what a run is judged as of.
    package private(set) var newest: Instant?

    package init() {}

    package mutating func add(_ function: FunctionTally, for identity: FunctionIdentity) {
        functions[identity, default: FunctionTally()].merge(function)
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
}

extension Tally {
    /// The name that the log shows for a function.
    func shownName(of identity: FunctionIdentity) -> String { functions[identity]?.label?.text ?? identity.name }

    /// Returns the counts that `--since` and `--until` would leave of the same input; without bounds the tally itself.
    ///
    /// Labels and what was discarded are not kept by day: they stay as they are. What has no day is left out.
    package func days(from first: Day?, through last: Day?) -> Tally {
        guard first != nil || last != nil else { return self }
        var part = Tally()
        let (first, last) = (first ?? Day(number: .min), last ?? Day(number: .max))
        guard first <= last else { return part }
        for (identity, function) in functions {
            let function = function.days(first...last)
            if !function.days.isEmpty { part.add(function, for: identity) }
        }
        for (name, project) in projects { part.add(project.days(first...last), for: name) }
        if let newest, let mine = newest.day <= last ? newest : part.lastInstant, first <= mine.day {
            part.updateNewest(mine)
        }
        return part
    }

    private var lastInstant: Instant? {
        functions.values.compactMap(\.last).max()
    }
}
