import Foundation
import TestSupport

/// A line that a function printed when it logged what a client had sent, as `Fixtures/record.js` saw it.
struct PrintedLine {
    /// The versions of firebase-functions and of the functions framework; nil where no framework takes part.
    let sdk: String
    let framework: String?
    /// How the function logs, and what the client sent.
    let call: String
    let sent: String
    let isErrorStream: Bool
    let text: String

    private init?(row: [String: Any]) {
        guard let sdk = row["sdk"] as? String, let call = row["call"] as? String, let sent = row["sent"] as? String,
            let text = row["text"] as? String
        else { return nil }
        self.sdk = sdk
        framework = row["framework"] as? String
        self.call = call
        self.sent = sent
        isErrorStream = row["stream"] as? String == "stderr"
        self.text = text
    }

    /// All lines that were recorded.
    static func recorded() throws -> [PrintedLine] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/printed-lines.jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return (row as? [String: Any]).flatMap(PrintedLine.init)
        }
    }

    /// The entry that Cloud Logging makes of the line.
    ///
    /// From a JSON object it takes severity, time, labels, trace, span and `insertId` if they have the right form; the
    /// platform's labels take precedence over those of the line. The rest is the payload. A payload of only a message
    /// becomes text, as does a line that is not a JSON object.
    /// Source: https://cloud.google.com/logging/docs/structured-logging
    func entry(insertID: String, loggedAt time: String) throws -> EntryText {
        var entry = EntryText.second(id: insertID, time: time)
            .with("logName", "\"projects/demo/logs/run.googleapis.com%2Fstd\(isErrorStream ? "err" : "out")\"")
            .with("severity", nil).with("jsonPayload", nil)
        var labels = ["instanceId": "0069c7f0f0f0"]
        guard var payload = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return try entry.with("labels", json(labels)).with("textPayload", json(text))
        }
        for (key, field) in [
            ("severity", "severity"), ("time", "timestamp"), ("logging.googleapis.com/insertId", "insertId"),
            ("logging.googleapis.com/trace", "trace"), ("logging.googleapis.com/spanId", "spanId"),
        ] {
            guard let value = payload[key] as? String else { continue }
            payload[key] = nil
            entry = entry.with(field, try json(value))
        }
        // A value that is not a set of labels is dropped.
        if let spread = payload.removeValue(forKey: "logging.googleapis.com/labels") as? [String: String] {
            labels.merge(spread) { platform, _ in platform }
        }
        entry = entry.with("labels", try json(labels))
        if payload.count == 1, let message = payload["message"] as? String {
            return entry.with("textPayload", try json(message))
        }
        return entry.with("jsonPayload", try json(payload))
    }

    private func json(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }
}
