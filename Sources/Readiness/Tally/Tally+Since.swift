import Verifications

extension Tally {
    /// What `--since` a day would have counted of the same input: nothing before it, and nothing without a day.
    ///
    /// What a tally does not keep by day stays as it is: names, and the severities at which passes were seen.
    func since(_ day: Day) -> Tally {
        var part = Tally()
        for (identity, function) in functions {
            let function = function.since(day)
            if !function.days.isEmpty { part.add(function, for: identity) }
        }
        for (name, project) in projects { part.add(project.since(day), for: name) }
        if let newest { part.note(newest: newest) }
        return part
    }
}
