public import Verifications

/// Days on which nothing is expected of a project: an empty one is no gap.
public struct QuietDays: Hashable, Sendable {
    /// 0 for Monday to 6 for Sunday.
    public var weekdays: Set<Int>
    public var dates: Set<Day>

    public init(weekdays: Set<Int> = [], dates: Set<Day> = []) {
        self.weekdays = weekdays
        self.dates = dates
    }

    public var isEmpty: Bool {
        weekdays.isEmpty && dates.isEmpty
    }

    public func contains(_ day: Day) -> Bool {
        !isEmpty && (weekdays.contains(day.weekday) || dates.contains(day))
    }
}
