internal import Entries
internal import LogStream
internal import Readiness
internal import Verifications

/// What queries have counted: sums that were made elsewhere, never beside entries of the same project.
///
/// Which verifications two results share is unknown. So each counts, and if two contain the same function and day, the
/// larger number of each pair of statuses is used.
struct CountedSources {
    private(set) var tally = RawTally()
    /// How many results were read; those of which nothing counts are not among them.
    private(set) var count = 0
    /// Counts of the current source.
    private var pending = RawTally()

    /// Takes a row of the source being read.
    mutating func add(_ row: CountedRow, range: TimeRange, horizon: Instant) {
        let days = range.days
        switch row {
        case .errorStream(let project, let day):
            guard days.contains(day) else { return }
            var tally = ProjectTally()
            tally.addErrorStream(day: day)
            pending.add(tally, for: ExactName(project))
        case .verifications(let counted):
            pending.update(counted.function) { function in
                if let label = counted.label { function.label = min(function.label ?? label, label) }
                function.update(counted.provenance) { part in
                    if days.contains(counted.instants?.lowerBound.day) {
                        part.add(counted, horizon: horizon)
                    } else {
                        part.filtered += counted.count
                    }
                }
            }
        }
    }

    /// Takes what was read of a source, or forgets it.
    mutating func endSource(isSound: Bool) {
        if isSound { merge(pending, sources: 1) }
        pending = RawTally()
    }

    /// Takes what one or several other sources have.
    mutating func merge(_ other: RawTally, sources: Int) {
        count += sources
        tally.mergeLarger(other)
    }
}
