import Readiness
import Verifications

/// One day of a function as its chart and its table show it.
struct DayCell {
    let day: Day
    /// Requests that count for the verdict, by App Check status, in the order of ``statuses``.
    let admitted: [Int]
    /// Requests that are refused already, by their Auth token or by the function itself.
    let uncounted: Int
    /// True when the rule finds too many blocked requests on this day alone.
    let isBad: Bool

    /// From the bottom of a bar to its top.
    static let statuses: [TokenStatus] = [.valid, .missing, .invalid, .other]

    init(_ tally: DayTally, admission: Admission, isBad: Bool) {
        day = tally.day
        admitted = DayCell.statuses.map { tally.counts.admitted(admission, app: $0) }
        uncounted = tally.counts.total - tally.counts.admitted(admission)
        self.isBad = isBad
    }

    var requests: Int {
        admitted.reduce(0, +)
    }

    var blocked: Int {
        requests - admitted[0]
    }

    /// Nil without a request.
    var blockedRate: Double? {
        requests > 0 ? Double(blocked) / Double(requests) : nil
    }
}

extension Assessment {
    /// Whose requests the verdict rests on: of a function that is enforced, the rule looks at signed-in callers.
    var judgedCallers: Admission {
        policy.numbers.requiresAuth || verdict == .enforced ? .signedIn : .notRefused
    }

    /// The days that the verdict names as bad ones.
    var badDays: Set<Day> {
        Set(
            reasons.flatMap { reason -> [Day] in
                switch reason {
                case .excess(.unstableDay(let days, _)), .excess(.recentTrouble(let days, _)): days.map(\.day)
                default: []
                }
            })
    }
}
