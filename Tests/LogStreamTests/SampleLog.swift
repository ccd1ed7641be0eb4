import TestSupport

/// A small log that has every kind of line in it, for tests in which only the way it reaches the scanner differs.
enum SampleLog {
    /// The size limit under which one of its lines is oversized.
    static let limit = 600

    /// What a scan under ``limit`` must count.
    static let records = 17
    static let verifications = 9
    static let malformed = 2
    static let oversized = 1

    private static let glued =
        #"{"labels":{"firebase-log-type":"callable-request-verification"},"jsonPayload":{"verifications":{"app":"VALID"}}}"#

    static let text: String = {
        let lines = [
            EntryText.first("addMessage", id: "1").text,
            EntryText.second("delete-user", app: "MISSING", auth: "MISSING", id: "2", label: nil).text + "\r",
            "",
            EntryText.second("delete-user", app: "INVALID", id: "3", label: "delete_user").text,
            "  \t\r",
            EntryText.application(#"said \u00e9, 日本, \"callable\" and 😀"#).text,
            EntryText.application(#"said \u0063allable-request-verification"#).text,
            EntryText.application("to stderr").with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#)
                .text,
            EntryText.first("naïve", auth: "INVALID", id: "4").text,
            glued + glued,
            EntryText.first("cut", id: "6").text.dropLast(3) + "",
            EntryText.first("long", id: "7").adding("pad", "\"\(String(repeating: "v\\u0063%2Fst", count: 12))\"").text
                + "\r",
            #"{"labels":{"firebase-log-type":"\u0063allable-request-verificatio\u006e"},"verifications":{"auth":"VALID"}}"#,
            "[]",
            "not JSON",
            EntryText.first("addMessage", id: "8").with("timestamp", nil).with("receiveTimestamp", nil).text,
            EntryText.first("broken").text.replacing("VALID", with: "\u{1}"),
            "7",
            EntryText.second("last", id: "9").text,
        ]
        return "\u{FEFF}" + lines.joined(separator: "\n")
    }()

    static let bytes = Array(text.utf8)
}
