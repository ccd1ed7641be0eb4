import Readiness
import Verifications

extension Silence {
    var words: Words {
        switch self {
        case .noTraffic(let last):
            Words(
                "No requests in the window\(last.map { "; the last one was on \(CalendarText.day($0))" } ?? "").",
                brief: last.map { "no request since \(CalendarText.day($0))" } ?? "no request at all",
                remedy: Silence.checkDeployment)
        case .stale(let last, let silentDays, let longestDistance):
            Words(
                """
                No requests for \(Figures.counted(silentDays, "day")), since \(CalendarText.day(last)). Before that \
                they were never more than \(Figures.counted(max(1, longestDistance), "day")) apart. Was the function \
                removed, renamed, or left out of the export?
                """,
                brief: "silent since \(CalendarText.day(last))",
                remedy: Silence.checkDeployment)
        case .exportOld(let newest, let hours, let limit):
            Words(
                """
                The project's newest request is \(Figures.duration(hours: hours)) old (\(CalendarText.minute(newest)) \
                UTC). callcheck rejects logs older than \(Figures.duration(hours: Double(limit))). Export the log again.
                """,
                brief: "log is \(Figures.duration(hours: hours)) old",
                remedy: { [.item("A newer export:"), $0.newExport] })
        }
    }

    private static func checkDeployment(_ explanation: Explanation) -> [Words.Block] {
        [
            .item(
                """
                Requests. Is the function still deployed and called? \(code: "firebase functions:list") shows what is \
                deployed. If the app is not launched yet, you can enforce at once.
                """)
        ]
    }
}
