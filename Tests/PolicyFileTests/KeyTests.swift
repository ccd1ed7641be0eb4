import Readiness
import Testing
import Verifications

@testable import PolicyFile

/// Every key, where it is allowed.
@Suite struct KeyTests {
    @Test func thePolicyHasAllNumbers() throws {
        let document = try PolicyDocument(
            yaml: """
                policy:
                  max-refused: 0.5%
                  confidence: 0.99
                  min-days: 14d
                  window: 10
                  max-window: 40d
                  requires-auth: true
                  safe-nights: 3
                  quiet-days: [sat, "sun", 2026-12-25]
                  max-per-week: 1.05
                  ignore-clients: [iosSimulator, tool]
                  accept-platforms: web
                  require-callers: true
                """)
        let values: [SettingKey: SettingValue] = [
            .maxRefused: .number(0.005), .confidence: .number(0.99), .minDays: .count(14), .window: .count(10),
            .maxWindow: .count(40), .requiresAuth: .flag(true), .safeNights: .count(3),
            .quietDays: .texts(["sat", "sun", "2026-12-25"]),
            .maxPerWeek: .number(1.05), .ignoreClients: .texts(["iosSimulator", "tool"]),
            .acceptPlatforms: .texts(["web"]),
            .requireCallers: .flag(true),
        ]
        let lines: [SettingKey: Int] = [
            .maxRefused: 2, .confidence: 3, .minDays: 4, .window: 5, .maxWindow: 6, .requiresAuth: 7, .safeNights: 8,
            .quietDays: 9, .maxPerWeek: 10, .ignoreClients: 11, .acceptPlatforms: 12, .requireCallers: 13,
        ]
        #expect(document == PolicyDocument(values: values, lines: lines))
        #expect(SettingKey.maxPerWeek.text(of: .number(1.05)) == "1.05")
        #expect(SettingKey.maxPerWeek.text(of: .number(2)) == "2")
    }

    @Test func anEntryHasAllOfThemToo() throws {
        let document = try PolicyDocument(
            yaml: """
                functions:
                - match: "admin_*"
                  project: "shop-*"
                  region: europe-west?
                  exempt: because
                  enforced: 2026-10-20
                  since: 2026-10-12
                  until: 2027-01-31
                  max-refused: 2%
                  confidence: 90%
                  min-days: 3
                  window: 14d
                  max-window: 56d
                  requires-auth: false
                  max-per-week: 0.5
                  accept-platforms: [web/firefox, com.example.old]
                """)
        for (text, time) in [
            ("2026-10-20T09:00Z", "2026-10-20T09:00:00Z"), ("2026-10-20T11:00+02:00", "2026-10-20T09:00:00Z"),
            ("2026-10-20T09:00:00.5Z", "2026-10-20T09:00:00.5Z"),
        ] {
            let yaml = "functions:\n  - {match: f, enforced: \(text)}\n"
            let wanted = Instant(timestamp: time).map { EnforcementTime.instant($0) }
            #expect(try PolicyDocument(yaml: yaml).entries.first?.enforced == wanted)
        }
        var entry = PolicyEntry(match: Glob("admin_*"), line: 2)
        entry.project = Glob("shop-*")
        entry.region = Glob("europe-west?")
        entry.exempt = "because"
        entry.enforced = Day(year: 2026, month: 10, day: 20).map { .date($0) }
        entry.since = Day(year: 2026, month: 10, day: 12)
        entry.until = Day(year: 2027, month: 1, day: 31)
        entry.settings[.maxRefused] = .number(0.02)
        entry.settings[.confidence] = .number(0.9)
        entry.settings[.minDays] = .count(3)
        entry.settings[.window] = .count(14)
        entry.settings[.maxWindow] = .count(56)
        entry.settings[.requiresAuth] = .flag(false)
        entry.settings[.maxPerWeek] = .number(0.5)
        entry.settings[.acceptPlatforms] = .texts(["web/firefox", "com.example.old"])
        #expect(document == PolicyDocument(entries: [entry]))
    }

    @Test(arguments: PolicySection.entry.keys.filter { ![.match, .project, .region].contains($0) })
    func untilMayStandBesideEveryOtherKey(key: SettingKey) throws {
        let values: [SettingKey: String] = [
            .exempt: "because", .enforced: "2026-10-20", .since: "2026-10-12", .requiresAuth: "true",
            .maxRefused: "2%", .confidence: "90%", .minDays: "3", .window: "14d", .maxWindow: "56d",
            .maxPerWeek: "2", .acceptPlatforms: "[web]", .owner: "payments team",
        ]
        let line = key == .until ? "" : "  \(key.name): \(try #require(values[key]))\n"
        let document = try PolicyDocument(yaml: "functions:\n- match: a\n\(line)  until: 2027-01-31\n")
        #expect(document.entries.map(\.until) == [Day(year: 2027, month: 1, day: 31)])
        #expect(document.entries.first?.isExpired(on: Day(number: 30_000)) == true)
    }

    @Test func whatIsNotSaidIsNil() throws {
        let document = try PolicyDocument(yaml: "functions:\n  - match: addMessage\n")
        #expect(document == PolicyDocument(entries: [PolicyEntry(match: Glob("addMessage"), line: 2)]))
    }

    @Test(arguments: ["policy: {}", "functions: []", "{}", "---\npolicy: {}\n...\n"])
    func aPolicyMaySayNothingInSoManyWords(text: String) throws {
        #expect(try PolicyDocument(yaml: text) == PolicyDocument())
    }

    @Test(arguments: [
        "policy: {window: 9d}\nfunctions: [{match: \"*a\"}]",
        "\"policy\": {'window': \"9d\"}\nfunctions: [{match: '*a'}]",
        "{\"policy\": {\"window\": \"9d\"}, \"functions\":\n[{\"match\": \"*a\"}]}",
        "functions:\r\n- match: >-\r\n    *a\r\npolicy:\r\n  window: 9\r\n",
        "\u{FEFF}policy:\r  window: 9\rfunctions:\r  - {match: \"\\x2aa\"}\r",
    ])
    func blocksFlowsQuotesAndLineEndingsAreAllTheSame(text: String) throws {
        let document = try PolicyDocument(yaml: text)
        #expect(document.values[.window] == .count(9))
        #expect(document.entries.map(\.match.pattern) == ["*a"])
        #expect(document.entries.map(\.line) == [text.hasPrefix("\u{FEFF}") ? 4 : 2])
    }

    @Test func textKeepsItsStarsAndItsColons() throws {
        let document = try PolicyDocument(
            yaml: """
                functions:
                  - match: admin*
                    exempt: "*: see https://example.com/a*b & \\"c\\""
                  - {match: '*', exempt: called by * of ours}
                """)
        #expect(document.entries.map(\.match.pattern) == ["admin*", "*"])
        #expect(
            document.entries.map(\.exempt) == [#"*: see https://example.com/a*b & "c""#, "called by * of ours"])
    }

    @Test func linesAreThoseOfTheEntries() throws {
        let document = try PolicyDocument(
            yaml: """
                # one
                functions:

                  - match: a
                    exempt: >
                      several
                      lines
                  -
                    # between
                    match: b
                  - {exempt: c,
                     match: c}
                """)
        #expect(document.entries.map(\.line) == [4, 10, 11])
    }
}
