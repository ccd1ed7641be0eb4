internal import Readiness
internal import Verifications

/// Counts the verifications of one project.
///
/// Entries come nearly in order, so that a day's counts are gathered here and its cell of the tally is looked up once,
/// not once per verification.
struct ProjectCounter {
    /// What one generation did on the day that was seen last.
    private struct Run {
        var day: Day?
        var verifications = 0
        var failed = 0
    }

    private var counted = ProjectTally()
    /// By generation, 0 for an unknown one.
    private var runs = [3 of Run](repeating: Run())
    private var lastErrorStreamDay: Day?

    /// All that was counted.
    var tally: ProjectTally {
        var tally = ProjectTally()
        for index in runs.indices { ProjectCounter.add(runs[index], of: index, to: &tally) }
        tally.merge(counted)
        return tally
    }

    mutating func count(_ verification: Verification) {
        let index = Int(verification.generation?.rawValue ?? 0)
        let day = verification.instant?.day
        if runs[index].day != day {
            ProjectCounter.add(runs[index], of: index, to: &counted)
            runs[index] = Run(day: day)
        }
        runs[index].verifications += 1
        if verification.failed { runs[index].failed += 1 }
    }

    /// Notes that a record of generation 2's standard-error log was read.
    mutating func noteErrorStream(on day: Day?) {
        if let day, day == lastErrorStreamDay { return }
        lastErrorStreamDay = day
        counted.addErrorStream(day: day)
    }

    mutating func merge(_ other: ProjectCounter) {
        counted.merge(other.tally)
    }

    private static func add(_ run: Run, of index: Int, to tally: inout ProjectTally) {
        guard run.verifications > 0 else { return }
        tally.add(
            generation: Generation(rawValue: UInt8(index)), day: run.day, verifications: run.verifications,
            failed: run.failed)
    }
}
