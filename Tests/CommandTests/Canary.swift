import Foundation
import TestSupport

/// A log in one of the shapes that callcheck reads, in which everything is secret but project, region and function.
struct Canary: Sendable {
    let shape: String
    let text: String
    /// How many verifications it holds, all of the function `shown`.
    var verifications = 2

    /// The text in every field that must not be shown.
    static let secret = "CANARY"

    /// How the secret can look: as it is, and in base64 at each of three places.
    static let spellings = [secret, "canary", "Q0FOQVJZ", "NBTkFSW", "DQU5BUl"]

    static let all: [Canary] = [
        Canary(shape: "lines", text: entry() + "\n" + other + "\n" + entry(2) + "\n"),
        Canary(shape: "array", text: "[\n" + [entry(), other, entry(2)].joined(separator: ",\n") + "\n]\n"),
        Canary(shape: "page", text: #"{"nextPageToken":"CANARY-page","entries":["# + entry() + "," + entry(2) + "]}"),
        Canary(shape: "push", text: message(entry()) + "\n" + message(entry(2)) + "\n"),
        Canary(
            shape: "pull",
            text: #"{"receivedMessages":[{"ackId":"CANARY-ack",\#(message(entry()).dropFirst().dropLast())}]}"#,
            verifications: 1),
        Canary(shape: "decoded message", text: #"{"message":{"data":\#(entry())}}"#, verifications: 1),
        Canary(shape: "row", text: row + "\n", verifications: 1),
        Canary(shape: "analytics row", text: "[" + analyticsRow + "]", verifications: 1),
        Canary(shape: "request rows", text: called.joined(separator: "\n") + "\n"),
        Canary(shape: "request rows in an array", text: "[" + called.joined(separator: ",\n") + "]"),
        Canary(
            shape: "functions:log",
            text: """
                2026-10-14T12:00:00.5Z D shown: {"verifications":{"app":"VALID","auth":"MISSING"},"message":"Callable \
                request verification passed","token":"CANARY-token"}
                2026-10-14T12:00:01.5Z I shown: CANARY-text user@example.com
                2026-10-14T12:00:02.5Z W shown: {"verifications":{"app":"CANARY-app","auth":"CANARY-auth"},\
                "message":"Callable request verification failed: CANARY-why"}

                """),
        Canary(
            shape: "SDK lines",
            text: """
                {"severity":"DEBUG","message":"Callable request verification passed","verifications":{"app":"VALID",\
                "auth":"VALID"},"logging.googleapis.com/labels":{"firebase-log-type":"callable-request-verification",\
                "k":"CANARY-label"},"secret":"CANARY-member"}
                {"severity":"INFO","message":"CANARY-message"}

                """,
            verifications: 1),
    ]

    /// What no command can read, with secrets in it.
    static let unreadable: [(name: String, text: String)] = [
        ("csv", "timestamp,severity,CANARY-column\n2026-10-14T12:00:00Z,DEBUG,CANARY-cell\n"),
        ("html", "<!DOCTYPE html><html><body>Error: CANARY-page</body></html>"),
        ("zip", "PK\u{3}\u{4}CANARY-archive"),
        ("text", "CANARY-line one\nCANARY-line two\n"),
        ("error", #"{"error":{"code":401,"message":"CANARY-reason","status":"UNAUTHENTICATED"}}"#),
        ("string", #""CANARY-string""#), ("number", "1234567890123"),
        ("value among lines", entry() + "\n[\n" + entry() + "\n]\n" + entry() + "\nCANARY " + entry()),
        ("console among values", "[" + entry() + ",\nD CANARY: Callable request verification passed\n" + entry() + "]"),
        ("long name", entry().replacingOccurrences(of: "shown", with: String(repeating: "CANARY", count: 50))),
    ]

    // MARK: Entries

    static func entry(_ number: Int = 1) -> String {
        """
        {"insertId":"CANARY-insert-\(number)","jsonPayload":{"message":"Callable request verification failed: CANARY-why",\
        "verifications":{"app":"CANARY-app","auth":"VALID","CANARY-key":"CANARY-status"},"token":"eyJhbGciOi.CANARY-token",\
        "CANARY-payload-key":["CANARY-element",{"deep":"CANARY-deep"}]},"resource":{"type":"cloud_function","labels":\
        {"function_name":"shown","project_id":"demo","region":"us-central1","CANARY-resource-key":"CANARY-resource"}},\
        "timestamp":"2026-10-14T12:00:0\(number)Z","severity":"CANARY-severity","labels":{"firebase-log-type":\
        "callable-request-verification","execution_id":"CANARY-execution-\(number)","CANARY-label-key":"CANARY-label"},"logName":\
        "projects/demo/logs/CANARY-log","trace":"projects/demo/traces/CANARY-trace","spanId":"CANARY-span",\
        "httpRequest":{"remoteIp":"CANARY-address","userAgent":"CANARY-agent","requestUrl":"https://CANARY.example/?CANARY"},\
        "receiveTimestamp":"2026-10-14T12:00:0\(number).5Z","CANARY-key":"CANARY-value"}
        """
    }

    /// An entry of an application: no verification.
    private static let other = """
        {"insertId":"CANARY-other","textPayload":"CANARY-text","resource":{"type":"cloud_function","labels":\
        {"function_name":"CANARY-silent","project_id":"CANARY-project","region":"CANARY-region"}},"timestamp":"CANARY-time"}
        """

    /// Two requests with their rows, and why the token of the second was refused.
    private static let called: [String] = [1, 2].flatMap { number in
        let place = """
            "resource":{"type":"cloud_run_revision","labels":{"service_name":"shown","project_id":"demo","location":\
            "us-central1","revision_name":"CANARY-revision"}},"timestamp":"2026-10-14T12:00:0\(number)Z","trace":\
            "projects/demo/traces/CANARYCANARYCANARYCANARYCANARY\(number)","spanId":"330000000000000000\(number)"
            """
        let labels = """
            "labels":{"execution_id":"CANARY-call-\(number)","instanceId":"CANARY-instance"
            """
        let agents = ["Mozilla/5.0 (CANARY) Firefox/141.0", "com.example.app/1.0 iPhone/18.0 hw/CANARY"]
        let row = """
            {"insertId":"CANARY-row-\(number)","logName":"projects/demo/logs/run.googleapis.com%2Frequests",\
            "httpRequest":{"requestMethod":"POST","status":200,"userAgent":"\(agents[number - 1])","remoteIp":"CANARY-address",\
            "referer":"https://shown.example/CANARY?CANARY=CANARY#CANARY","requestUrl":"https://shown.example/?q=CANARY"},\(place)}
            """
        let cause = """
            {"insertId":"CANARY-cause-\(number)","logName":"projects/demo/logs/run.googleapis.com%2Fstderr","textPayload":\
            "Failed to validate AppCheck token. FirebaseAppCheckError: The provided App Check token has incorrect \\"aud\\" \
            (audience) claim. Expected \\"projects/demo\\" but got \\"projects/CANARY-project\\".",\(labels)},\(place)}
            """
        let verification = """
            {"insertId":"CANARY-checked-\(number)","logName":"projects/demo/logs/run.googleapis.com%2Fstderr","jsonPayload":\
            {"message":"Callable request verification failed: CANARY","verifications":{"app":"INVALID","auth":"VALID"}},\
            \(labels),"firebase-log-type":"callable-request-verification"},\(place)}
            """
        return [row, cause, verification]
    }

    private static func message(_ entry: String) -> String {
        """
        {"message":{"attributes":{"CANARY-attribute":"CANARY-value"},"data":"\(Data(entry.utf8).base64EncodedString())",\
        "messageId":"CANARY-message","publishTime":"2026-10-14T12:00:00Z"},"subscription":"projects/p/subscriptions/CANARY"}
        """
    }

    private static let row = """
        {"insertId":"CANARY-insert","jsonPayload":{"message":"Callable request verification passed","k":"CANARY","verifications":\
        {"app":"VALID","auth":"VALID"}},"resource":{"type":"cloud_function","labels":{"function_name":"shown",\
        "project_id":"demo","region":"us-central1"}},"timestamp":"2026-10-14 12:00:00.25 UTC","labels":{"firebase_log_type":\
        "callable-request-verification","execution_id":"CANARY-execution"},"logName":"projects/demo/logs/CANARY"}
        """

    private static let analyticsRow = #"""
        {"insert_id":"CANARY-insert","json_payload":"{\"message\":\"Callable request verification passed\",\#
        \"verifications\":{\"app\":\"VALID\",\"auth\":\"VALID\"},\"token\":\"CANARY-token\"}","labels":\#
        "{\"firebase-log-type\":\"callable-request-verification\",\"k\":\"CANARY-label\"}","log_name":\#
        "projects/demo/logs/CANARY","resource":{"labels":"{\"region\":\"us-central1\",\"project_id\":\"demo\",\#
        \"function_name\":\"shown\",\"k\":\"CANARY-label\"}","type":"cloud_function"},"timestamp":"2026-10-14T12:00:00Z"}
        """#
}
