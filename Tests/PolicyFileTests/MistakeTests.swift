import Readiness
import Testing

@testable import PolicyFile

/// What is wrong in a file, and where.
@Suite struct MistakeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let mistakes: [PolicyMistake.Kind]
        let places: [[Int]]

        init(_ text: String, _ kind: PolicyMistake.Kind, _ line: Int, _ column: Int) {
            self.init(text, [(kind, line, column)])
        }

        init(_ text: String, _ mistakes: [(PolicyMistake.Kind, Int, Int)]) {
            self.text = text
            self.mistakes = mistakes.map(\.0)
            places = mistakes.map { [$0.1, $0.2] }
        }

        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Case("", .empty, 1, 1),
        Case("\u{FEFF}", .empty, 1, 1),
        Case("# only a comment\n", .empty, 1, 1),
        Case("---\n", .empty, 1, 1),
        Case("null", .empty, 1, 1),
        Case("policy: {}\n---\npolicy: {}\n", .secondDocument, 3, 1),
        Case("policy:\n\twindow: 7d\n", .tab, 2, 1),
        Case("policy:\n  window: 7d\n \tmax-window: 28d\n", .tab, 3, 2),
        Case("policy: {}\r\n\u{1B}[31m", .character(0x1B), 2, 1),
        Case("policy:\r  window: \u{7F}", .character(0x7F), 2, 11),
        Case("policy: {}\nfunctions: [\u{0}]", .character(0), 2, 13),
        Case("policy: {} # \u{E000}", .character(0xE000), 1, 14),
        Case("policy: {}\n\u{FEFF}functions: []", .character(0xFEFF), 2, 1),
        Case("functions:\n  - match: &a addMessage\n", .anchor, 2, 12),
        Case("policy: &a {window: 7d}\n", .anchor, 1, 9),
        Case("&a policy: {window: 7d}\n", .anchor, 1, 1),
        Case("functions: &a\n  - match: b\n", .anchor, 1, 12),
        Case("functions:\n  - match: *Admin\n", .bareStar, 2, 12),
        Case("functions:\n  - match: *\n", .bareStar, 2, 12),
        Case("functions: [*a]\n", .bareStar, 1, 13),
        Case("functions:\n  - <<: *base\n    match: a\n", .bareStar, 2, 9),
        Case("*a : 1\n", .bareStar, 1, 1),
        Case("policy:\n  window: !!int 7\n", .tag, 2, 11),
        Case("functions: !list []\n", .tag, 1, 12),
        Case("policy: !!binary aGk=\n", .tag, 1, 9),
    ])
    func whatIsNoPlainYAML(example: Case) { check(example) }

    @Test(arguments: [
        Case("addMessage\n", .notAMapping(.file), 1, 1),
        Case("- match: addMessage\n", .notAMapping(.file), 1, 1),
        Case("\npolicy: 7d\n", .notAMapping(.policy), 2, 9),
        Case("policy:\n  - window: 7d\n", .notAMapping(.policy), 2, 3),
        Case("policy:\nfunctions: []\n", .notAMapping(.policy), 1, 8),
        Case("functions:\n  match: addMessage\n", .notAList, 2, 3),
        Case("functions: addMessage\n", .notAList, 1, 12),
        Case("functions:\n  - addMessage\n", .notAMapping(.entry), 2, 5),
        Case("functions:\n  - match: a\n  -\n", .notAMapping(.entry), 3, 4),
        Case("functions:\n  - - match: a\n", .notAMapping(.entry), 2, 5),
        Case("functions:\n  - exempt: because\n", .noMatch, 2, 5),
        Case("functions:\n  - {}\n", .noMatch, 2, 5),
    ])
    func whatHasTheWrongShape(example: Case) { check(example) }

    @Test(arguments: [
        Case("polcy: {}\n", .unknownKey("polcy", section: .file), 1, 1),
        Case("functions: []\nfunction: []\n", .unknownKey("function", section: .file), 2, 1),
        Case(
            "policy:\n  maxRefused: 1%\n",
            .unknownKey("maxRefused", section: .policy), 2, 3),
        Case("policy: {colour: red}\n", .unknownKey("colour", section: .policy), 1, 10),
        Case(
            "functions:\n  - match: a\n    exmept: b\n",
            .unknownKey("exmept", section: .entry), 3, 5),
        Case(
            "functions:\n  - match: a\n    requires_auth: true\n",
            .unknownKey("requires_auth", section: .entry), 3, 5),
        Case("Policy: {}\n", .unknownKey("Policy", section: .file), 1, 1),
        Case("? [policy]\n: {}\n", .unknownKey("", section: .file), 1, 3),
        Case("policy:\n  exempt: because\n", .misplacedKey(SettingKey[\.exempt], section: .policy), 2, 3),
        Case("policy:\n  since: 2026-10-01\n", .misplacedKey(SettingKey[\.since], section: .policy), 2, 3),
        Case("max-refused: 1%\n", .misplacedKey(SettingKey[\.maxRefused], section: .file), 1, 1),
        Case("match: addMessage\n", .misplacedKey(SettingKey[\.match], section: .file), 1, 1),
        Case("functions:\n  - match: a\n    policy: {}\n", .misplacedKey(SettingKey[\.policy], section: .entry), 3, 5),
        Case("policy: {}\npolicy: {}\n", .duplicateKey("policy"), 1, 1),
        Case("policy:\n  window: 7d\n  'window': 7d\n", .duplicateKey("window"), 2, 3),
        Case("functions:\n  - match: a\n    match: b\n", .duplicateKey("match"), 2, 5),
        Case("functions:\n  - {match: a, \"*\": b, \"*\": c}\n", .duplicateKey("*"), 2, 16),
    ])
    func whatHasTheWrongKeys(example: Case) { check(example) }

    @Test(arguments: [
        Case("policy: {max-refused: 1}\n", .value(SettingKey[\.maxRefused], .noUnit(digits: "1")), 1, 23),
        Case("policy: {max-refused: \"1\"}\n", .value(SettingKey[\.maxRefused], .noUnit(digits: "1")), 1, 23),
        Case("policy: {max-refused: one}\n", .value(SettingKey[\.maxRefused], .notAShare), 1, 23),
        Case("policy:\n  max-refused:\n    100%\n", .value(SettingKey[\.maxRefused], .shareOutOfRange(1e-9..<1)), 3, 5),
        Case("policy: {confidence: 95}\n", .value(SettingKey[\.confidence], .noUnit(digits: "95")), 1, 22),
        Case("policy: {confidence: 5%}\n", .value(SettingKey[\.confidence], .shareOutOfRange(0.5..<1)), 1, 22),
        Case("policy: {min-days: week}\n", .value(SettingKey[\.minDays], .notANumberOfDays), 1, 20),
        Case("policy: {window: 1x}\n", .value(SettingKey[\.window], .notANumberOfDays), 1, 18),
        Case("policy: {window: 0d}\n", .value(SettingKey[\.window], .daysOutOfRange(1...3650)), 1, 18),
        Case("policy: {max-window: 9999d}\n", .value(SettingKey[\.maxWindow], .daysOutOfRange(1...3650)), 1, 22),
        Case("policy: {safe-nights: 0}\n", .value(SettingKey[\.safeNights], .daysOutOfRange(1...3650)), 1, 23),
        Case("policy: {safe-nights: never}\n", .value(SettingKey[\.safeNights], .notANumberOfDays), 1, 23),
        Case(
            "functions:\n  - match: a\n    safe-nights: 1\n", .misplacedKey(SettingKey[\.safeNights], section: .entry),
            3, 5),
        Case("policy: {requires-auth: yes}\n", .value(SettingKey[\.requiresAuth], .notABoolean), 1, 25),
        Case("policy: {requires-auth: 'true'}\n", .value(SettingKey[\.requiresAuth], .notABoolean), 1, 25),
        Case("policy: {window: }\n", .noValue(SettingKey[\.window]), 1, 18),
        Case("policy: {window: ~}\n", .noValue(SettingKey[\.window]), 1, 18),
        Case("policy: {window: [7d]}\n", .notAScalar(SettingKey[\.window]), 1, 18),
        Case("policy:\n  max-refused:\n    below: 1%\n", .notAScalar(SettingKey[\.maxRefused]), 3, 5),
        Case("functions:\n  - {match: [a, b]}\n", .notAScalar(SettingKey[\.match]), 2, 13),
        Case("functions:\n  - match: ''\n", .value(SettingKey[\.match], .emptyGlob), 2, 12),
        Case("functions:\n  - match: '  '\n", .value(SettingKey[\.match], .emptyGlob), 2, 12),
        Case("functions:\n  - match:\n", .noValue(SettingKey[\.match]), 2, 11),
        Case("functions:\n  - match: a\n    region: \"\"\n", .value(SettingKey[\.region], .emptyGlob), 3, 13),
        Case("functions:\n  - match: a\n    exempt: true\n", .value(SettingKey[\.exempt], .noReason), 3, 13),
        Case("functions:\n  - match: a\n    exempt: ' '\n", .value(SettingKey[\.exempt], .noReason), 3, 13),
        Case("functions:\n  - match: a\n    exempt:\n", .noValue(SettingKey[\.exempt]), 3, 12),

        Case("policy: {quiet-days: [sat, saturday]}\n", .value(SettingKey[\.quietDays], .notAQuietDay), 1, 28),
        Case(
            "functions:\n  - match: a\n    quiet-days: [sat]\n",
            .misplacedKey(SettingKey[\.quietDays], section: .entry), 3, 5),
        Case("functions:\n  - match: a\n    since: 2026-02-30\n", .value(SettingKey[\.since], .notADate), 3, 12),
        Case(
            "functions:\n  - match: a\n    enforced: 2026-10-20T09:00\n", .value(SettingKey[\.enforced], .notATime), 3,
            15),
        Case("functions:\n  - match: a\n    enforced: true\n", .value(SettingKey[\.enforced], .notATime), 3, 15),
        Case("functions:\n  - match: a\n    until: tomorrow\n", .value(SettingKey[\.until], .notADate), 3, 12),
    ])
    func whatHasTheWrongValues(example: Case) { check(example) }

    @Test func everyMistakeIsFoundInTheOrderOfLines() {
        check(
            Case(
                """
                policy: {max-refused: 1, windw: 7d}
                functions:
                  - exempt: true
                    region: ""
                  - match: b
                    until: soon
                """,
                [
                    (.value(SettingKey[\.maxRefused], .noUnit(digits: "1")), 1, 23),
                    (.unknownKey("windw", section: .policy), 1, 26), (.noMatch, 3, 5),
                    (.value(SettingKey[\.exempt], .noReason), 3, 13), (.value(SettingKey[\.region], .emptyGlob), 4, 13),
                    (.value(SettingKey[\.until], .notADate), 6, 12),
                ]))
    }

    @Test(arguments: [
        ("functions:\n  - match: a\n    exempt: one: two\n", 3), ("functions:\n  - match: \"a\n", 3),
        ("policy: {window: 7d\nfunctions: []\n", 2), ("policy:\n  window: 7d\n max-window: 9d\n", 3),
        ("policy: @home\n", 1), ("%YAML 3.0\n---\npolicy: {}\n", 1), ("policy: \"\\uD800\"\n", 1),
    ])
    func whatIsNoYAMLIsToldWithItsLine(text: String, line: Int) throws {
        let error = #expect(throws: InvalidPolicy.self) { try PolicyDocument(yaml: text) }
        let mistake = try #require(error?.mistakes.first)
        guard case .syntax(let words) = mistake.kind else {
            Issue.record("\(mistake.kind) instead of a mistake of syntax")
            return
        }
        #expect(!words.isEmpty)
        #expect(mistake.place.line == line)
        #expect(error?.mistakes.count == 1)
    }

    @Test(arguments: [
        "policy: {window: 28d}\nfunctions: [{match: a, max-window: 14d}]",
        "policy: {max-window: 14d}\nfunctions: [{match: a, window: 28d}]", "policy: {window: 60d}",
    ])
    func windowsOfDifferentPlacesAreNotCompared(text: String) throws {
        #expect(try PolicyDocument(yaml: text) != PolicyDocument())
    }

    private func check(_ example: Case) {
        let error = #expect(throws: InvalidPolicy.self) { try PolicyDocument(yaml: example.text) }
        #expect(error?.mistakes.map(\.kind) == example.mistakes)
        #expect(error?.mistakes.map { [$0.place.line, $0.place.column] } == example.places)
    }
}
