internal import LogStream
internal import Readiness
internal import Verifications

/// What queries have counted, apart from what is counted of logs: the same verifications may be in both.
///
/// Nobody can tell which. So each result stands for itself, and of two that count one function and day, the larger
/// number of each pair of statuses stays.
struct CountedSources {
    private(set) var tally = RawTally()
    private(set) var ranks = NameRanks()
    /// How many results were read; those of which nothing counts are not among them.
    private(set) var count = 0
    /// Of the source being read.
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
        for name in other.functions.keys where name != .pooled && ranks.functions[name] == nil {
            ranks.functions[name] = ScannedFunction(name, label: nil, key: HashKey(phrase: "")).rank
        }
        for name in other.projects.keys where name.text != FunctionIdentity.unknown && ranks.projects[name] == nil {
            ranks.projects[name] = ScannedProject(name.text).rank
        }
        // How records were classed is counted once, when everything is merged.
        var ignored = InputSummary()
        tally.mergeLarger(other, toLog: false, &ignored)
    }
}
