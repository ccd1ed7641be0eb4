import Readiness
import Verifications

extension Passes {
    var words: Words {
        switch self {
        case .notSeen(let day, let verifications):
            let place = day.map { " on \(CalendarText.day($0))" } ?? ""
            return Words(
                """
                None of \(Figures.counted(verifications, "request")) passed\(place). Either all of them failed, or the \
                export left out requests that passed. The SDK logs these at DEBUG, generation 2 writes them to stdout, \
                and Python drops them unless its log level is lowered. Export both streams without a severity filter.
                """,
                brief: "0 of \(Figures.grouped(verifications)) passed\(place)", remedy: Passes.search)
        case .allRefused(let verifications):
            return Words(
                aside: """
                    None of \(Figures.counted(verifications, "request")) passed: every client sends a bad token. Is \
                    the app registered, and is the App Check API enabled?
                    """)
        }
    }

    private static func search(_ explanation: Explanation) -> [Words.Block] {
        [
            .item("Does the log have any request that passed?"),
            .code(explanation.commands.passes, language: "sh"),
            .item("If so, your export drops them. Export everything, without a severity filter:"),
            explanation.newExport,
            .item(
                """
                If not, one of three things is true. An exclusion filter of the log bucket drops DEBUG lines. Or this \
                is a Python function, which needs \(code: "logging.getLogger().setLevel(logging.INFO)"). Or every \
                request really fails.
                """),
        ]
    }
}
