import Verifications

/// What one project's log shows as a whole: which days it covers, and its streams of failed verifications.
///
/// It comes from all verifications of the project, whatever is selected for display, and does not depend on the as-of
/// instant: who asks leaves out the days after it.
struct ProjectEvidence: Sendable {
    /// The first day with a verification.
    let firstDay: Day?
    private let coveredDays: Set<Day>
    private let streams: [Generation?: StreamTally]

    init(_ tally: ProjectTally) {
        coveredDays = tally.coveredDays
        firstDay = coveredDays.min()
        streams = tally.streams
    }

    /// True when the project has a verification on the day.
    func isCovered(_ day: Day) -> Bool {
        coveredDays.contains(day)
    }

    /// The last day with a verification up to the given one.
    func lastDay(upTo day: Day) -> Day? {
        coveredDays.lazy.filter { $0 <= day }.max()
    }

    func stream(_ generation: Generation?) -> StreamTally {
        streams[generation] ?? StreamTally()
    }
}
