import Readiness
import Rollout
import Testing
import Verifications

@testable import Reports

/// What `callcheck app-attest` prints.
@Suite struct RolloutReportTests {
    private static let first = Sample.day("2026-09-28")

    /// Users on ten judged days, different ones each day; the first `failing` of them only fail.
    private func tally(_ users: Int, failing: Int) -> EventTally {
        var tally = EventTally(horizon: Sample.day("2026-12-31"))
        tally.clients = [ClientVersion(app: "com.example.app", version: "1.4", os: "18")]
        for user in 0..<users {
            let day = RolloutReportTests.first.advanced(by: user % 10)
            let hash = UInt64(user + 1) &* 0x9E37_79B9_7F4A_7C15
            tally.count(user < failing ? .failure : .success, user: hash, day: day, client: 0)
        }
        tally.widen(day: RolloutReportTests.first.advanced(by: 12), instant: nil)
        return tally
    }

    private func text(_ template: RolloutTemplate, users: Int = 1000, failing: Int = 0) -> String {
        let tally = tally(users, failing: failing)
        let assessment = RolloutAssessment(tally, template: template)
        let report = RolloutReport(
            assessment, of: tally, input: InputSummary(), parameter: "AppAttestEnabled", patch: nil)
        var text = ""
        report.writeTable(TerminalStyle(columns: 100), to: &text)
        return text.replacing(/\s+/, with: " ")
    }

    /// At 100% the users who fail are compared with what a function is allowed.
    @Test(arguments: [
        (2, "which is within the 1% that a function is allowed. callcheck check decides for each function."),
        (17, "which is more than the 1% that a function is allowed. Let these users fall back to DeviceCheck first."),
        (9, "and more users will show whether that is within the 1% that a function is allowed."),
    ])
    func whatEnforcementWouldRefuse(failing: Int, comparison: String) {
        let text = text(RolloutTemplate(percent: 100), failing: failing)
        #expect(text.contains("The rollout is complete: AppAttestEnabled is at 100%."))
        #expect(text.contains("enforcement would refuse about that share, " + comparison))
    }

    @Test func exceptionsAreNoted() {
        var template = RolloutTemplate(percent: 10, condition: "c", defaultValue: false)
        #expect(!text(template).contains("come"))
        template.exceptions = ["Old apps"]
        let note = "Condition Old apps comes first and leaves AppAttestEnabled off: of the users who meet it none"
        #expect(text(template).contains(note))
        template.exceptions = ["Old apps", "Testers"]
        let notes = "Conditions Old apps and Testers come first and leave AppAttestEnabled off: of the users who"
        #expect(text(template).contains(notes))
    }
}
