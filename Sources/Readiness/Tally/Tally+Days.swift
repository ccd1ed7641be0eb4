public import Verifications

extension Tally {
    /// What `--since` and `--until` would have counted of the same input; without bounds the tally itself.
    ///
    /// Severities and labels are not kept by day: they stay as they are. What has no day is left out.
    ///
    /// - Parameters:
    ///   - first: The first day that counts; nil for no bound.
    ///   - last: The last day that counts; nil for no bound.
    /// - Returns: The part, whose newest verification lies in it.
    public func days(from first: Day?, through last: Day?) -> Tally {
        guard first != nil || last != nil else { return self }
        var part = Tally()
        for (identity, function) in functions {
            let since = first.map { function.since($0) } ?? function
            let function = since.through(last ?? Day(number: .max))
            if !function.days.isEmpty { part.add(function, for: identity) }
        }
        for (name, project) in projects {
            let since = first.map { project.since($0) } ?? project
            part.add(since.through(last ?? Day(number: .max)), for: name)
        }
        if let newest, let mine = newest.day <= last ?? newest.day ? newest : part.lastInstant,
            mine.day >= first ?? mine.day
        {
            part.note(newest: mine)
        }
        return part
    }

    private var lastInstant: Instant? {
        functions.values.compactMap(\.last).max()
    }
}
