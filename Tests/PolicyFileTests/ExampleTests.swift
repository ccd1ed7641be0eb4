import Foundation
import PolicyFile
import Readiness
import Testing
import Verifications

/// Policies as they are documented.
@Suite struct ExampleTests {
    /// The policy file of the verdict's specification, word for word.
    private static let specified = """
        policy: {max-refused: 1%, confidence: 95%, min-days: 7, window: 7d, max-window: 28d, safe-nights: 7}
        functions:
          - match: logAppError            # glob; optional region: and project:
            exempt: the error channel must work when App Check is down
            until: 2027-01-31             # any entry may expire; past it `check` fails with 64 and names file and line
          - match: "admin*"
            requires-auth: true
          - match: addMessage
            enforced: 2026-10-20
          - match: scanReceipt
            since: 2026-10-12             # a fix went out: earlier days are of another system
            max-refused: 2%

        """

    @Test func theSpecifiedExampleIsReadAsItIsMeant() throws {
        let document = try PolicyDocument(yaml: ExampleTests.specified)

        var values = SettingValues()
        (values.maxRefused, values.confidence, values.minDays) = (0.01, 0.95, 7)
        (values.window, values.maxWindow, values.safeNights) = (7, 28, 7)
        #expect(document.values == values)

        var logAppError = PolicyEntry(match: Glob("logAppError"), line: 3)
        logAppError.settings.exempt = "the error channel must work when App Check is down"
        logAppError.settings.until = Day(year: 2027, month: 1, day: 31)
        var admin = PolicyEntry(match: Glob("admin*"), line: 6)
        admin.settings.requiresAuth = true
        var addMessage = PolicyEntry(match: Glob("addMessage"), line: 8)
        addMessage.settings.enforced = Day(year: 2026, month: 10, day: 20).map { .date($0) }
        var scanReceipt = PolicyEntry(match: Glob("scanReceipt"), line: 10)
        scanReceipt.settings.since = Day(year: 2026, month: 10, day: 12)
        scanReceipt.settings.maxRefused = 0.02
        #expect(document.entries == [logAppError, admin, addMessage, scanReceipt])
    }

    @Test func theSpecifiedExampleReachesTheFunctionsItNames() throws {
        let document = try PolicyDocument(yaml: ExampleTests.specified)
        var numbers = VerdictPolicy()
        numbers.apply(document.values)
        let rules = PolicyRules(numbers: numbers, entries: document.entries)
        func policy(_ name: String, on day: String) -> FunctionPolicy {
            let identity = FunctionIdentity(
                project: "demo-prod", region: "us-central1", name: FunctionIdentity.normalized(name),
                generation: .second)
            return rules.policy(for: identity, shownAs: name, on: Day(iso8601: day))
        }
        #expect(policy("logAppError", on: "2027-01-31").exempt != nil)
        #expect(policy("logAppError", on: "2027-02-01").exempt == nil)
        #expect(policy("adminGenerateReport", on: "2026-10-21").numbers.requiresAuth)
        #expect(!policy("addMessage", on: "2026-10-21").numbers.requiresAuth)
        #expect(policy("scanReceipt", on: "2026-10-21").numbers.maxBlocked == 0.02)
        #expect(policy("addMessage", on: "2026-10-21").numbers.maxBlocked == 0.01)
    }

    @Test func theSampleIsAPolicyWithDefaultNumbers() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "samples/policy.yaml"), encoding: .utf8)
        let document = try PolicyDocument(yaml: text)
        var numbers = VerdictPolicy()
        numbers.apply(document.values)
        #expect(numbers == VerdictPolicy())
        #expect(document.values.maxWindow == 28)
        let uses = document.entries
        #expect(uses.contains { $0.settings.exempt != nil && $0.settings.until != nil })
        #expect(uses.contains { $0.settings.requiresAuth == true })
        #expect(uses.contains { $0.settings.enforced != nil })
        #expect(uses.contains { $0.settings.since != nil })
        #expect(uses.contains { $0.settings.maxRefused != nil })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for entry in uses { #expect(lines[entry.line - 1].contains("match: ")) }
    }
}
