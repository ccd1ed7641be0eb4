import Testing
import Verifications

@testable import Readiness

/// Codes that are reported next to a verdict and never change it.
@Suite struct AdviceTests {
    @Test func anonymousOnlyWhenTheTwinIsSafe() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(300), .missing(10, auth: .missing))
        let assessment = log.assess()
        #expect(assessment.verdict == .wait)
        #expect(assessment.signedIn.verdict == .enforce)
        #expect(assessment.codes == ["too-many-blocked", "anonymous-only"])
        let reason = try assessment.reason("anonymous-only")
        #expect(reason.total == 70)
        #expect(reason.count == 0)
        #expect(reason.value == assessment.signedIn.period.upper)
        #expect(reason.limit == 0.01)
        log.add(days: -6...0, .missing(10))
        #expect(!log.assess().codes.contains("anonymous-only"))
    }

    @Test func anonymousOnlyForInvestigateAndForTooFewRequests() {
        var log = Scenario()
        log.add(days: -6...0, .valid(300), .invalid(10, auth: .missing))
        #expect(log.assess().verdict == .investigate)
        #expect(log.assess().codes.contains("anonymous-only"))
        log = Scenario()
        log.add(days: -6...0, .valid(300), .missing(3, auth: .missing))
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes == ["too-few-requests", "anonymous-only"])
        log.rules.numbers.requiresAuth = true
        #expect(log.assess().codes == ["safe", "failures-unproven"], "nothing to advise once it is so")
    }

    @Test func anonymousOnlyNotBesideOtherVerdicts() {
        var log = Scenario()
        log.add(days: -13...0, .valid(300), .missing(10, auth: .missing))
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = .date(log.day(-30))
        log.rules.entries = [entry]
        #expect(log.assess().codes == ["enforced", "too-many-blocked", "bad-day"])
    }

    /// The last two or more active days without a blocked request.
    @Test(arguments: [(1, false), (2, true), (3, true)])
    func cleanSince(days: Int, isSaid: Bool) throws {
        var log = Scenario()
        log.add(days: -6 ... -days, .valid(80), .missing(20))
        log.add(days: 1 - days...0, .valid(100))
        let assessment = log.assess()
        #expect(assessment.verdict == .wait)
        #expect(assessment.codes.contains("clean-since") == isSaid)
        guard isSaid else { return }
        #expect(
            try assessment.reason("clean-since")
                == Finding(code: .cleanSince, value: Double(days), days: [log.day(1 - days)]))
    }

    @Test func cleanSinceBesideInvestigate() {
        var log = Scenario()
        log.add(days: -6 ... -2, .valid(80), .invalid(20))
        log.add(days: -1...0, .valid(100))
        #expect(log.assess().verdict == .investigate)
        #expect(log.assess().codes.contains("clean-since"))
    }

    /// The date is that of the first active day, and a verdict that cannot tell is not "not safe".
    @Test func cleanSinceCountsActiveDays() throws {
        var log = Scenario()
        log.cover(-6...0)
        log.add(days: -6 ... -4, .valid(80), .missing(20))
        log.add(days: [-2, 0], .valid(100))
        #expect(try log.assess().reason("clean-since") == Finding(code: .cleanSince, value: 2, days: [log.day(-2)]))
        log = Scenario()
        log.add(days: [-6], .valid(300), .missing(3))
        log.add(days: -5...0, .valid(10))
        #expect(log.assess().verdict == .insufficient)
        #expect(!log.assess().codes.contains("clean-since"))
    }

    // MARK: Bad days

    private func badDays(_ assessment: Assessment) -> [BadDay]? {
        assessment.reasons[.badDay]?.badDays
    }

    /// At least ten blocked, or in three different hours, within the last 28 days.
    @Test(arguments: [
        (27, 100, 3, true), (28, 100, 3, false), (27, 100, 2, true), (28, 100, 2, false), (27, 10, 1, true),
        (27, 9, 1, false), (27, 9, 3, true), (27, 9, 2, false),
    ])
    func badDaysWithin28Days(age: Int, blocked: Int, hours: Int, isSaid: Bool) throws {
        var log = Scenario()
        log.add(days: -40...0, .valid(220), .invalid(1, auth: .invalid))
        log.add(days: [-age], .missing(blocked, hours: hours))
        let assessment = log.assess()
        #expect(assessment.verdict == .enforce)
        #expect(assessment.codes == (isSaid ? ["safe", "bad-day"] : ["safe"]))
        #expect(badDays(assessment)?.map(\.day) == (isSaid ? [log.day(-27)] : nil))
        #expect(badDays(assessment)?.map(\.hours) == (isSaid ? [hours] : nil))
    }

    /// A bad day alone decides nothing, regardless of its hours and tokens: the bounds of the window do.
    @Test(arguments: [(1, false), (3, false), (24, false), (24, true)])
    func aBadDayDecidesNothing(hours: Int, isInvalid: Bool) {
        var log = Scenario()
        log.add(days: -6...0, .valid(2000))
        log.add(days: [-2], isInvalid ? .invalid(60, hours: hours) : .missing(60, hours: hours))
        let assessment = log.assess()
        #expect(assessment.period.upper > 0.01, "60 requests of one day widen the bound")
        let late = isInvalid ? ["failures-late"] : []
        #expect(assessment.codes == ["too-few-requests"] + late + ["bad-day"])
    }

    /// The confidence of a single day is 1 − (1 − γ)/D: with more active days more is wanted of each.
    @Test func oneDayIsHeldToAStricterConfidence() {
        let onlyDay = ClopperPearson.lower(blocked: 17, requests: 1000, confidence: 0.95)
        let oneOfSeven = ClopperPearson.lower(blocked: 17, requests: 1000, confidence: 1 - 0.05 / 7)
        let next = ClopperPearson.lower(blocked: 20, requests: 1000, confidence: 1 - 0.05 / 7)
        #expect(onlyDay > 0.01 && oneOfSeven < 0.01 && next > 0.01)
        for (blocked, isBad) in [(17, false), (20, true)] {
            var log = Scenario()
            log.add(days: -6 ... -1, .valid(1000))
            log.add(days: [0], .valid(1000 - blocked), .missing(blocked, hours: 8))
            #expect((badDays(log.assess()) != nil) == isBad)
        }
    }

    /// The newest comes first; where all days are bad, the function is not safe, and that says more.
    @Test func badDaysOfAFunctionThatIsNotSafe() {
        var log = Scenario()
        log.add(days: -40...0, .valid(200))
        log.add(days: [-20, -2], .missing(200, hours: 9))
        #expect(log.assess().verdict == .wait)
        #expect(badDays(log.assess())?.map(\.day) == [log.day(-2), log.day(-20)])
        log.add(days: -27...0, .missing(8, hours: 4))
        #expect(log.assess().verdict == .wait)
        #expect(badDays(log.assess()) == nil && log.assess().badDays.count == 28)
    }

    @Test func aBurstInTheWindow() throws {
        var log = Scenario()
        log.add(days: -27...0, .valid(500), .invalid(1, auth: .invalid))
        log.add(days: -1...0, .valid(30_000))
        log.add(days: [-2], .missing(20, hours: 2))
        #expect(log.assess().codes == ["safe", "bad-day"])
    }

    @Test func passesAtInfoOnly() {
        var log = Scenario()
        log.add(severity: .info, days: -6...0, .valid(300))
        #expect(log.assess().codes == ["safe", "failures-unproven", "sdk-3"])
        log.add(severity: .debug, days: [0], .invalid(1))
        #expect(log.assess().codes.contains("sdk-3"), "a failed verification is no pass")
        log.add(severity: .debug, days: [0], .missing(1))
        #expect(!log.assess().codes.contains("sdk-3"))
    }

    @Test func adviceIsAdvice() {
        var log = Scenario()
        log.add(severity: .info, days: -6 ... -4, .valid(300), .missing(30, auth: .missing))
        log.add(severity: .info, days: -3...0, .valid(300), .invalid(30, auth: .missing))
        log.add(severity: .info, days: -6...0, .valid(10, auth: .invalid))
        let reasons = log.assess().reasons
        #expect(
            reasons.filter { $0.kind == .advice }.map(\.name)
                == ["anonymous-only", "sdk-3"])
        #expect(reasons.filter { $0.kind != .advice }.map(\.name) == ["too-many-blocked", "mostly-invalid"])
    }
}
