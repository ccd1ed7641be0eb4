import Readiness

extension Failures {
    var words: Words {
        switch self {
        case .notSeen:
            Words(
                """
                No generation 2 function of the project shows a failure in the window, and nothing was read from their \
                stderr log, so failures may be missing. Export \(code: "run.googleapis.com%2Fstderr") too.
                """,
                brief: "stderr log not exported", remedy: Failures.exportBoth)
        case .stopped(let days, let perDay):
            Words(
                """
                No request failed for \(Figures.days(days)), after \(Figures.amount(perDay)) a day before. The log \
                with the failures may not have arrived since.
                """,
                brief: "no failures for \(Figures.days(days)), stderr log missing?",
                remedy: Failures.exportBoth)
        case .unproven(let admitted):
            Words(
                aside: """
                    No failure among \(Figures.counted(admitted, "request")), nor in the rest of the log. Either all is \
                    well, or an export filter dropped WARNING. Check the filter before you enforce.
                    """)
        }
    }

    private static func exportBoth(_ explanation: Explanation) -> [Words.Block] {
        [
            .item("An export with the failures too, which generation 2 writes to a log of their own, stderr:"),
            explanation.newExport,
        ]
    }
}
