import ArgumentParser
import PolicyFile
import Readiness
import Verifications

/// Which part of the input counts, and which part is shown.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Count from here on: RFC 3339, a date (from 00:00Z), or an age such as 7d or 36h. Of a store, whole days.",
            valueName: "time"),
        transform: SinceArgument.init(typed:))
    var since: SinceArgument?

    @Option(
        help: ArgumentHelp(
            "Count up to here: RFC 3339 (exclusive), or a date (the whole day).", valueName: "time",
            visibility: .hidden),
        transform: MomentArgument.init(typed:))
    var until: MomentArgument?

    @Option(
        help: ArgumentHelp(
            "Judge as of this instant: RFC 3339, or a date (its end). Default: the newest verification.",
            valueName: "time"),
        transform: MomentArgument.init(typed:))
    var asOf: MomentArgument?

    @Option(name: .customLong("project"), help: ArgumentHelp("Only these projects; repeatable.", valueName: "glob"))
    var projects: [String] = []

    @Option(name: .customLong("region"), help: ArgumentHelp("Only these regions; repeatable.", valueName: "glob"))
    var regions: [String] = []

    mutating func fill(from settings: inout Settings) {
        settings.fill(&projects, .project)
        settings.fill(&regions, .region)
    }
}

/// Which functions are shown; a separate group, because `explain` takes one function as its argument.
struct FunctionOptions: ParsableArguments {
    @Option(
        name: .customLong("function"), help: ArgumentHelp("Only these functions; repeatable.", valueName: "glob"),
        completion: StoredNames.completion)
    var functions: [String] = []

    mutating func fill(from settings: inout Settings) {
        settings.fill(&functions, .function)
    }
}

/// A point in time as typed for `--until` and `--as-of`: RFC 3339, or a date.
enum MomentArgument: Equatable {
    case instant(Instant)
    case day(Day)

    /// - Throws: Which forms there are; the parser adds the option and the value.
    init(typed text: String) throws {
        if let day = Day(iso8601: text) {
            self = .day(day)
        } else if let instant = Instant(timestamp: text) {
            self = .instant(instant)
        } else {
            throw ValidationError("write a date (2026-10-13) or RFC 3339 (2026-10-13T12:00:00Z).")
        }
    }

    /// The first instant.
    var start: Instant {
        switch self {
        case .instant(let instant): instant
        case .day(let day): Instant(day: day, nanosecondOfDay: 0)
        }
    }

    /// As an exclusive bound: for a date, the start of the next day.
    var exclusiveEnd: Instant {
        switch self {
        case .instant(let instant): instant
        case .day(let day): Instant(day: day.advanced(by: 1), nanosecondOfDay: 0)
        }
    }

    /// As the as-of instant of a run: for a date, its last nanosecond.
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

    /// - Throws: Which forms there are; the parser adds the option and the value.
    init(typed text: String) throws {
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "w": 604_800]
        if let moment = try? MomentArgument(typed: text) {
            self = .moment(moment)
        } else if let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
            (0...100_000_000).contains(number), text.first?.isNumber == true
        {
            self = .age(number * unit)
        } else {
            throw ValidationError(
                "write a date (2026-10-13), RFC 3339 (2026-10-13T12:00:00Z) or an age (90m, 36h, 7d, 2w).")
        }
    }

    func instant(from now: Instant) -> Instant {
        switch self {
        case .moment(let moment): moment.start
        case .age(let seconds): now.adding(seconds: -seconds)
        }
    }
}
