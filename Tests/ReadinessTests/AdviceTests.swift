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
        entry.settings.enforced = .date(log.day(-30))
        log.rules.entries = [entry]
        #expect(log.assess().codes == ["enforced", "policy-unconfirmed", "too-many-blocked"])
    }

    // MARK: More than before

    /// What failed for a time is told, beside a pass too, as long as it is not older than four weeks.
    @Test(arguments: [(20, true), (27, true), (28, false)])
    func whatFailedForATime(age: Int, isSaid: Bool) throws {
        var log = Scenario()
        log.add(days: -34...0, .valid(300), .invalid(1, auth: .invalid))
        log.add(days: [-age], .missing(200, hours: 8))
        let assessment = log.assess()
        #expect(assessment.verdict == .enforce)
        #expect(assessment.codes == (isSaid ? ["safe", "raised-share"] : ["safe"]))
        guard isSaid else { return }
        let reason = try assessment.reason("raised-share")
        #expect(reason.instant?.day == log.day(-age) && reason.end?.day == log.day(1 - age) && reason.count >= 100)
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
