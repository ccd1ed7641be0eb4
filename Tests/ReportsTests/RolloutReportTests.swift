import Readiness
import Rollout
import Testing
import Verifications

@testable import Reports

/// What is written of a rollout: by `callcheck app-attest`, and in the morning from the store.
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

    // MARK: Every morning

    /// A rollout over 20 days; of one of them nobody knew the percentage, and one is missing.
    private static let history = RolloutHistory(
        parameter: "AppAttestEnabled",
        entries: (0..<20).filter { $0 != 13 }.map { index in
            var day = RolloutDay(day: first.advanced(by: index))
            day.count = UserCount(users: index == 0 ? 0 : 40 * index, failedOnly: index / 4)
            return RolloutHistory.Entry(day: day, percent: index < 6 ? 10 : index == 6 ? nil : index < 15 ? 50 : 100)
        })

    private func section(_ format: Format) -> String {
        let text = Report.summary(Story.oneFunction, rollouts: [RolloutReportTests.history]).text(format)
        let without = Report.summary(Story.oneFunction).text(format)
        #expect(text.count > without.count)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let known = Set(without.split(separator: "\n"))
        return lines.filter { !known.contains($0) && !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    @Test func section() {
        let golden = GoldenFiles()
        golden.expect(section(.terminal(TerminalStyle(columns: 80))), "rollout-section.txt")
        golden.expect(section(.markdown), "rollout-section.md")
        golden.expect(section(.html), "rollout-section.html")
    }

    /// Each day has its bar, each with users a dot; the steps break where the percentage is not known.
    @Test func plot() throws {
        let plot = try #require(RolloutPlot(RolloutReportTests.history))
        let svg = plot.svg(id: "r")
        func path(_ name: String) -> Substring {
            let parts = svg.split(separator: "class=\"\(name)\" d=\"", maxSplits: 1)
            return parts.count > 1 ? parts[1].prefix { $0 != "\"" } : ""
        }
        #expect(path("band").count { $0 == "M" } == 19)
        #expect(path("dots").count { $0 == "M" } == 18)
        #expect(path("bound").count { $0 == "M" } == 2)
        #expect(path("bound").count { $0 == "V" } == 1)
        #expect(svg.contains("28 Sep – 17 Oct 2026"))
        // All numbers lie within the drawing.
        for number in svg.matches(of: /[MLHV](-?[0-9.]+)/).compactMap({ Double($0.1) }) {
            #expect((0...340).contains(number))
        }
        #expect(RolloutPlot(RolloutHistory(parameter: "p", entries: [])) == nil)
    }

    @Test func longRolloutsAreCutToWhatFits() throws {
        let entries = (0..<200).map { index in
            RolloutHistory.Entry(day: RolloutDay(day: RolloutReportTests.first.advanced(by: index)), percent: 10)
        }
        let svg = try #require(RolloutPlot(RolloutHistory(parameter: "p", entries: entries))).svg(id: "r")
        #expect(svg.contains("The percentage, and the share of users who only fail, 14 Jan – 15 Apr 2027"))
    }
}
