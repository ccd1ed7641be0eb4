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
        var values = SettingValues()
        (values.maxRefused, values.confidence, values.maxPerWeek) = (0.005, 0.99, 1.05)
        (values.minDays, values.window, values.maxWindow, values.safeNights) = (14, 10, 40, 3)
        (values.requiresAuth, values.requireCallers) = (true, true)
        values.quietDays = QuietDays(
            weekdays: [5, 6], dates: Set([Day(year: 2026, month: 12, day: 25)].compactMap(\.self)))
        (values.ignoreClients, values.acceptPlatforms) = ([.iosSimulator, .tool], [.kind(.web)])
        #expect(document.values == values)
        let lines = [
            "max-refused": 2, "confidence": 3, "min-days": 4, "window": 5, "max-window": 6, "requires-auth": 7,
            "safe-nights": 8, "quiet-days": 9, "max-per-week": 10, "ignore-clients": 11, "accept-platforms": 12,
            "require-callers": 13,
        ]
        #expect(Dictionary(uniqueKeysWithValues: document.lines.map { ($0.name, $1) }) == lines)
        #expect(SettingKey[\.maxPerWeek].text(of: 1.05) == "1.05")
        #expect(SettingKey[\.maxPerWeek].text(of: 2.0) == "2")
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
            #expect(try PolicyDocument(yaml: yaml).entries.first?.settings.enforced == wanted)
        }
        var entry = PolicyEntry(match: Glob("admin_*"), line: 2)
        entry.settings.project = [Glob("shop-*")]
        entry.settings.region = [Glob("europe-west?")]
        entry.settings.exempt = "because"
        entry.settings.enforced = Day(year: 2026, month: 10, day: 20).map { .date($0) }
        entry.settings.since = Day(year: 2026, month: 10, day: 12)
        entry.settings.until = Day(year: 2027, month: 1, day: 31)
        (entry.settings.maxRefused, entry.settings.confidence, entry.settings.maxPerWeek) = (0.02, 0.9, 0.5)
        (entry.settings.minDays, entry.settings.window, entry.settings.maxWindow) = (3, 14, 56)
        entry.settings.requiresAuth = false
        entry.settings.acceptPlatforms = ["web/firefox", "com.example.old"].compactMap { PlatformName($0) }
        #expect(document == PolicyDocument(entries: [entry]))
    }

    @Test(arguments: PolicySection.entry.keys.filter { !["match", "project", "region"].contains($0.name) })
    func untilMayStandBesideEveryOtherKey(key: SettingKey) throws {
        let line = key == SettingKey[\.until] ? "" : "  \(key.name): \(key.exampleInFile)\n"
        let document = try PolicyDocument(yaml: "functions:\n- match: a\n\(line)  until: 2027-01-31\n")
        #expect(document.entries.map(\.settings.until) == [Day(year: 2027, month: 1, day: 31)])
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
        #expect(document.values.window == 9)
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
            document.entries.map(\.settings.exempt) == [
                #"*: see https://example.com/a*b & "c""#, "called by * of ours",
            ])
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
