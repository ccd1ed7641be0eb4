import Readiness
import Testing
import Verifications

/// `wait` and `investigate`: too many blocked requests.
@Suite struct ExcessBlockingTests {
    /// One blocked request on a quiet Sunday comes from one client, so φ stays 1; uncapped it would be thousands.
    @Test func oneBlockedRequestOnAQuietSunday() {
        var log = Scenario()
        log.add(days: [-6, -5, -4, -2, -1, 0], .valid(5000))
        log.add(days: [-3], .valid(2), .missing(1))
        #expect(log.day(-3).weekday == 6)
        let assessment = log.assess()
        #expect(assessment.period.dispersion == 1)
        #expect(assessment.period.blocked == 1)
        #expect(assessment.verdict == .enforce)
    }

    /// φ never exceeds the number of blocked requests.
    @Test func dispersionIsCappedByWhatWasBlocked() {
        var log = Scenario()
        log.add(days: [-6, -5, -4, -2, -1, 0], .valid(5000))
        log.add(days: [-3], .missing(4))
        #expect(log.assess().period.dispersion == 4)
    }

    /// φ = X²/(D − 1) with only the active days counted: two days of 100, 1 and 9 blocked, X² = 2·4²/(100·0.05·0.95).
    @Test func dispersionCountsActiveDays() {
        var log = Scenario()
        log.add(days: -6...0, .valid(1, auth: .invalid))
        log.add(days: [-1], .valid(99), .missing(1))
        log.add(days: [0], .valid(91), .missing(9))
        #expect(abs(log.assess().period.dispersion - 32 / 4.75) < 1e-12)
        #expect(log.assess().period.activeDays == 2)
    }

    /// A quiet function's long window is safe, but its last week is not.
    @Test func theLastDaysAloneDecideWhenTheWindowIsSafe() throws {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(60))
        log.add(days: -6...0, .valid(11), .missing(1))
        let assessment = log.assess()
        #expect(assessment.period.window?.dayCount == 28)
        #expect(assessment.period.lower < 0.01)
        #expect(assessment.verdict == .wait)
        let reason = try assessment.reason("too-many-blocked")
        #expect(reason.value ?? 0 > 0.01)
        #expect(reason.count == 7)
        #expect(reason.total == 84)
        #expect(reason.window == Window(from: log.day(-6), to: log.day(0)))
    }

    /// 2·INVALID ≥ b: exactly half is mostly.
    @Test func invalidExactlyHalf() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(90), .invalid(4), .missing(4))
        let half = log.assess()
        #expect(half.verdict == .investigate)
        #expect(half.codes == ["too-many-blocked", "mostly-invalid"])
        #expect(try half.reason("mostly-invalid").value == 0.5)
        log.add(days: [0], .missing(1))
        let less = log.assess()
        #expect(less.verdict == .wait)
        #expect(less.codes == ["too-many-blocked"])
    }

    /// An OTHER status is blocked and not INVALID.
    @Test func otherIsBlocked() {
        var log = Scenario()
        log.add(days: -6...0, .valid(90), .invalid(5), .other(6))
        #expect(log.assess().verdict == .wait)
        #expect(log.assess().period.blocked == 77)
        #expect(log.assess().period.tokenRefused == 35)
    }

    /// INVALID of a caller whose Auth token was refused too is no blocked request.
    @Test func invalidAuthDoesNotCountAsBlocked() {
        var log = Scenario()
        log.add(days: -6...0, .valid(500), .invalid(100, auth: .invalid))
        #expect(log.assess().period.blocked == 0)
        #expect(log.assess().verdict == .enforce)
    }

    /// `mostly-invalid` looks at the first period with trouble: the window, when it has some.
    @Test func theWindowDecidesOverInvalidBeforeTheLastDays() {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(30), .invalid(3))
        log.add(days: -6...0, .valid(30), .missing(3))
        #expect(log.assess().period.window?.dayCount == 28)
        #expect(log.assess().verdict == .investigate)
        log = Scenario()
        log.add(days: -27 ... -7, .valid(30), .missing(3))
        log.add(days: -6...0, .valid(30), .invalid(3))
        #expect(log.assess().verdict == .wait)
    }

    /// When only the last days have trouble, their INVALID decides.
    @Test func theLastDaysDecideOverInvalidWhenOnlyTheyHaveTrouble() {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(60))
        log.add(days: -6...0, .valid(11), .invalid(1))
        #expect(log.assess().period.lower < 0.01)
        #expect(log.assess().verdict == .investigate)
    }

    /// The last days are asked only when the window is not above the limit: its reasons are those of one period.
    @Test func theLastDaysAreNotAskedWhenTheWindowDecides() throws {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(60), .missing(2))
        log.add(days: -6...0, .valid(11), .invalid(1))
        #expect(log.assess().period.window?.dayCount == 28)
        #expect(log.assess().codes.first == "too-many-blocked")
        #expect(!log.assess().codes.contains("mostly-invalid"), "it would hold in the last 7 days")
    }

    /// Reasons of the row below are listed beside those that decide.
    @Test func everyReasonThatHoldsIsListed() {
        var log = Scenario()
        log.cover([-20, -6, -5, -2, -1, 0])
        log.add(days: [-1, 0], .valid(100), .missing(10, hours: 4))
        let assessment = log.assess()
        #expect(assessment.verdict == .wait)
        #expect(
            assessment.codes == ["too-many-blocked", "too-few-days", "too-few-active-days", "coverage-gap"])
    }
}
