internal import LogStream
internal import Readiness
internal import Verifications

/// Sums that queries have counted elsewhere, never next to entries of the same project.
///
/// It is unknown which verifications two results share, so each counts; if two contain the same function and day, the
/// larger number of each pair of statuses is used. Whether a function's SDK writes labels shows only once everything
/// was read: so what carries the label and what does not is counted apart, and ``resolved(_:)`` decides.
struct CountedSources {
    private struct Counts {
        var functions: [FunctionIdentity: CountedFunction] = [:]
        var projects: [ExactName: ProjectTally] = [:]

        mutating func mergeLarger(_ other: Counts) {
            for (identity, counted) in other.functions {
                functions[identity, default: CountedFunction()].mergeLarger(counted)
            }
            for (name, project) in other.projects { projects[name, default: ProjectTally()].merge(project) }
        }
    }

    private var counts = Counts()
    /// The number of results that were read, without those of which nothing counts.
    private(set) var count = 0
    /// The counts of App Check's own metric, which does not cover functions.
    var services = ServiceCounts()
    private var pending = Counts()

    mutating func add(_ row: CountedRow, range: TimeRange, horizon: Instant, last: Instant) {
        let days = range.days
        switch row {
        case .errorStream(let project, let day):
            guard days.contains(day), day.map({ $0 <= last.day }) ?? true else { return }
            pending.projects[ExactName(project), default: ProjectTally()].addErrorStream(day: day)
        case .verifications(let counted):
            let isWanted = days.contains(counted.instants?.lowerBound.day)
            pending.functions[counted.function, default: CountedFunction()].add(
                counted, isWanted: isWanted, horizon: horizon, last: last)
        }
    }

    mutating func endSource(isSound: Bool) {
        if isSound {
            counts.mergeLarger(pending)
            count += 1
        }
        pending = Counts()
    }

    mutating func merge(_ other: CountedSources) {
        counts.mergeLarger(other.counts)
        count += other.count
        services.merge(other.services)
    }

    /// The projects of functions, and those of a standard-error log.
    var projectNames: Set<ExactName> {
        Set(counts.functions.keys.map { ExactName($0.project) }).union(counts.projects.keys)
    }

    /// Returns the believed counts; adds what became of each record to the input, which has counted nothing of it yet.
    func resolved(_ input: inout InputSummary) -> Tally {
        var tally = Tally()
        let labelled = counts.functions.lazy.filter { !$0.value[.labelled].isEmpty }
        let withMessages = Set(labelled.map { ExactName($0.key.project) })
        for (identity, counted) in counts.functions {
            let hasMessages = withMessages.contains(ExactName(identity.project))
            let (function, newest) = counted.resolved(&input, hasMessages: hasMessages)
            guard function.totals.total > 0 else { continue }
            tally.add(function, for: identity)
            if let newest { tally.updateNewest(newest) }
        }
        for (name, project) in counts.projects { tally.add(project, for: name) }
        return tally
    }
}

private struct CountedFunction {
    /// The counts of one day and pair of statuses: two results that both have some counted the same requests.
    private struct Group: Hashable {
        let day: Day?
        let app: TokenStatus
        let auth: TokenStatus
    }

    private struct Count: Comparable {
        let instants: ClosedRange<Instant>?
        let count: Int
        let severity: PassSeverity

        static func < (left: Count, right: Count) -> Bool { left.key < right.key }

        private var key: (Instant, Instant, Int, UInt8) {
            let none = Instant(seconds: .min)
            return (instants?.lowerBound ?? none, instants?.upperBound ?? none, count, severity.rawValue)
        }
    }

    struct Part {
        private var groups: [Group: [Count]] = [:]
        /// The newest one that may decide what a run is judged as of.
        var newest: Instant?
        var copies = 0
        var filtered = 0
        var later = 0

        var isEmpty: Bool { all == 0 }
        var all: Int { total + copies + filtered + later }
        var total: Int { groups.values.joined().reduce(0) { $0 + $1.count } }
        var undated: Int { groups.reduce(0) { $1.key.day == nil ? $0 + $1.value.reduce(0) { $0 + $1.count } : $0 } }

        mutating func add(_ counted: CountedVerifications) {
            let group = Group(day: counted.instants?.lowerBound.day, app: counted.app, auth: counted.auth)
            groups[group, default: []].append(
                Count(instants: counted.instants, count: counted.count, severity: counted.severity))
        }

        mutating func mergeLarger(_ other: Part) {
            newest = [newest, other.newest].compactMap(\.self).max()
            copies += other.copies
            filtered += other.filtered
            later += other.later
            for (group, counts) in other.groups {
                func sum(_ counts: [Count]) -> Int { counts.reduce(0) { $0 + $1.count } }
                let (mine, theirs) = (groups[group, default: []].sorted(), counts.sorted())
                copies += min(sum(mine), sum(theirs))
                let isLarger =
                    sum(mine) == sum(theirs) ? mine.lexicographicallyPrecedes(theirs) : sum(mine) < sum(theirs)
                groups[group] = isLarger ? theirs : mine
            }
        }

        var table: CellTable {
            var writer = CellWriter()
            for (group, counts) in groups {
                for count in counts {
                    let properties = Cell.Properties(app: group.app, auth: group.auth, severity: count.severity)
                    guard let instants = count.instants, let day = group.day else {
                        writer.table.addUndated(properties, count: count.count)
                        continue
                    }
                    writer.add(
                        properties, day: day,
                        at: instants.lowerBound.nanosecondOfDay...instants.upperBound.nanosecondOfDay,
                        count: count.count)
                }
            }
            return writer.finish()
        }
    }

    /// By the number of the provenance.
    private var parts = [Part(), Part(), Part()]
    private var label: ExactName?

    subscript(provenance: Provenance) -> Part { parts[Int(provenance.rawValue)] }

    mutating func add(_ counted: CountedVerifications, isWanted: Bool, horizon: Instant, last: Instant) {
        label = [label, counted.label].compactMap(\.self).min()
        let place = Int(counted.provenance.rawValue)
        guard isWanted else { return parts[place].filtered += counted.count }
        if let first = counted.instants?.lowerBound, last < first { return parts[place].later += counted.count }
        parts[place].add(counted)
        let instants = counted.instants.map { [$0.lowerBound, $0.upperBound] } ?? []
        let newest = instants.last { $0 <= horizon }
        parts[place].newest = [parts[place].newest, newest].compactMap(\.self).max()
    }

    mutating func mergeLarger(_ other: CountedFunction) {
        label = [label, other.label].compactMap(\.self).min()
        for place in parts.indices where !other.parts[place].isEmpty { parts[place].mergeLarger(other.parts[place]) }
    }

    /// Returns the believed counts: the labelled ones if there are any, since the function's SDK writes labels then.
    ///
    /// With `hasMessages`, a labelled entry of the project has one: the SDK's own entries have theirs, too.
    func resolved(_ input: inout InputSummary, hasMessages: Bool) -> (CellTable, newest: Instant?) {
        let believed =
            !self[.labelled].isEmpty
            ? Provenance.labelled : !hasMessages && !self[.labelAlone].isEmpty ? .labelAlone : .unlabelled
        for provenance in Provenance.allCases where provenance != believed { input.ignored += self[provenance].all }
        let part = self[believed]
        input.verifications += part.total
        input.undated += part.undated
        input.duplicates += part.copies
        input.filtered += part.filtered
        input.later += part.later
        var (function, discarded) = (part.table, Discarded())
        if hasMessages { discarded.otherMessage = self[.labelAlone].all }
        if believed == .unlabelled {
            function.markUnlabelled()
        } else {
            let unlabelled = self[.unlabelled]
            discarded.unlabelled = unlabelled.all
            discarded.unlabelledDistinct = unlabelled.all - unlabelled.copies
            discarded.labelledOutside = part.filtered
        }
        function.discard(discarded)
        function.label = label
        return (function, part.newest)
    }
}
