import Readiness
import Testing
import Verifications

/// Entries of a policy: which functions they match, and which of several wins.
@Suite struct PolicyRulesTests {
    private func entry(
        _ pattern: String, line: Int = 1, _ change: (inout PolicyEntry) -> Void = { _ in }
    ) -> PolicyEntry {
        var entry = PolicyEntry(match: Glob(pattern), line: line)
        change(&entry)
        return entry
    }

    private let identity = FunctionIdentity(
        project: "demo", region: "europe-west1", name: "admin-deleteuser", generation: .second)

    @Test(arguments: [
        ("addMessage", "addMessage", true), ("addmessage", "addMessage", true), ("ADD_MESSAGE", "add-message", true),
        ("add*", "addMessage", true), ("*Message", "addMessage", true), ("*", "", true), ("", "", true),
        ("", "a", false), ("add", "addMessage", false), ("Message", "addMessage", false), ("a??M*", "addMessage", true),
        ("a?M*", "addMessage", false), ("?", "", false), ("*a*b*c", "xxaxbxbxc", true), ("*a*b*c", "xxaxbxbx", false),
        ("a*b", "aXbXb", true), ("**", "anything", true), ("[ab]", "a", false), ("gr?ße", "GRÖßE", true),
    ])
    func globs(pattern: String, name: String, matches: Bool) {
        #expect(Glob(pattern).matches(name) == matches)
    }

    @Test func matchTheShownNameOrTheServiceName() {
        let entries = ["adminDeleteUser", "admin_deleteuser", "admin?Delete*", "deleteUser"].map { entry($0) }
        #expect(entries.map { $0.covers(identity, shownAs: "adminDeleteUser") } == [true, true, true, false])
        #expect(entries.map { $0.covers(identity, shownAs: "admin-deleteuser") } == [false, true, true, false])
    }

    @Test func regionsAreGlobsToo() {
        let entries = ["europe-*", "us-*", "EUROPE_WEST1"].map { region in
            entry("*") { $0.settings.region = [Glob(region)] }
        }
        #expect(entries.map { $0.covers(identity, shownAs: "x") } == [true, false, true])
    }

    @Test func projectsAreGlobsToo() {
        let entries = [("d?mo", nil), ("shop-prod", nil), ("demo", "us-*"), (nil, "europe-*")].map { project, region in
            entry("*") {
                ($0.settings.project, $0.settings.region) = (project.map { [Glob($0)] }, region.map { [Glob($0)] })
            }
        }
        #expect(entries.map { $0.covers(identity, shownAs: "x") } == [true, false, false, true])
    }

    @Test func laterEntriesWinAndLeaveTheRest() {
        var numbers = VerdictPolicy()
        numbers.maxBlocked = 0.05
        numbers.minDays = 3
        let rules = PolicyRules(
            numbers: numbers,
            entries: [
                entry("*", line: 2) {
                    ($0.settings.maxRefused, $0.settings.window, $0.settings.requiresAuth) = (0.02, 14, true)
                },
                entry("other", line: 5) { $0.settings.maxRefused = 0.5 },
                entry("admin*", line: 7) {
                    ($0.settings.maxRefused, $0.settings.requiresAuth, $0.settings.exempt) = (
                        0.03, false, "always reachable"
                    )
                },
            ])
        let policy = rules.policy(for: identity, shownAs: "adminDeleteUser", on: day("2026-10-14"))
        #expect(policy.numbers.maxBlocked == 0.03)
        #expect(policy.numbers.window == 14)
        #expect(policy.numbers.minDays == 3)
        #expect(policy.numbers.confidence == 0.95)
        #expect(policy.numbers.requiresAuth == false)
        #expect(policy.exempt == "always reachable")
        #expect(policy.lines == [2, 7])
    }

    /// What a policy shows of a setting is what was assigned to it, in the words that `--set` takes.
    @Test(arguments: SettingKey.all.filter(\.isNumber))
    func everyNumberIsReadAndShown(key: SettingKey) throws {
        var values = SettingValues()
        values[key] = try key.read(key.example)
        var policy = VerdictPolicy()
        policy.apply(values)
        #expect(key.value(in: policy).map(key.text) == values[key].map(key.text))
        #expect(key.value(in: VerdictPolicy()).map(key.text) == key.defaultValue.map(key.text))
    }

    /// `--set`, an option and a file have one parser: an example of each setting is one that it takes.
    @Test(arguments: SettingKey.all.filter(\.isSettable))
    func everyExampleCanBeSet(key: SettingKey) throws {
        for value in [try key.read(key.example), key.defaultValue].compactMap(\.self) where key.text(of: value) != "" {
            #expect(try AnyHashable(key.read(key.text(of: value))) == AnyHashable(value))
        }
    }

    @Test func everySettingIsTakenOver() {
        var policy = VerdictPolicy()
        var values = SettingValues()
        (values.maxRefused, values.confidence, values.requiresAuth) = (0.2, 0.9, true)
        (values.minDays, values.window, values.maxWindow) = (2, 3, 9)
        policy.apply(values)
        #expect(policy.maxBlocked == 0.2)
        #expect(policy.confidence == 0.9)
        #expect(policy.minDays == 2)
        #expect(policy.window == 3)
        #expect(policy.maxWindow == 9)
        #expect(policy.requiresAuth)
        var unchanged = policy
        unchanged.apply(SettingValues())
        #expect(unchanged == policy)
    }

    /// `until` is the last day on which an entry holds.
    @Test func expiry() {
        let rules = PolicyRules(entries: [
            entry("admin*", line: 3) {
                $0.settings.exempt = "for now"
                $0.settings.until = day("2026-10-13")
            },
            entry("admin*", line: 9),
        ])
        #expect(rules.policy(for: identity, shownAs: "x", on: day("2026-10-13")).exempt == "for now")
        #expect(rules.policy(for: identity, shownAs: "x", on: day("2026-10-14")).exempt == nil)
        #expect(rules.policy(for: identity, shownAs: "x", on: nil).exempt == "for now")
        #expect(rules.expired(on: day("2026-10-13")).isEmpty)
        #expect(rules.expired(on: day("2026-10-14")).map(\.line) == [3])
    }

    @Test func theLaterSinceCounts() {
        var rules = PolicyRules(
            since: day("2026-10-05"), entries: [entry("*") { $0.settings.since = day("2026-10-01") }])
        #expect(rules.policy(for: identity, shownAs: "x", on: nil).since == day("2026-10-05"))
        rules.since = day("2026-09-05")
        #expect(rules.policy(for: identity, shownAs: "x", on: nil).since == day("2026-10-01"))
        rules.entries = []
        #expect(rules.policy(for: identity, shownAs: "x", on: nil).since == day("2026-09-05"))
    }
}
