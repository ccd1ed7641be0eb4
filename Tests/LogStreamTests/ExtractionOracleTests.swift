import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Thousands of odd entries against an independent reading of the contract: `Fixtures/entries/oracle.py`.
@Suite(.enabled(if: ExternalTool.python.isExpected, "python3 is not installed"))
struct ExtractionOracleTests {
    @Test(arguments: Tier.some(of: [1, 2] as [UInt64], every: 2))
    func oddEntriesAreReadAlike(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<4000).map { index in
            let entry = Array(OddEntry.text(using: &random).utf8)
            return index % 5 == 0 ? JSONText.mutated(entry, using: &random).filter { $0 != 0x0A && $0 != 0x0D } : entry
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/entries/oracle.py")
        let input = lines.map { Python.hexadecimal($0) + "\n" }.joined()
        let output = try ExternalTool.python.run([script.path], input: Array(input.utf8))
        let answers = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(answers.count == lines.count)
        var verifications = 0
        for (line, answer) in zip(lines, answers) {
            let ours = ours(line)
            #expect(ours == answer, "\(String(decoding: line, as: UTF8.self))")
            if answer.contains("|") { verifications += 1 }
        }
        #expect(verifications > 700)
        #expect(answers.count { $0 == "malformed" } > 100)
        #expect(answers.count { $0 == "none" } > 500)
    }

    private func ours(_ line: [UInt8]) -> String {
        let scan = Scan.pieces([line])
        guard scan.summary.malformed == 0 else { return "malformed" }
        guard let found = scan.found.first else { return "none" }
        let identity = found.identity
        let severity = found.severity == .debug ? "DEBUG" : found.severity == .info ? "INFO" : "other"
        let time = found.instant.map { instant in
            let fraction = String(instant.nanoseconds)
            return "\(instant.seconds)." + String(repeating: "0", count: 9 - fraction.count) + fraction
        }
        return [
            identity.project, identity.region, identity.name, identity.generation.map { "\($0.rawValue)" } ?? "-",
            found.app.name, found.auth.name, "\(found.provenance)", severity, time ?? "-",
            scan.labels[identity]?.text ?? "-",
            found.fingerprint == nil ? "False" : "True",
        ].map { Python.hexadecimal($0.utf8) }.joined(separator: "|")
    }
}

/// Entries of which any part may be missing, twice there, of the wrong type, or spelled with escapes.
private enum OddEntry {
    static func text(using random: inout SeededGenerator) -> String {
        var members: [String] = []
        func add(_ key: String, _ probability: Double, _ value: (inout SeededGenerator) -> String) {
            while Double.random(in: 0..<1, using: &random) < probability {
                members.append(member(key, odd(value(&random), using: &random), using: &random))
                if Bool.random(using: &random) { break }
            }
        }
        add("labels", 0.8) {
            object([("firebase-log-type", 0.9, mark), ("goog-drz-cloudfunctions-id", 0.4, names)], &$0)
        }
        add("logging.googleapis.com/labels", 0.15) { object([("firebase-log-type", 0.9, mark)], &$0) }
        add("message", 0.1, message)
        add("verifications", 0.1, verifications)
        add("jsonPayload", 0.8) {
            object(
                [
                    ("message", 0.8, message), ("verifications", 0.9, verifications),
                    ("logging.googleapis.com/labels", 0.1, { object([("firebase-log-type", 0.9, mark)], &$0) }),
                ], &$0)
        }
        add("resource", 0.8) {
            object(
                [
                    (
                        "type", 0.8,
                        { one(["cloud_function", "cloud_run_revision", "cloud_run_revision", "gae_app"], &$0) }
                    ),
                    (
                        "labels", 0.9,
                        {
                            object(
                                ["project_id", "function_name", "region", "service_name", "location"].map {
                                    ($0, 0.6, names)
                                }, &$0)
                        }
                    ),
                ], &$0)
        }
        add("timestamp", 0.8, time)
        add("receiveTimestamp", 0.6, time)
        add("severity", 0.7) { one(["DEBUG", "INFO", "WARNING", "", "debug"], &$0) }
        add("insertId", 0.7) { one(["a", "b", "", "é"], &$0) }
        add("logName", 0.7) {
            one(
                [
                    "projects/p/logs/x", "projects/demo/logs/run.googleapis.com%2Fstderr", "projects//logs/x",
                    "folders/1/logs/x", "",
                ], &$0)
        }
        add("other", 0.2) { object([("labels", 0.5, mark), ("x", 0.5, names)], &$0) }
        return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }

    private static func one(_ texts: [String], _ random: inout SeededGenerator) -> String {
        string(texts.randomElement(using: &random) ?? "", using: &random)
    }

    private static func mark(_ random: inout SeededGenerator) -> String {
        let marker = "callable-request-verification"
        return one([marker, marker, marker, marker, "other", marker + "x"], &random)
    }

    private static func message(_ random: inout SeededGenerator) -> String {
        one(
            [
                "Callable request verification passed",
                "Callable request verification failed: Auth token was rejected.",
                "Callable request verification", "callable request verification passed", "text",
            ], &random)
    }

    private static func verifications(_ random: inout SeededGenerator) -> String {
        let status = { (random: inout SeededGenerator) in
            one(["VALID", "INVALID", "MISSING", "UNKNOWN", "valid", ""], &random)
        }
        return object([("app", 0.8, status), ("auth", 0.9, status), ("appCheck", 0.3, status)], &random)
    }

    private static func names(_ random: inout SeededGenerator) -> String {
        let long = [255, 256, 257].map { String(repeating: "n", count: $0) } + [String(repeating: "é", count: 128)]
        let rare = Int.random(in: 0..<20, using: &random) == 0
        return one(
            rare ? long : ["f", "addMessage", "add-message", "europe-west1", "-", "", "日本", "a\u{FFFD}"], &random)
    }

    private static func time(_ random: inout SeededGenerator) -> String {
        one(
            [
                "2026-10-14T12:00:00Z", "2026-10-14T12:00:00.123456789Z", "2026-10-14T13:00:00Z",
                "2026-10-14T13:00:00.5Z",
                "2026-10-14 12:00:00.25 UTC", "2026-10-14T14:00:00+02:00", "2026-10-14T14:00:01-00:30",
                "2026-13-14T12:00:00Z",
                "2026-10-14T12:00:00", "2026-10-14", "", "2024-02-29T00:00:00.1234567890123z", "2023-02-29T00:00:00Z",
            ], &random)
    }

    private typealias Member = (key: String, probability: Double, value: (inout SeededGenerator) -> String)

    private static func object(_ members: [Member], _ random: inout SeededGenerator) -> String {
        var texts: [String] = []
        for each in members {
            while Double.random(in: 0..<1, using: &random) < each.probability {
                texts.append(member(each.key, odd(each.value(&random), using: &random), using: &random))
                if Int.random(in: 0..<8, using: &random) > 0 { break }
            }
        }
        return "{" + texts.shuffled(using: &random).joined(separator: ",") + "}"
    }

    private static func member(_ key: String, _ value: String, using random: inout SeededGenerator) -> String {
        string(key, using: &random) + ":" + value
    }

    /// The value, or now and then something of another type.
    private static func odd(_ value: String, using random: inout SeededGenerator) -> String {
        guard Int.random(in: 0..<25, using: &random) == 0 else { return value }
        return ["null", "{}", "[]", "7", "true", #""text""#, #"["a",{"b":null}]"#, #""\ud800""#].randomElement(
            using: &random) ?? ""
    }

    /// The text in quotes, in one string of twenty with escapes.
    private static func string(_ text: String, using random: inout SeededGenerator) -> String {
        let isEscaped = Int.random(in: 0..<20, using: &random) == 0
        let characters = text.utf16.map { unit in
            guard isEscaped, Bool.random(using: &random) else { return String(decoding: [unit], as: UTF16.self) }
            let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(characters.joined())\""
    }
}
