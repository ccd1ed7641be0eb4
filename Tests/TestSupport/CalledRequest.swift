/// One request to a callable function of generation 2, and what it leaves in the logs.
package struct CalledRequest: Sendable {
    package var function = "f"
    package var app = "VALID"
    package var auth = "VALID"
    /// Seconds after noon of 14 October 2026, or before; within that month.
    package var second: Int
    /// What tells entries from others; the trace and the span as well, unless they say otherwise.
    package var number: Int
    package var trace: Int?
    package var hasSpan = true
    package var hasExecution = true
    package var status = 200
    package var agent: String? = "okhttp/4.12.0"
    package var referer: String?
    package var address: String? = "203.0.113.9"
    package var cause: String?
    package var isAllowed = false
    package var hasRow = true
    package var isLogged = true

    package init(_ number: Int, second: Int? = nil) {
        self.number = number
        self.second = second ?? number
    }

    private func time(_ milliseconds: Int) -> String {
        let second = 13 * 86_400 + 43_200 + second
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "2026-10-\(two(second / 86_400 + 1))"
        let fraction = String("\(1000 + milliseconds)".dropFirst())
        return EntryText.quoted(
            "\(date)T\(two(second / 3600 % 24)):\(two(second / 60 % 60)):\(two(second % 60)).\(fraction)Z")
    }

    private func hexadecimal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private var span: Int { 3_000_000_000_000_000_000 + number }

    private func entry(_ id: String, log: String, _ milliseconds: Int) -> EntryText {
        let execution = hasExecution ? #","execution_id":"call\#(number)","instanceId":"00aa11bb22""# : ""
        return EntryText.second(function, id: "\(id)-\(number)", label: nil)
            .with("timestamp", time(milliseconds)).with("receiveTimestamp", time(milliseconds + 20))
            .with("logName", EntryText.quoted("projects/demo/logs/run.googleapis.com%2F\(log)"))
            .with("labels", #"{"goog-managed-by":"cloudfunctions"\#(log == "requests" ? "" : execution)}"#)
            .with("trace", EntryText.quoted("projects/demo/traces/\(hexadecimal(trace ?? number, digits: 32))"))
            .with("spanId", hasSpan ? EntryText.quoted("\(span)") : nil)
    }

    /// The row of the request log.
    package var row: String {
        let members = [
            agent.map { #""userAgent":"\#($0)""# }, referer.map { #""referer":"\#($0)""# },
            address.map { #""remoteIp":"\#($0)""# },
            #""requestMethod":"POST""#, #""status":\#(status)"#,
        ]
        return entry("row", log: "requests", 0).with("jsonPayload", nil)
            .with("spanId", hasSpan ? EntryText.quoted(hexadecimal(span, digits: 16)) : nil)
            .with("httpRequest", "{\(members.compactMap { $0 }.joined(separator: ","))}").text
    }

    /// What a browser asks first.
    package var preflight: String {
        entry("ask", log: "requests", 0).with("jsonPayload", nil).with("spanId", #""00000000000000aa""#)
            .with("httpRequest", #"{"requestMethod":"OPTIONS","status":204}"#).text
    }

    package var verification: String {
        let failed = app == "INVALID" || auth == "INVALID"
        let labels = entry("", log: "stdout", 5).members.first { $0.key == "labels" }?.value ?? ""
        return entry("checked", log: failed ? "stderr" : "stdout", 5)
            .with("severity", EntryText.quoted(failed ? "WARNING" : "DEBUG"))
            .with("jsonPayload", EntryText.payload(app: app, auth: auth))
            .with("labels", #"{"firebase-log-type":"callable-request-verification",\#(labels.dropFirst())"#).text
    }

    private func line(_ id: String, _ text: String, _ milliseconds: Int) -> String {
        entry(id, log: "stderr", milliseconds).with("jsonPayload", nil).with("textPayload", EntryText.quoted(text)).text
    }

    /// All entries of the request.
    package var lines: [String] {
        var lines: [String] = []
        if let cause {
            lines.append(
                line("why", "Failed to validate AppCheck token. FirebaseAppCheckError: \(cause)\\n    at x", 4))
        }
        if isLogged { lines.append(verification) }
        if isAllowed {
            lines.append(line("go", "Allowing request with invalid AppCheck token because enforcement is disabled", 6))
        }
        if hasRow { lines.append(row) }
        return lines
    }

    package static let expired = "The provided App Check token has expired. Get a fresh App Check token"
    package static let placeholder = "Decoding App Check token failed. Make sure you passed the entire string JWT"
}
