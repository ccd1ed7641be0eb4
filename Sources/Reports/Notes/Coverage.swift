import Readiness
import Verifications

extension Summary {
    /// The first and the last dated verification of all functions shown.
    var span: (first: Instant, last: Instant)? {
        guard
            let first = functions.compactMap(\.tally.first).min(),
            let last = functions.compactMap(\.tally.last).max()
        else { return nil }
        return (first, last)
    }

    /// Projects with days between their first and last on which they have no verification, and those days as ranges.
    ///
    /// A project counts as a whole: a selected function may well have a day without calls.
    var projectGaps: [(project: String, gaps: [ClosedRange<Day>])] {
        Set(functions.map { ExactName($0.identity.project) }).sorted().compactMap { project in
            // Days after the as-of day come from forgeries or another clock: they are noted separately.
            let days = (projects[project] ?? .none).coveredDays.filter { day in asOf.map { day <= $0.day } ?? true }
            let gaps = zip(days, days.dropFirst()).compactMap { earlier, later in
                earlier.distance(to: later) > 1 ? earlier.advanced(by: 1)...later.advanced(by: -1) : nil
            }
            return gaps.isEmpty ? nil : (project.text, gaps)
        }
    }

    /// Projects whose generation 2 functions have no failed verification, and of whose error stream nothing was read.
    var projectsWithoutFailures: [String] {
        let shown = functions.filter { $0.identity.generation == .second && $0.totals.total > 0 }
        return Set(shown.map { ExactName($0.identity.project) }).sorted().filter { project in
            !(projects[project] ?? .none).showsFailures
        }.map(\.text)
    }
}
