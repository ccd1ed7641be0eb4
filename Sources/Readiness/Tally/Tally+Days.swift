public import Verifications

extension Tally {
    /// What `--since` and `--until` would have counted of the same input; without bounds the tally itself.
    ///
    /// Labels and what was discarded are not kept by day: they stay as they are. What has no day is left out.
    ///
    /// - Parameters:
    ///   - first: The first day that counts; nil for no bound.
    ///   - last: The last day that counts; nil for no bound.
    /// - Returns: The part, whose newest verification lies in it.
    public func days(from first: Day?, through last: Day?) -> Tally {
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
            part.note(newest: mine)
        }
        return part
    }

    private var lastInstant: Instant? {
        functions.values.compactMap(\.last).max()
    }
}
