import Foundation
import PolicyFile
import Readiness
import Testing
import Verifications

/// A settings file: every key, and every mistake.
@Suite struct SettingsTests {
    private func settings(_ text: String) throws(InvalidPolicy) -> SettingsDocument {
        try SettingsDocument(yaml: text)
    }

    private func message(_ text: String) -> String {
        do throws(InvalidPolicy) {
            _ = try settings(text)
            return "no mistake"
        } catch {
            return error.message(file: "c.yml")
        }
    }

    @Test func everyKeyIsRead() throws {
        let document = try settings(
            """
            project: my-app
            region: [us-central1, "europe-*"]
            function: [addMessage]
            store: history.db
            inventory: functions.json
            max-refused: 2%
            safe-nights: 3d
            format: json
            color: never
            fail-on: not-safe
            assume-complete: failures
            strict: true
            quiet: false
            no-progress: true
            jobs: 2
            max-functions: 10
            max-record-bytes: 16M
            retention: 30d
            policy: policy.yaml
            """)
        var values = SettingValues()
        values.project = [Glob("my-app")]
        values.region = [Glob("us-central1"), Glob("europe-*")]
        values.function = [Glob("addMessage")]
        (values.store, values.inventory, values.policy) = ("history.db", "functions.json", "policy.yaml")
        (values.maxRefused, values.safeNights, values.retention) = (0.02, 3, 30)
        (values.format, values.color, values.failOn, values.assumeComplete) = (.json, .never, .notSafe, .failures)
        (values.strict, values.quiet, values.noProgress) = (true, false, true)
        (values.jobs, values.maxFunctions, values.maxRecordBytes) = (2, 10, 16 << 20)
        #expect(document.values == values)
        #expect(document.policy == nil)
        #expect(document.lines[SettingKey[\.project]] == 1 && document.lines[SettingKey[\.policy]] == 19)
        #expect(document.lines.count == 19)
    }

    /// A policy file may be pasted into it as it is.
    @Test func thePolicyMayBeWrittenOut() throws {
        let policy = "policy:\n  max-refused: 1%\nfunctions:\n  - match: a\n    exempt: because\n"
        #expect(try settings(policy).policy == PolicyDocument(yaml: policy))
        #expect(try settings(policy).values == SettingValues())
    }

    @Test(arguments: ["", "# nothing yet\n", "---\n", "~"])
    func anEmptyFileSaysNothing(text: String) throws {
        #expect(try settings(text) == SettingsDocument(yaml: ""))
    }

    @Test(arguments: [
        (
            "stor: a.db",
            "c.yml:1:1: key `stor` is not known at the top level of a settings file; did you mean `store`?"
        ),
        ("color: red", "c.yml:1:8: `color`: must be one of auto, always, never"),
        ("assume-complete: yes", "c.yml:1:18: `assume-complete`: must be one of true, false, failures"),
        ("jobs: 0", "c.yml:1:7: `jobs`: must be a whole number of at least 1"),
        ("jobs: 99999999999999999999", "c.yml:1:7: `jobs`: must be a whole number of at least 1"),
        (
            "max-record-bytes: 4G",
            "c.yml:1:19: `max-record-bytes`: must be a number of bytes below 4G, such as 16M"
        ),
        ("retention: 0", "c.yml:1:12: `retention`: must be from 1 to 36500 days"),
        ("project: []", "c.yml:1:10: `project`: must not be empty, as it would match nothing"),
        (
            "function: [a, \"\"]",
            "c.yml:1:15: `function`: must not be empty, as it would match nothing"
        ),
        ("store:", "c.yml:1:7: `store` has no value; write one, or delete the key"),
        ("strict: \"true\"", "c.yml:1:9: `strict`: must be true or false, without quotes"),
        ("max-refused: 1", "c.yml:1:14: `max-refused`: a share needs % or a decimal point; write 1% or 0.01"),
        (
            "since: 2026-10-12",
            "c.yml:1:1: `since` does not belong at the top level of a settings file; "
                + "move it into an entry of `functions:`"
        ),
        (
            "functions: [{match: a}]\npolicy: p.yaml",
            "c.yml:2:9: `functions:` is next to `policy:`, which names a file; move the entries into that file"
        ),
        ("policy: {windw: 7d}", "c.yml:1:10: key `windw` is not known under `policy:`; did you mean `window`?"),
        ("[]", "c.yml:1:1: a settings file is a mapping, such as `store: history.db`; is it the right file?"),
    ])
    func aMistakeHasItsPlace(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test func everyKeyIsDocumented() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let page = try String(
            contentsOf: root.appending(path: "Sources/callcheck/Documentation.docc/reference.md"), encoding: .utf8)
        let table = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined()
        for key in PolicySection.settingsFile.keys {
            #expect(table.contains("`\(key.name)`"))
            if let variable = key.variable, !variable.contains("_SET_") { #expect(table.contains("`\(variable)`")) }
        }
    }

    /// What lets a gate pass more than usual, and nothing else, is looser.
    @Test func laxerValuesLoosenAGate() throws {
        let looser = [
            "max-refused": "2%", "confidence": "90%", "min-days": "6d", "window": "6d", "max-window": "29d",
            "safe-nights": "6d", "requires-auth": "true", "max-per-week": "1", "ignore-clients": "tool",
            "accept-platforms": "web", "assume-complete": "failures", "fail-on": "not-safe", "count-machines": "true",
            "quiet-days": "sun", "callers": "none", "dedupe": "false", "max-open": "10",
        ]
        for key in SettingKey.all {
            #expect((key.looser != nil) == (looser[key.name] != nil), "\(key.name)")
            if let text = looser[key.name] { #expect(key.loosens(try key.read(text)), "\(key.name)") }
            if let standard = key.defaultValue { #expect(!key.loosens(standard), "\(key.name)") }
        }
        #expect(!SettingKey[\.maxRefused].loosens(0.005))
        #expect(!SettingKey[\.confidence].loosens(0.99))
        #expect(!SettingKey[\.window].loosens(14))
    }

    @Test func everyKeySaysWhatToDo() {
        for key in PolicySection.settingsFile.keys where key != SettingKey[\.policy] {
            #expect(message("\(key.name): {}").contains("`\(key.name)"))
        }
    }

    /// If a policy file has a key of the settings, the message says where it belongs.
    @Test func aSettingInAPolicyIsSentHome() {
        do throws(InvalidPolicy) {
            _ = try PolicyDocument(yaml: "store: history.db")
            Issue.record("a policy took a store")
        } catch {
            #expect(
                error.message(file: "p.yaml") == """
                    p.yaml:1:1: `store` does not belong at the top level of a policy file; it is a setting; move it \
                    to the top level of callcheck.yml
                    """)
        }
    }
}
