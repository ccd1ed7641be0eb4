import Verifications

/// Days of a window on which a project was silent, so that its export may have a hole.
enum Coverage {
    /// The uncovered days of a window, ascending.
    ///
    /// A silent day is excused when the day a week earlier was silent too, unless that one lies before the project's
    /// first day: then nothing is known of it. So days before the first day are never excused themselves.
    static func gaps(in window: Window, firstDay: Day?, isCovered: (Day) -> Bool) -> [Day] {
        window.days.filter { day in
            guard !isCovered(day) else { return false }
            let weekBefore = day.advanced(by: -7)
            let isUsual = firstDay.map { $0 <= weekBefore } ?? false && !isCovered(weekBefore)
            return !isUsual
        }
    }
}
