import Readiness
import Verifications

/// What one line of the table is made of: a function, or all of them together.
struct TableRow {
    let name: String
    /// Nil in the total.
    let function: FunctionSummary?
    let counts: StatusMatrix
    let days: [DayTally]

    init(_ function: FunctionSummary) {
        name = function.name
        self.function = function
        counts = function.tally.totals
        days = function.tally.days
    }

    /// The total of several functions.
    init(totalOf functions: [FunctionSummary]) {
        name = "total of \(Figures.grouped(functions.count))"
        function = nil
        counts = functions.reduce(into: StatusMatrix()) { $0.merge($1.tally.totals) }
        var byDay: [Day: DayTally] = [:]
        for day in functions.lazy.flatMap(\.tally.days) { byDay[day.day, default: DayTally(day: day.day)].merge(day) }
        days = byDay.values.sorted { $0.day < $1.day }
    }

    var identity: FunctionIdentity? {
        function?.identity
    }

    var assessment: Assessment? {
        function?.assessment
    }

    /// The columns of counts: what a decision rests on first, and OTHER only where it occurs.
    var shownStatuses: [TokenStatus] {
        [.valid, .missing, .invalid] + (counts.total(app: .other) > 0 ? [.other] : [])
    }

    /// The share beside a count; nothing beside a zero, which speaks for itself.
    func share(of status: TokenStatus) -> String {
        let number = counts.total(app: status)
        return number == 0 ? "" : Figures.percent(number, of: counts.total)
    }
}

extension FunctionIdentity {
    /// `1`, `2`, or `-` when the log does not say.
    var generationText: String {
        generation.map { String($0.rawValue) } ?? FunctionIdentity.unknown
    }
}
