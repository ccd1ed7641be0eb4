import Foundation
import TestSupport
import Testing

/// Every output gives the same answer about a function, and the commands below a table run as printed.
@Suite struct AgreementTests {
    private static let logs = [
        "cut-in-the-middle", "duplicated-by-two-sinks", "every-browser-refused", "four-weeks-one-project",
        "gap-in-the-export", "gen1-sdk3-info", "gen2-stderr-stopped", "gen2-stdout-only", "new-release-refused",
        "one-day-gcloud-read", "rollout-log-at-50", "severity-filtered-warnings-only",
    ].map { "\($0).json.gz" }

    private let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples")

    private func output(_ line: String) throws -> String {
        let outcome = try Shell(in: samples.standardizedFileURL).run(lines: line + " 2>/dev/null")
        #expect([0, 1, 2, 65].contains(outcome.status), "\(line): \(outcome.status)")
        return String(decoding: outcome.output, as: UTF8.self)
    }

    /// What JSON says of a function, to be found in everything else.
    private struct Answer {
        let name: String
        /// How a command selects it and no other.
        let arguments: String
        let verdict: String
        let isLockout: Bool
        let word: String

        init(_ object: [String: Any]) throws {
            func text(_ key: String) -> String { object[key] as? String ?? "" }
            name = text("function")
            let generation = object["generation"] as? Int
            arguments = [
                name, "--project \(text("project")) --region \(text("region"))",
                generation.map { "--set generation=\($0)" } ?? "",
            ].joined(separator: " ")
            let readiness = try #require(object["readiness"] as? [String: Any])
            verdict = try #require(readiness["verdict"] as? String)
            isLockout = readiness["lockout"] is [String: Any]
            let reasons = readiness["reasons"] as? [[String: Any]] ?? []
            let words = [
                "enforce": "ready", "wait": "not safe", "investigate": "bad tokens", "insufficient": "not enough data",
                "blind": "incomplete log", "superseded": "replaced",
            ]
            word =
                isLockout
                ? "refusing users"
                : reasons.first?["code"] as? String == "not-confirmed" ? "almost ready" : words[verdict] ?? verdict
        }
    }

    private func answers(_ input: String) throws -> [Answer] {
        let json = try JSONSerialization.jsonObject(with: Data(try output("callcheck -f json \(input)").utf8))
        let functions = try #require((json as? [String: Any])?["functions"] as? [[String: Any]])
        return try functions.map(Answer.init)
    }

    @Test(arguments: Tier.some(of: logs, every: 4) + ["--policy policy.yaml four-weeks-one-project.json.gz"])
    func everyOutputHasTheSameAnswer(input: String) throws {
        let answers = try answers(input)
        #expect(!answers.isEmpty)
        let rows = try output("callcheck -f csv \(input)").split(whereSeparator: \.isNewline).dropFirst()
        let metrics = try output("callcheck -f prometheus \(input)")
        let markdown = try output("callcheck -f markdown -v --limit all \(input)")
        let lockouts = metrics.split(separator: "\n").filter {
            $0.hasPrefix("callcheck_lockout{") && $0.hasSuffix(" 1.0")
        }
        #expect(rows.count == answers.count)
        #expect(lockouts.count == answers.count { $0.isLockout })
        for (row, answer) in zip(rows, answers) {
            #expect(row.contains(",\(answer.name),") && row.contains(",\(answer.verdict),"), "\(answer.name): \(row)")
            #expect(
                metrics.contains("function=\"\(answer.name)\""))
            #expect(
                markdown.split(separator: "\n").contains {
                    $0.contains(" \(answer.word) | `\(answer.name)`")
                }, "\(answer.name): \(answer.word)")
            let explanation = try output("callcheck explain \(answer.arguments) \(input)")
            let lines = explanation.split(separator: "\n")
            #expect(lines.count > 1 && lines[1].contains(answer.word), "\(answer.name): \(lines.prefix(2))")
            if answer.isLockout {
                #expect(explanation.contains("firebase deploy --only functions:"), "\(answer.name)")
            }
        }
    }

    /// A gate says of each function what the report says, and lets no lock-out pass, whatever it asks.
    @Test(arguments: Tier.some(of: logs, every: 4), ["unsure", "not-safe", "lockout"])
    func theGateFollowsTheAnswers(log: String, failOn: String) throws {
        let newest = try output("callcheck -f json \(log)").firstMatch(of: #/"asOf": "([^"]+)"/#)?.output.1 ?? ""
        let input = "--as-of \(newest) \(log)"
        let answers = try answers(input)
        let line = "callcheck check --fail-on \(failOn) \(input)"
        let status = try output("\(line) -f json >/dev/null; echo $?").trimmingCharacters(in: .whitespacesAndNewlines)
        let isLockout = answers.contains { $0.isLockout }
        let isUnsafe = answers.contains { ["wait", "investigate"].contains($0.verdict) }
        if isLockout || failOn != "lockout" && isUnsafe { #expect(["1", "65"].contains(status), "\(line)") }
        if status == "0" { #expect(!isLockout && (failOn == "lockout" || !isUnsafe)) }
        let tests = try output("\(line) -f junit").split(separator: "<testcase ").dropFirst()
        for answer in answers where answer.isLockout {
            #expect(tests.contains { $0.contains("name=\"\(answer.name)\"") && $0.contains("<failure") })
        }
        if status == "0" { #expect(!tests.contains { $0.contains("<failure") }) }
    }

    /// A switch at an unknown time stops every gate, and every output names it and asks for the time.
    @Test(arguments: ["unsure", "not-safe"]) func theGateNamesAnUnclearSwitch(failOn: String) throws {
        let directory = try TemporaryDirectory()
        let policy = try directory.write(
            Array("functions: [{match: scanReceipt, enforced: 2026-10-13}]".utf8), to: "policy.yaml")
        let line = """
            callcheck check --fail-on \(failOn) --set callers=none --as-of 2026-10-14 --policy \(policy) \
            --function scanReceipt --function addMessage four-weeks-one-project.json.gz
            """
        #expect(try output("\(line) >/dev/null; echo $?") == "2\n")
        for format in ["table", "markdown", "github"] {
            let text = try output("COLUMNS=200 \(line) -f \(format)")
            #expect(text.contains("time of the switch") && text.contains("enforced: 2026-10-13T09:00Z"), "\(text)")
        }
        let test = try output("\(line) -f junit").split(separator: "<testcase ").first {
            $0.contains("\"scanreceipt\"")
        }
        let message = "message=\"App Check on scanreceipt: enforced (time of 13 Oct unknown)\""
        #expect(test?.contains(message) == true, "\(test ?? "")")
    }

    /// Commands that a report prints to be typed are no mistakes of usage.
    @Test(arguments: logs) func everyPrintedCommandRuns(log: String) throws {
        let commands = try output("COLUMNS=200 callcheck -v --limit all \(log)").matches(of: #/Why:\s+(callcheck .*)/#)
            .map { $0.output.1.prefix { $0 != "·" } }
        #expect(!commands.isEmpty)
        for command in commands {
            let outcome = try Shell(in: samples.standardizedFileURL).run(lines: "\(command) >/dev/null 2>&1")
            #expect([0, 1, 2, 65].contains(outcome.status), "\(command): \(outcome.status)")
        }
    }
}
