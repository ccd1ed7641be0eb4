public import Verifications

/// The counts of an input: one tally per function, one per project.
///
/// Tallies form a commutative monoid under ``merge(_:)`` with the empty tally as identity. That one property lets files
/// be read in any order, in parallel, on several nights or on several machines.
public struct Tally: Hashable, Sendable {
    public private(set) var functions: [FunctionIdentity: FunctionTally] = [:]
    public private(set) var projects: [ExactName: ProjectTally] = [:]
    /// The newest dated verification that is not later than the clock plus 24 hours: what a run is judged as of.
    public private(set) var newest: Instant?

    public init() {}

    /// Makes room for functions to come.
    public mutating func reserve(functions count: Int) {
        functions.reserveCapacity(count)
    }

    public mutating func add(_ function: FunctionTally, for identity: FunctionIdentity) {
        functions[identity, default: FunctionTally()].merge(function)
    }

    public mutating func add(_ project: ProjectTally, for name: ExactName) {
        projects[name, default: ProjectTally()].merge(project)
    }

    public mutating func merge(_ other: Tally) {
        for (identity, function) in other.functions { add(function, for: identity) }
        for (name, project) in other.projects { add(project, for: name) }
        if let instant = other.newest { note(newest: instant) }
    }

    /// Keeps the `limit` functions and the `limit` projects with the smallest ranks, and adds up the others as
    /// ``FunctionIdentity/pooled`` and as ``FunctionIdentity/unknown``.
    public mutating func pool(beyond limit: Int, by ranks: NameRanks) {
        for identity in NameRanks.highest(ranks.functions, of: functions.keys, beyond: limit) {
            guard var function = functions.removeValue(forKey: identity) else { continue }
            function.label = nil
            function.markUnlabelled()
            add(function, for: .pooled)
        }
        for name in NameRanks.highest(ranks.projects, of: projects.keys, beyond: limit) {
            guard let project = projects.removeValue(forKey: name) else { continue }
            add(project, for: ExactName(FunctionIdentity.unknown))
        }
    }

    /// Notes a dated verification that is not later than the clock plus 24 hours.
    public mutating func note(newest instant: Instant) {
        newest = max(newest ?? instant, instant)
    }
}
