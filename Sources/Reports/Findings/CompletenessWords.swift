import Readiness
import Verifications

extension Completeness {
    var words: Words {
        switch self {
        case .coverageGap(let days, let begins?) where days.allSatisfy { $0 < begins }:
            Words(
                """
                The log begins on \(CalendarText.day(begins)), later than the days that are judged. Export a longer log, \
                or confirm that nobody called before with \(code: "--assume-complete").
                """,
                brief: "log begins on \(CalendarText.day(begins))", remedy: { Completeness.fill(days, $0) })
        case .coverageGap(let days, _):
            Words(
                """
                The project has no requests at all on \(Reason.list(days)), so the export may have a gap. Export the \
                log again, or confirm that it is complete with \(code: "--assume-complete").
                """,
                brief: "\(Figures.counted(days.count, "day")) without data", remedy: { Completeness.fill(days, $0) })
        case .uncounted(let records, let upper, let limit):
            Words(
                """
                \(Figures.counted(records, "record")) could not be counted. If all were requests without a valid App \
                Check token, up to \(Figures.rate(upper, .up, against: limit)) could be refused \
                (\(Figures.exactRate(limit)) allowed). Fix the log or export it again.
                """,
                brief: "\(Figures.counted(records, "record")) could not be read",
                remedy: nil)
        }
    }

    private static func fill(_ days: [Day], _ explanation: Explanation) -> [Words.Block] {
        guard let first = days.first, let last = days.last else { return [] }
        return [
            .item(
                """
                The \(days.count == 1 ? "day" : "days") without data, \(Reason.list(days)). If nothing was called \
                then, confirm it with \(code: "--assume-complete"). Otherwise read this as well:
                """),
            .code(explanation.commands.export(of: first...last), language: "sh"),
        ]
    }
}
