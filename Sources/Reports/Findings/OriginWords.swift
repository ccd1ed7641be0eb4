import Readiness

extension Origin {
    var words: Words {
        switch self {
        case .unattributed:
            Words(
                """
                This log does not name the project, so duplicates cannot be removed and failures may be missing. Take \
                the result as a preview. For a verdict, export the log with \(code: "gcloud logging read"); \
                \(code: "callcheck export") prints the command.
                """,
                brief: "project unknown", remedy: nil)
        case .mixedText(let unlabelled, let labelled):
            mixed(
                """
                \(Figures.counted(unlabelled, "entry", plural: "entries")) without the SDK's label next to \
                \(Figures.grouped(labelled)) with it: some are forged. Check what this function logs.
                """)
        case .mixedSeverities(let days):
            mixed(
                """
                On \(Figures.counted(days, "day")) passed requests are logged at DEBUG and at another severity. The \
                SDK uses only one, so some are forged. Check what this function logs.
                """)
        case .textOnly:
            Words(
                aside: """
                    Judged on log text without the SDK's label. A function that logs what clients send, at the start \
                    of a line, lets them forge such text.
                    """)
        case .sdk3:
            Words(
                aside: """
                    Passed requests are logged at INFO, as firebase-functions 3.x does. That version already refuses \
                    INVALID tokens and has no \(code: "enforceAppCheck"). Upgrade to version 4 or newer first.
                    """)
        }
    }

    private func mixed(_ sentence: Wording) -> Words {
        Words(sentence, brief: "some entries are forged", remedy: nil)
    }
}
