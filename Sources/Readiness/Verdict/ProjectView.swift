import Verifications

/// A project's log as it is known on one day: its stretch, and the days on which it may have a hole.
struct ProjectView: Sendable {
    let coverage: ProjectCoverage
    /// The last day of the log that is known; later ones are a forecast's, and covered.
    let horizon: Day
    /// T's day.
    let today: Day
    /// S, the first day of the stretch: of the last run of covered days.
    let firstDay: Day?

    /// Number of verifications that hide next to nothing.
    private static let fewVerifications = 7.0

    init(_ coverage: ProjectCoverage, today: Day) {
        self.init(coverage, horizon: today, today: today)
    }

    init(_ coverage: ProjectCoverage, horizon: Day, today: Day) {
        self.coverage = coverage
        self.horizon = horizon
        self.today = today
        let index = coverage.coveredDays.firstIndex(notBefore: horizon.advanced(by: 1)) - 1
        let known = index >= 0 ? coverage.runStarts[index] : nil
        let forecast = horizon.advanced(by: 1)
        if forecast > today {
            firstDay = known
        } else {
            let isBridged =
                index >= 0
                && ProjectCoverage.isBridged(from: coverage.coveredDays[index], to: forecast, coverage.quietDays)
            firstDay = isBridged ? known : forecast
        }
    }

    func isCovered(_ day: Day) -> Bool {
        day > horizon ? day <= today : coverage.isCovered(day)
    }

    func stretch(of window: Window) -> Window? {
        firstDay.flatMap { Window(from: max($0, window.from), to: window.to) }
    }

    /// The days of a window on which the project was silent without an excuse, ascending; days before the stretch among
    /// them.
    ///
    /// Nothing excuses a day on which requests left rows and no verification.
    func gaps(in window: Window) -> [Day] {
        if isWhollyCovered(window) { return [] }
        return window.days.filter { day in
            guard let firstDay, firstDay <= day else { return !isQuiet(day) }
            return isMissing(day) && !isPassedOver(day)
        }
    }

    /// True for an empty day that the policy names; all days before the stretch are empty.
    private func isQuiet(_ day: Day) -> Bool {
        guard coverage.quietDays.contains(day) else { return false }
        return isCovered(day) ? firstDay.map { day < $0 } ?? false : !coverage.unloggedDays.contains(day)
    }

    /// The empty days of a window that are no gaps as the policy calls them quiet, or because they are the only ones
    /// missing in two weeks; ascending.
    func passedOver(in window: Window) -> [Day] {
        guard firstDay != nil, !isWhollyCovered(window) else { return [] }
        return window.days.filter { isMissing($0) ? isPassedOver($0) : isQuiet($0) }
    }

    /// True for an empty day of the stretch without an excuse.
    private func isMissing(_ day: Day) -> Bool {
        guard let firstDay, firstDay <= day, day <= today, !isCovered(day) else { return false }
        return coverage.unloggedDays.contains(day) || !isExcused(day)
    }

    /// One night of a broken sink is a small part of the evidence: nothing else is missing in the fourteen days that
    /// end with it, nor in those that begin with it, as far as these are known.
    private func isPassedOver(_ day: Day) -> Bool {
        guard !coverage.unloggedDays.contains(day) else { return false }
        let others = day.advanced(by: -13)...day.advanced(by: 13)
        return others.allSatisfy { $0 == day || !isMissing($0) }
    }

    private func isWhollyCovered(_ window: Window) -> Bool {
        guard let firstDay, firstDay <= window.from else { return false }
        guard let known = Window(from: window.from, to: min(window.to, horizon)) else { return true }
        return coveredDays(known) == known.dayCount
    }

    private func coveredDays(_ window: Window) -> Int {
        coverage.coveredDays.firstIndex(notBefore: window.to.advanced(by: 1))
            - coverage.coveredDays.firstIndex(notBefore: window.from)
    }

    func isExcused(_ day: Day) -> Bool {
        coverage.quietDays.contains(day) || isUsuallyEmpty(day) || hidesLittle(day)
    }

    /// The same weekday a week before or after is empty too, and most days in between are not.
    private func isUsuallyEmpty(_ day: Day) -> Bool {
        guard let firstDay else { return false }
        return [-7, 7].contains { distance in
            let other = day.advanced(by: distance)
            guard firstDay <= other, other <= today, !isCovered(other) else { return false }
            let between = (min(day, other).advanced(by: 1)..<max(day, other)).count { isCovered($0) }
            return between >= 4
        }
    }

    /// The empty days around this one together would have had next to nothing, by other weeks.
    private func hidesLittle(_ day: Day) -> Bool {
        guard let firstDay, day <= today else { return false }
        func isEmpty(_ day: Day) -> Bool { firstDay <= day && day <= today && !isCovered(day) }
        var (first, last) = (day, day)
        while isEmpty(first.advanced(by: -1)) { first = first.advanced(by: -1) }
        while isEmpty(last.advanced(by: 1)) { last = last.advanced(by: 1) }
        let means = weekdayMeans(from: firstDay)
        let expected = (first...last).reduce(0) { $0 + means[$1.weekday] }
        return expected <= ProjectView.fewVerifications
    }

    /// Verifications of each weekday, on average of the covered days known in the stretch; infinite for less than two.
    private func weekdayMeans(from firstDay: Day) -> [7 of Double] {
        var sums: [7 of Int] = .init(repeating: 0)
        var days = sums
        let first = coverage.coveredDays.firstIndex(notBefore: firstDay)
        for index in first..<max(first, coverage.coveredDays.firstIndex(notBefore: horizon.advanced(by: 1))) {
            let weekday = coverage.coveredDays[index].weekday
            sums[weekday] += coverage.verifications[index]
            days[weekday] += 1
        }
        return .init { days[$0] < 2 ? .infinity : Double(sums[$0]) / Double(days[$0]) }
    }
}
