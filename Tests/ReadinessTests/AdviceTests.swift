import Readiness
import Testing
import Verifications

/// Codes that are said beside a verdict and never change it.
@Suite struct AdviceTests {
    @Test func anonymousOnlyWhenTheTwinIsSafe() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(300), .missing(10, auth: .missing))
        let assessment = log.assess()
        #expect(assessment.verdict == .wait)
        #expect(assessment.signedIn.verdict == .enforce)
        #expect(assessment.codes == ["too-many-blocked", "anonymous-only", "recent-trouble"])
        guard
            case .callers(.anonymousOnly(let blocked, let signedInBlocked, let upper, let limit)) =
                try assessment.reason("anonymous-only")
        else { return }
        #expect(blocked == 70)
        #expect(signedInBlocked == 0)
        #expect(upper == assessment.signedIn.counts.blockedRateUpper)
        #expect(limit == 0.01)
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
        #expect(log.assess().codes == ["enforced", "too-many-blocked", "recent-trouble"])
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
        #expect(try assessment.reason("clean-since") == .excess(.cleanSince(log.day(1 - days), activeDays: days)))
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
        #expect(try log.assess().reason("clean-since") == .excess(.cleanSince(log.day(-2), activeDays: 2)))
        log = Scenario()
        log.add(days: [-6], .valid(300), .missing(3))
        log.add(days: -5...0, .valid(10))
        #expect(log.assess().verdict == .insufficient)
        #expect(!log.assess().codes.contains("clean-since"))
    }

    /// A burst within two hours is of a batch job, or of one client's loop; nine requests are none.
    @Test(arguments: [
        (27, 100, 3, true), (28, 100, 3, false), (27, 100, 2, true), (28, 100, 2, false), (27, 10, 1, true),
        (27, 9, 1, false), (27, 9, 3, true),
    ])
    func recentTroubleWithin28Days(age: Int, blocked: Int, hours: Int, isSaid: Bool) throws {
        var log = Scenario()
        log.add(days: -40...0, .valid(220), .invalid(1, auth: .invalid))
        log.add(days: [-age], .missing(blocked, hours: hours))
        let assessment = log.assess()
        #expect(assessment.verdict == .enforce)
        #expect(assessment.codes == (isSaid ? ["safe", "recent-trouble"] : ["safe"]))
        guard isSaid else { return }
        guard case .excess(.recentTrouble(let days, _)) = try assessment.reason("recent-trouble") else { return }
        #expect(days.map(\.day) == [log.day(-27)])
    }

    /// Whatever the verdict; but the days that decided are not said twice.
    @Test func recentTroubleOutsideThePeriodThatDecided() throws {
        var log = Scenario()
        log.add(days: -40...0, .valid(200), .missing(1))
        log.add(days: [-20, -2], .missing(200, hours: 9))
        #expect(log.assess().verdict == .wait)
        guard case .excess(.recentTrouble(let days, _)) = try log.assess().reason("recent-trouble") else { return }
        #expect(days.map(\.day) == [log.day(-20)])
    }

    /// Within the window as well: three different hours would have been against enforcement.
    @Test func aBurstInTheWindow() throws {
        var log = Scenario()
        log.add(days: -27...0, .valid(500), .invalid(1, auth: .invalid))
        log.add(days: -1...0, .valid(30_000))
        log.add(days: [-2], .missing(20, hours: 2))
        #expect(log.assess().codes == ["safe", "recent-trouble", "callers-unknown"])
    }

    /// MISSING became INVALID, and as many were blocked as before.
    @Test func shiftedToInvalid() throws {
        var log = Scenario()
        log.add(days: -6 ... -4, .valid(80), .missing(20))
        log.add(days: -3...0, .valid(80), .missing(2), .invalid(18))
        #expect(
            try log.assess().reason("shifted-to-invalid") == .callers(.shiftedToInvalid(olderShare: 0, newerShare: 0.9))
        )
    }

    @Test func notShiftedWhenTheRateChangedToo() {
        var log = Scenario()
        log.add(days: -6 ... -4, .valid(80), .missing(20))
        log.add(days: -3...0, .valid(60), .missing(20), .invalid(20))
        #expect(!log.assess().codes.contains("shifted-to-invalid"))
    }

    /// Two-sided at 95 %: z = 1.96 lies between four and five INVALID here.
    @Test(arguments: [(4, false), (5, true)])
    func shiftedOnlyWhenSignificant(invalid: Int, isSaid: Bool) {
        // 60 blocked in the older half, 80 in the newer: z = (i/80)/√(p(1 − p)(1/60 + 1/80)), p = i/140.
        var log = Scenario()
        log.add(days: -6 ... -4, .valid(80), .missing(20))
        log.add(days: -3 ... -1, .valid(80), .missing(20))
        log.add(days: [0], .valid(80), .missing(20 - invalid), .invalid(invalid))
        let p = Double(invalid) / 140
        let z = Double(invalid) / 80 / (p * (1 - p) * (1.0 / 60 + 1.0 / 80)).squareRoot()
        #expect((z > 1.959964) == isSaid)
        #expect(log.assess().codes.contains("shifted-to-invalid") == isSaid)
    }

    @Test func nothingBlockedInOneHalfIsNoShift() {
        var log = Scenario()
        log.add(days: -6 ... -4, .valid(300))
        log.add(days: -3...0, .valid(300), .invalid(1))
        #expect(!log.assess().codes.contains("shifted-to-invalid"))
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
        let reasons = log.assess().reasons
        #expect(
            reasons.filter { $0.kind == .advice }.map(\.code)
                == ["anonymous-only", "recent-trouble", "shifted-to-invalid", "sdk-3"])
        #expect(reasons.filter { $0.kind != .advice }.map(\.code) == ["too-many-blocked", "mostly-invalid"])
    }
}
