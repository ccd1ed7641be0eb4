import Verifications

/// What one project's log shows as a whole: which days it covers, and its streams of failed verifications.
///
/// It comes from all verifications of the project, whatever is selected for display, and does not depend on the as-of
/// instant: each question names the last day that may enter its answer.
struct ProjectEvidence: Sendable {
    private let coveredDays: Set<Day>
    private let earliest: Day?
    private let streams: [Generation?: StreamTally]

    init(_ tally: ProjectTally) {
        coveredDays = tally.coveredDays
        earliest = coveredDays.min()
        streams = tally.streams
    }

    /// True when the project has a verification on the day.
    func isCovered(_ day: Day) -> Bool {
        coveredDays.contains(day)
    }

    /// The first day with a verification, unless it is after the given day.
    func firstDay(upTo last: Day) -> Day? {
        earliest.flatMap { $0 <= last ? $0 : nil }
    }

    func stream(_ generation: Generation?) -> StreamTally {
        streams[generation] ?? StreamTally()
    }
}
