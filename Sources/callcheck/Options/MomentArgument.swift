import ArgumentParser
import Verifications

/// A point in time as typed for `--until` and `--as-of`: RFC 3339, or a date.
enum MomentArgument: Equatable {
    case instant(Instant)
    case day(Day)

    init?(_ text: String) {
        if let day = Day(iso8601: text) {
            self = .day(day)
        } else if let instant = Instant(timestamp: text) {
            self = .instant(instant)
        } else {
            return nil
        }
    }

    /// Reads what was typed.
    ///
    /// - Throws: Which forms there are, for the parser, which says before it which option and which value it is about.
    static func typed(_ text: String) throws -> MomentArgument {
        guard let moment = MomentArgument(text) else { throw ValidationError(Messages.momentForms) }
        return moment
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

/// A point in time as typed for `--since`: RFC 3339, a date, or an age (`2w`, `7d`, `36h`, `90m`).
enum SinceArgument: Equatable {
    case moment(MomentArgument)
    /// In seconds, counted back from the as-of instant if one is given, else from the clock.
    case age(Int64)

    init?(_ text: String) {
        if let moment = MomentArgument(text) {
            self = .moment(moment)
            return
        }
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "w": 604_800]
        guard
            let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
            (0...100_000_000).contains(number), text.first?.isNumber == true
        else { return nil }
        self = .age(number * unit)
    }

    /// Reads what was typed.
    ///
    /// - Throws: Which forms there are, as ``MomentArgument/typed(_:)`` does.
    static func typed(_ text: String) throws -> SinceArgument {
        guard let since = SinceArgument(text) else { throw ValidationError(Messages.sinceForms) }
        return since
    }

    func instant(from now: Instant) -> Instant {
        switch self {
        case .moment(let moment): moment.start
        case .age(let seconds): now.adding(seconds: -seconds)
        }
    }
}
