import Testing
import Verifications

@testable import Readiness

/// `blind`, and the first row of `insufficient`: nothing seen, nothing lately, an old export.
@Suite struct SilenceTests {
    @Test func noPassInTheWholeWindowIsBlind() throws {
        var log = Scenario()
        log.add(days: -6...0, .invalid(1))
        let assessment = log.assess()
        #expect(assessment.verdict == .blind)
        #expect(try assessment.reason("passes-not-seen") == Finding(code: .passesNotSeen, value: 7))
        #expect(assessment.codes.contains("too-many-blocked"), "reasons of later rows are listed")
        log.add(days: [-3], .missing(1))
        #expect(log.assess().verdict != .blind, "MISSING passes")
    }

    @Test(arguments: [(9, false), (10, true)])
    func aDayOfTenWithoutAPassIsBlind(count: Int, isBlind: Bool) throws {
        var log = Scenario()
        log.add(days: -6 ... -1, .valid(300))
        log.add(days: [0], .valid(count, auth: .invalid))
        #expect((log.assess().verdict == .blind) == isBlind)
        if isBlind {
            #expect(
                try log.assess().reason("passes-not-seen")
                    == Finding(code: .passesNotSeen, value: 10, days: [log.day(0)]))
        }
        log.add(days: [0], .valid(1))
        #expect(log.assess().verdict != .blind)
    }

    @Test func aBlindDayBeforeTheWindowIsForgotten() {
        var log = Scenario()
        log.rules.numbers.assumeComplete = .everything
        log.add(days: -6...0, .valid(300))
        log.add(days: [-7], .invalid(50))
        #expect(log.assess().verdict == .enforce)
        log.add(days: [-6], .invalid(50, auth: .invalid))
        #expect(log.assess().verdict == .enforce, "some of that day passed")
    }

    @Test func noVerificationInTheWindow() throws {
        var log = Scenario()
        log.cover(-60...0)
        log.add(days: [-28], .valid(500))
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes == ["no-traffic"], "it suppresses all others")
        #expect(try log.assess().reason("no-traffic") == Finding(code: .noTraffic, days: [log.day(-28)]))
        log.add(days: [-27], .valid(1))
        #expect(!log.assess().codes.contains("no-traffic"))
        log = Scenario()
        log.cover(-60...0)
        log.add(days: [0], .valid(1, auth: .invalid))
        #expect(!log.assess().codes.contains("no-traffic"), "any verification is traffic, whatever its auth")
    }

    /// What a pattern or an inventory names and the log does not have.
    @Test func aFunctionThatIsNotInTheLog() {
        var log = Scenario()
        log.cover(-60...0)
        let assessment = log.assess("nowhere")
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["no-traffic"])
        #expect(assessment.period.admitted == 0)
        #expect(assessment.signedIn.verdict == .insufficient)
        #expect(assessment.outlook == .notAsked)
        #expect(log.assess("nowhere", project: "unheard").codes == ["no-traffic"])
    }

    /// More than three days, and more than twice the longest distance between two days with traffic.
    @Test(arguments: [(3, false), (4, true)])
    func silentForMoreThanThreeDays(days: Int, isStale: Bool) {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: -20 ... -days, .valid(300))
        #expect(log.assess().codes.contains("stale") == isStale)
        #expect(log.assess().verdict == (isStale ? .insufficient : .enforce))
    }

    @Test(arguments: [(6, false), (7, true)])
    func silentForMoreThanTwiceTheLongestDistance(days: Int, isStale: Bool) throws {
        var log = Scenario()
        log.cover(-60...0)
        log.add(days: [-23], .valid(300))
        log.add(days: -20 ... -days, .valid(300))
        #expect(log.assess().codes.contains("stale") == isStale)
        if isStale {
            let expected = Finding(code: .stale, value: 7, limit: 6, count: 3, days: [log.day(-7)])
            #expect(try log.assess().reason("stale") == expected)
            #expect(expected.limit == 6)
        }
    }

    /// The distances are those of the whole input, not of the window.
    @Test func aPauseLongAgoExplainsSilenceToday() {
        var log = Scenario()
        log.cover(-60...0)
        log.add(days: -20 ... -10, .valid(300))
        #expect(log.assess().codes.contains("stale"))
        log.add(days: [-50, -45], .valid(1))
        #expect(!log.assess().codes.contains("stale"))
        log.rules.since = log.day(-20)
        #expect(!log.assess().codes.contains("stale"), "`since` cuts windows, not the memory of pauses")
    }

    @Test func staleComesBeforeTooManyBlocked() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: -20 ... -5, .valid(100), .missing(100))
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes.prefix(2) == ["stale", "too-many-blocked"])
        #expect(log.assess().outlook == .notAsked)
    }

    @Test func exportOlderThan36Hours() throws {
        var log = Scenario(asOf: "2026-10-14T12:00:00Z")
        log.add(days: -14...0, .valid(300))
        log.add(at: "2026-10-14T12:00:00Z", .valid(1))
        log.add("g", at: "2026-10-14T09:00:00Z", .valid(1))
        #expect(log.assess().verdict == .enforce, "without a clock")
        log.clock = instant("2026-10-16T00:00:00Z")
        #expect(log.assess().verdict == .enforce, "exactly 36 h")
        log.clock = instant("2026-10-16T00:00:00.000000001Z")
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes == ["export-old"])
        #expect(log.assess().outlook == .notAsked)
        log.clock = instant("2026-10-16T06:00:00Z")
        #expect(try log.assess().reason("export-old").value == 42)
        #expect(try log.assess().reason("export-old").limit == 36)
    }

    /// It is the project's newest verification that counts, not the function's, and not another project's.
    @Test func exportAgeIsTheProjects() {
        var log = Scenario()
        log.add(days: -14 ... -2, .valid(300))
        log.add("late", days: [0], .valid(1))
        log.add("elsewhere", project: "other", days: -14 ... -2, .valid(300))
        log.clock = instant("2026-10-15T06:00:00Z")
        #expect(!log.assess().codes.contains("export-old"))
        #expect(log.assess("elsewhere", project: "other").codes.contains("export-old"))
    }

    /// A timestamp from the far future does not make an export young.
    @Test func exportAgeIgnoresDaysAfterTheAsOfDay() {
        var log = Scenario()
        log.add(days: -14...0, .valid(300))
        log.add(days: [700], .valid(1))
        log.clock = instant("2026-10-16T12:00:01Z")
        #expect(log.assess().codes == ["export-old"])
    }
}
