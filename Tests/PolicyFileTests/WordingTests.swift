import PolicyFile
import Readiness
import Testing
import Verifications

/// What people read: where, what, why, and what to do.
@Suite struct WordingTests {
    @Test(arguments: [
        (
            "policy: {max-refused: 1}",
            "p.yaml:1:23: `max-refused`: a share needs % or a decimal point; write 1% or 0.01"
        ),
        ("policy: {windw: 7d}", "p.yaml:1:10: key `windw` is not known under `policy:`; did you mean `window`?"),
        (
            "colour: red",
            "p.yaml:1:1: key `colour` is not known at the top level of a policy file; "
                + "the keys there are `policy`, `functions`"
        ),
        (
            "since: 2026-10-12",
            "p.yaml:1:1: `since` does not belong at the top level of a policy file; "
                + "move it into an entry of `functions:`"
        ),
        (
            "policy: {}\npolicy: {}",
            "p.yaml:1:1: key `policy` appears twice in this mapping; keep one of them"
        ),
        (
            "functions: [{match: a, until: 2026-02-30}]",
            "p.yaml:1:31: `until`: not a calendar date; write 2026-10-20"
        ),
        (
            "functions:\n  - match: *Admin",
            "p.yaml:2:12: quote a value that begins with *, such as \"*Admin\"; aliases are not allowed"
        ),
        ("policy:\n\twindow: 7d", "p.yaml:2:1: a tab; YAML is indented with spaces"),
    ])
    func oneMistakeIsOneLine(text: String, message: String) {
        #expect(self.message(text) == message)
    }

    @Test(arguments: [
        ("polcy: {}", "policy"), ("functions: []\nfunction: []", "functions"), ("Policy: {}", "policy"),
        ("policy: {maxRefused: 1%}", "max-refused"), ("functions: [{match: a, exmept: b}]", "exempt"),
        ("functions: [{match: a, requires_auth: true}]", "requires-auth"),
    ])
    func mistypedKeys(text: String, meant: String) { #expect(message(text).hasSuffix("did you mean `\(meant)`?")) }

    @Test func severalMistakesStandOnLinesOfTheirOwn() {
        #expect(
            message("policy: {windw: 7d}\nfunctions: [{}]")
                == """
                p.yaml has 2 mistakes:
                p.yaml:1:10: key `windw` is not known under `policy:`; did you mean `window`?
                p.yaml:2:13: the entry does not say which functions it applies to; write match: "admin*"
                """)
    }

    @Test func manyMistakesAreNotAllShown() {
        let lines = message("functions:\n" + String(repeating: "- {}\n", count: 50)).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.first == "p.yaml has 50 mistakes, the first of which are:")
        #expect(lines.last?.hasPrefix("p.yaml:11:3: ") == true)
    }

    @Test func everyKindSaysWhatToDo() throws {
        let numbers: [SettingFault] = [
            .noUnit(digits: "1"), .notAShare, .shareOutOfRange(1e-9..<1), .shareOutOfRange(0.5..<1),
            .notANumberOfDays, .daysOutOfRange(0...3650),
        ]
        #expect(Set(numbers.map(\.description)).count == numbers.count)
        #expect(SettingFault.daysOutOfRange(0...3650).description == "must be from 0 to 3650 days")
        #expect(SettingFault.daysOutOfRange(1...3650).description == "must be from 1 to 3650 days")
        for key in PolicySection.entry.keys + PolicySection.file.keys {
            #expect(message("functions: [{match: a, \(key.name): {}}]").contains("`\(key.name)`"))
        }
    }

    @Test func anExpiredEntryIsShownWithItsLine() throws {
        let document = try PolicyDocument(yaml: "functions:\n\n  - match: a\n    until: 2027-01-31\n  - match: b\n")
        let rules = PolicyRules(entries: document.entries)
        let day = try #require(Day(iso8601: "2027-02-01"))
        #expect(
            rules.expired(on: day).compactMap { $0.expiry(file: "p.yaml") } == [
                "p.yaml:3: this entry expired on 2027-01-31; if its reason still holds, set a later day, "
                    + "otherwise delete the entry"
            ])
        #expect(rules.expired(on: day.advanced(by: -1)).isEmpty)
        #expect(document.entries.last?.expiry(file: "p.yaml") == nil)
    }

    private func message(_ text: String) -> String {
        do throws(InvalidPolicy) {
            _ = try PolicyDocument(yaml: text)
            return "no mistake"
        } catch {
            return error.message(file: "p.yaml")
        }
    }
}
