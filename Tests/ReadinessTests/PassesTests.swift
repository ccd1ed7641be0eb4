import Testing
import Verifications

@testable import Readiness

/// `passes-not-seen` and `all-refused`: whether passes were not logged, or there were none.
@Suite struct PassesTests {
    /// Every client of one function sends a broken token, while others pass.
    @Test func otherFunctionsShowThatPassesAreLogged() throws {
        var log = Scenario()
        log.add("other", days: -13...0, .valid(50))
        log.add(days: -13...0, .invalid(100, hours: 9))
        #expect(log.assess().verdict == .investigate)
        #expect(log.assess().codes.contains("all-refused"))
        #expect(try log.assess().reason("all-refused") == Finding(code: .allRefused, value: 1400))
        var alone = Scenario()
        alone.add(days: -13...0, .invalid(100, hours: 9))
        #expect(alone.assess().verdict == .blind)
        #expect(!alone.assess().codes.contains("all-refused"))
    }

    @Test func ofTheSameProjectAndGenerationWithLabels() {
        for (project, generation, isLabelled) in [
            ("elsewhere", Generation.first, true), ("demo", .second, true), ("demo", .first, false),
        ] {
            var log = Scenario()
            log.add("other", generation: generation, project: project, days: -13...0, .valid(50))
            if !isLabelled { log.markUnlabelled("other") }
            log.add(days: -13...0, .invalid(100))
            #expect(log.assess().verdict == .blind, "\(project) \(generation) \(isLabelled)")
        }
        var log = Scenario()
        log.add("other", days: -13...0, .valid(50))
        log.add(days: -13...0, .invalid(100))
        log.markUnlabelled("f")
        #expect(log.assess().verdict == .blind, "the log level of a function without labels is its own")
        #expect(log.assess().codes.contains("text-only"))
    }

    /// None passed, and on half of the days or more passes are not shown.
    @Test(arguments: [(3, true), (4, false)])
    func halfOfTheDays(shown: Int, isBlind: Bool) {
        var log = Scenario()
        log.add(days: -6...0, .invalid(2))
        log.add("other", days: -6 ..< -6 + shown, .valid(1))
        #expect(log.assess().codes.contains("passes-not-seen") == isBlind)
        #expect(log.assess().codes.contains("all-refused") != isBlind)
    }

    /// Lost passes shrink a day; an outage of App Check does not.
    @Test(arguments: [(49, true), (50, false)])
    func itsOwnVolumeShowsThem(count: Int, isBlind: Bool) {
        var log = Scenario()
        log.add(days: -13 ... -1, .valid(95), .invalid(5))
        log.add(days: [0], .invalid(count))
        #expect((log.assess().verdict == .blind) == isBlind)
    }

    @Test func theMedianOfTwoIsTheirMean() {
        var log = Scenario()
        log.add(days: [-3], .valid(10))
        log.add(days: [-2], .valid(30))
        log.add(days: [0], .invalid(10))
        #expect(log.assess().verdict != .blind)
        log.add(days: [-2], .valid(1))
        #expect(log.assess().verdict == .blind, "10 are less than half of 20.5")
    }

    /// A bad day of fewer than ten says little, as long as others pass.
    @Test(arguments: [(9, false), (10, true)])
    func tenOnOneDay(count: Int, isBlind: Bool) {
        var log = Scenario()
        log.add(days: -6 ... -1, .valid(300))
        log.add(days: [0], .valid(count, auth: .invalid))
        #expect((log.assess().verdict == .blind) == isBlind)
    }

    @Test func sdk3HasLabels() {
        var log = Scenario()
        log.add(severity: .info, days: -6...0, .valid(300))
        #expect(log.assess().codes.contains("sdk-3"))
        log.markUnlabelled("f")
        #expect(!log.assess().codes.contains("sdk-3"))
        #expect(log.assess().codes.contains("text-only"))
    }
}
