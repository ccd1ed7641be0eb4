import Verifications

/// The days that the rule asks about: those of a log, or of a log and of days to come.
protocol RequestDays: Sendable {
    /// All verifications by day, ascending; blocked are here those that failed.
    var traffic: [DaySum] { get }

    /// The requests that the rule counts, by day, ascending: also days on which all were of revisions that are on
    /// while others are not.
    func judged(_ counted: CountingRule) -> [DaySum]
}

/// The days of a log.
struct LogDays: RequestDays {
    let traffic: [DaySum]
    private let days: [CountingRule: [DaySum]]

    init(_ judgement: Judgement, _ counts: [CountingRule]) {
        traffic = judgement.table.days(blocked: { $0.app == .invalid || $0.auth == .invalid })
        days = Dictionary(
            uniqueKeysWithValues: counts.map { counted in
                let sums = judgement.table.cells.reduce(into: [DaySum]()) { days, cell in
                    guard cell.isCounted, judgement.counts(cell, counted) else { return }
                    if days.last?.day != cell.day { days.append(DaySum(day: cell.day)) }
                    guard judgement.isRest(cell) else { return }
                    days[days.count - 1].add(
                        cell, isBlocked: cell.isBlocked, isByHour: judgement.table.isByHour)
                }
                return (counted, sums)
            })
    }

    func judged(_ counted: CountingRule) -> [DaySum] { days[counted] ?? [] }
}

/// A log up to T, and days to come: all of their requests are admitted, and passed.
struct DaysToCome: RequestDays {
    private(set) var traffic: [DaySum]
    private var days: [DaySum]

    init(after today: Day, of log: some RequestDays, _ counted: CountingRule) {
        traffic = log.traffic.filter { $0.day <= today }
        days = log.judged(counted).filter { $0.day <= today }
    }

    mutating func add(_ day: Day, requests: Double, blockedRate: Double) {
        traffic.append(DaySum(day: day, requests: requests, blockedRate: 0))
        if requests > 0 { days.append(DaySum(day: day, requests: requests, blockedRate: blockedRate)) }
    }

    func judged(_ counted: CountingRule) -> [DaySum] { days }
}
