import Readiness
import Testing
import Verifications

/// The numbers of the window, and the rule for signed-in callers.
@Suite struct EvidenceTests {
    /// One request of each of the sixteen pairs a day.
    private func everyPair() -> Scenario {
        var log = Scenario()
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases {
                log.add(days: -6...0, Requests(app: app, auth: auth, count: 1, hours: 1))
            }
        }
        return log
    }

    /// What the twin says, with its reasons: the rule as with `requires-auth`.
    private func signedIn(_ log: Scenario) -> Assessment {
        var log = log
        log.rules.numbers.requiresAuth = true
        return log.assess()
    }

    @Test func admittedIsNotRefused() {
        let assessment = everyPair().assess()
        #expect(assessment.period.admitted == 7 * 12)
        #expect(assessment.period.blocked == 7 * 9)
        #expect(assessment.period.tokenRefused == 7 * 3)
        #expect(assessment.period.signedInNoToken == 7)
        #expect(assessment.period.anonymousNoToken == 7)
        #expect(assessment.period.blockedRate == 0.75)
        #expect(abs(assessment.blockedPerDay - 9) < 1e-4)
        #expect(abs(assessment.blockedPerDayUpper - assessment.period.upper * 12) < 1e-4)
    }

    @Test func requiresAuthAdmitsSignedInOnly() {
        var log = everyPair()
        let twin = log.assess().signedIn
        log.rules.numbers.requiresAuth = true
        let assessment = log.assess()
        #expect(assessment.period == twin.period)
        #expect(assessment.verdict == twin.verdict)
        #expect(assessment.signedIn.period == twin.period)
        #expect(assessment.period.admitted == 7 * 4)
        #expect(assessment.period.blocked == 7 * 3)
        #expect(assessment.period.tokenRefused == 7)
        #expect(assessment.period.signedInNoToken == 7)
        #expect(assessment.period.anonymousNoToken == 0)
    }

    /// `blockedPerDay` divides by the time that has passed, that of the day in front included.
    @Test func perDayIsPerObservedDayOfTheWindow() {
        var log = Scenario(asOf: "2026-10-14T11:00:00Z")
        log.add(days: [-7, -3], .valid(996), .missing(4))
        #expect(log.assess().period.window?.dayCount == 8)
        #expect(log.assess().observedDays < 7.46)
        #expect(log.assess().blockedPerDay == 8 / log.assess().observedDays)
    }

    @Test func lastBlockedAndTheCleanStreakAfterItsDay() {
        var log = Scenario()
        log.add(days: -27...0, .valid(300))
        #expect(log.assess().period.lastBlocked == nil)
        #expect(log.assess().period.cleanStreak == 7, "without one: all active days")
        log.add(days: [-9], .missing(1))
        #expect(log.assess().period.lastBlocked == nil, "outside the window")
        log.add(at: "2026-10-11T08:15:00.5Z", .missing(1))
        log.add(at: "2026-10-11T07:00:00Z", .missing(1))
        log.add(at: "2026-10-12T09:00:00Z", .missing(1, auth: .invalid))
        #expect(log.assess().period.lastBlocked == instant("2026-10-11T08:15:00.5Z"))
        #expect(log.assess().period.cleanStreak == 3)
        log.add(at: "2026-10-14T09:00:00Z", .missing(1, auth: .missing))
        #expect(log.assess().period.lastBlocked == instant("2026-10-14T09:00:00Z"))
        #expect(log.assess().period.cleanStreak == 0)
        #expect(log.assess().signedIn.period.lastBlocked == instant("2026-10-11T08:15:00.5Z"))
        #expect(log.assess().signedIn.period.cleanStreak == 3)
    }

    @Test func theCleanStreakCountsActiveDays() {
        var log = Scenario()
        log.cover(-20...0)
        log.add(days: [-6, -5, -4, -2], .valid(300))
        log.add(days: [-5], .missing(1))
        log.add(days: [0], .valid(9, auth: .invalid), .valid(0))
        #expect(log.assess().period.activeDays == 4)
        #expect(log.assess().period.cleanStreak == 2)
    }

    /// The twin chooses its own window, by its own requests.
    @Test func theTwinHasItsOwnWindow() {
        var log = Scenario()
        log.add(days: -27...0, .valid(250, auth: .missing), .valid(20))
        let assessment = log.assess()
        #expect(assessment.period.window?.dayCount == 7)
        #expect(assessment.signedIn.period.window?.dayCount == 28)
        #expect(assessment.signedIn.period.admitted == 560)
        #expect(assessment.signedIn.verdict == .enforce)
    }

    /// Blindness, silence, coverage, the failures' stream and the age look at all verifications.
    @Test func theTwinSeesAllVerificationsWhereAdmissionDoesNotMatter() {
        var log = Scenario()
        log.add(days: -13...0, .valid(300, auth: .missing))
        #expect(log.assess().verdict == .enforce)
        #expect(log.assess().ageDays == 14)
        #expect(signedIn(log).codes == ["too-few-requests", "too-few-active-days"])
        log.add(days: [-3], .valid(300))
        log.add(days: [0], .valid(1))
        #expect(signedIn(log).codes == ["too-few-active-days"], "neither blind nor stale")
    }

    /// Undated verifications are in totals only; that they might have been blocked is a doubt where it matters.
    @Test func undatedVerificationsEnterNoVerdict() {
        var log = Scenario()
        log.add(days: -6...0, .valid(300))
        let before = log.assess()
        log.add(at: nil, .missing(1))
        #expect(log.assess().reasons == before.reasons)
        #expect(log.assess().uncounted == 1)
    }
}
