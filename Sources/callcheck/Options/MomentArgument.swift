import ArgumentParser
import Verifications

/// A point in time as typed for `--until` and `--as-of`: RFC 3339, or a date.
enum MomentArgument: ExpressibleByArgument, Equatable {
    case instant(Instant)
    case day(Day)

    init?(argument: String) {
        if let day = Day(iso8601: argument) {
            self = .day(day)
        } else if let instant = Instant(timestamp: argument) {
            self = .instant(instant)
        } else {
            return nil
        }
    }

    /// The first instant.
    var start: Instant {
        switch self {
        case .instant(let instant): instant
        case .day(let day): Instant(day: day, nanosecondOfDay: 0)
        }
    }

    /// As a bound that is itself excluded: of a date, the start of the next day.
    var exclusiveEnd: Instant {
        switch self {
        case .instant(let instant): instant
        case .day(let day): Instant(day: day.advanced(by: 1), nanosecondOfDay: 0)
        }
    }

    /// As the instant that a run is judged as of: of a date, its last nanosecond.
    var last: Instant {
        switch self {
        case .instant(let instant): instant
        case .day: Instant(seconds: exclusiveEnd.seconds - 1, nanoseconds: 999_999_999)
        }
    }
}

/// A point in time as typed for `--since`: RFC 3339, a date, or an age (`7d`, `36h`, `90m`).
enum SinceArgument: ExpressibleByArgument, Equatable {
    case moment(MomentArgument)
    /// In seconds, counted back from the as-of instant if one is given, else from the clock.
    case age(Int64)

    init?(argument: String) {
        if let moment = MomentArgument(argument: argument) {
            self = .moment(moment)
            return
        }
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "w": 604_800]
        guard
            let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()),
            (0...100_000_000).contains(number), argument.first?.isNumber == true
        else { return nil }
        self = .age(number * unit)
    }

    func instant(from now: Instant) -> Instant {
        switch self {
        case .moment(let moment): moment.start
        case .age(let seconds): now.adding(seconds: -seconds)
        }
    }
}
