import Readiness
import Testing
import Verifications

/// `wait` and `investigate`: too many blocked requests, on the whole or on single days.
@Suite struct ExcessBlockingTests {
    /// One client's burst is not a trend: it takes blocked requests in at least three different hours.
    @Test(arguments: [(1, false), (2, false), (3, true), (24, true)])
    func hoursOfABadDay(hours: Int, isUnstable: Bool) throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(2000))
        log.add(days: [-2], .missing(60, hours: hours))
        let assessment = log.assess()
        #expect(assessment.counts.blockedRateUpper > 0.01, "60 requests of one day widen the bound")
        #expect(assessment.verdict == (isUnstable ? .wait : .insufficient))
        #expect(assessment.codes.contains("unstable-day") == isUnstable)
        #expect(!assessment.codes.contains("too-many-blocked"))
        guard isUnstable else { return }
        guard case .excess(.unstableDay(let days, let limit)) = try assessment.reason("unstable-day") else { return }
        #expect(days.map(\.day) == [log.day(-2)])
        #expect(days.map(\.hours) == [hours])
        #expect(days.map(\.blocked) == [60])
        #expect(days.map(\.admitted) == [2060])
        #expect(limit == 0.01)
    }

    /// The confidence of a single day is 1 − (1 − γ)/D: with more active days more is wanted of each.
    @Test func oneDayIsHeldToAStricterConfidence() {
        let onlyDay = ClopperPearson.lower(blocked: 17, requests: 1000, confidence: 0.95)
        let oneOfSeven = ClopperPearson.lower(blocked: 17, requests: 1000, confidence: 1 - 0.05 / 7)
        let next = ClopperPearson.lower(blocked: 20, requests: 1000, confidence: 1 - 0.05 / 7)
        #expect(onlyDay > 0.01)
        #expect(oneOfSeven < 0.01)
        #expect(next > 0.01)
        var log = Scenario()
        log.add(days: -6 ... -1, .valid(1000))
        log.add(days: [0], .valid(983), .missing(17, hours: 8))
        #expect(!log.assess().codes.contains("unstable-day"))
        log = Scenario()
        log.add(days: -6 ... -1, .valid(1000))
        log.add(days: [0], .valid(980), .missing(20, hours: 8))
        #expect(log.assess().codes.contains("unstable-day"))
    }

    /// One blocked request on a quiet Sunday comes from one client, so φ stays 1; uncapped it would be thousands.
    @Test func oneBlockedRequestOnAQuietSunday() {
        var log = Scenario()
        log.add(days: [-6, -5, -4, -2, -1, 0], .valid(5000))
        log.add(days: [-3], .valid(2), .missing(1))
        #expect(log.day(-3).weekday == 6)
        let assessment = log.assess()
        #expect(assessment.counts.dispersion == 1)
        #expect(assessment.counts.blocked == 1)
        #expect(assessment.verdict == .enforce)
    }

    /// φ never exceeds the number of blocked requests.
    @Test func dispersionIsCappedByWhatWasBlocked() {
        var log = Scenario()
        log.add(days: [-6, -5, -4, -2, -1, 0], .valid(5000))
        log.add(days: [-3], .missing(4))
        #expect(log.assess().counts.dispersion == 4)
    }

    /// φ = X²/(D − 1) with only the active days counted: two days of 100, 1 and 9 blocked, X² = 2·4²/(100·0.05·0.95).
    @Test func dispersionCountsActiveDays() {
        var log = Scenario()
        log.add(days: -6...0, .valid(1, auth: .invalid))
        log.add(days: [-1], .valid(99), .missing(1))
        log.add(days: [0], .valid(91), .missing(9))
        #expect(abs(log.assess().counts.dispersion - 32 / 4.75) < 1e-12)
        #expect(log.assess().counts.activeDays == 2)
    }

    /// A quiet function's long window is safe, but its last week is not.
    @Test func theLastDaysAloneDecideWhenTheWindowIsSafe() throws {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(60))
        log.add(days: -6...0, .valid(11), .missing(1))
        let assessment = log.assess()
        #expect(assessment.counts.window?.dayCount == 28)
        #expect(assessment.counts.blockedRateLower < 0.01)
        #expect(assessment.verdict == .wait)
        guard
            case .excess(.tooManyBlocked(let lower, _, let blocked, let admitted, let window)) =
                try assessment.reason("too-many-blocked")
        else { return }
        #expect(lower > 0.01)
        #expect(blocked == 7)
        #expect(admitted == 84)
        #expect(window == Window(from: log.day(-6), to: log.day(0)))
    }

    /// The last W days have their own D: a day that is stable among 28 can be unstable among 7.
    @Test func theLastDaysHaveTheirOwnConfidencePerDay() {
        let among28 = ClopperPearson.lower(blocked: 5, requests: 52, confidence: 1 - 0.05 / 28)
        let among7 = ClopperPearson.lower(blocked: 5, requests: 52, confidence: 1 - 0.05 / 7)
        #expect(among28 < 0.02)
        #expect(among7 > 0.02)
        var log = Scenario()
        log.rules.numbers.maxBlocked = 0.02
        log.add(days: -27 ... -1, .valid(20))
        log.add(days: [0], .valid(47), .missing(5, hours: 5))
        #expect(log.assess().counts.window?.dayCount == 28)
        #expect(log.assess().codes.contains("unstable-day"))
        log = Scenario()
        log.rules.numbers.maxBlocked = 0.02
        log.rules.numbers.window = 28
        log.add(days: -27 ... -1, .valid(20))
        log.add(days: [0], .valid(47), .missing(5, hours: 5))
        #expect(!log.assess().codes.contains("unstable-day"))
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
        #expect(log.assess().counts.blocked == 77)
        #expect(log.assess().counts.tokenRefused == 35)
    }

    /// INVALID of a caller whose Auth token was refused too is no blocked request.
    @Test func invalidAuthDoesNotCountAsBlocked() {
        var log = Scenario()
        log.add(days: -6...0, .valid(500), .invalid(100, auth: .invalid))
        #expect(log.assess().counts.blocked == 0)
        #expect(log.assess().verdict == .enforce)
    }

    /// `mostly-invalid` looks at the first period with trouble: the window, when it has some.
    @Test func theWindowDecidesOverInvalidBeforeTheLastDays() {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(30), .invalid(3))
        log.add(days: -6...0, .valid(30), .missing(3))
        #expect(log.assess().counts.window?.dayCount == 28)
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
        #expect(log.assess().counts.blockedRateLower < 0.01)
        #expect(log.assess().verdict == .investigate)
    }

    /// The last days are asked only when the window has no trouble: its reasons are those of one period.
    @Test func theLastDaysAreNotAskedWhenTheWindowHasTrouble() {
        var log = Scenario()
        log.add(days: -27 ... -7, .valid(60))
        log.add(days: [-20], .missing(25, hours: 9))
        log.add(days: -6...0, .valid(11), .missing(1))
        #expect(log.assess().counts.window?.dayCount == 28)
        #expect(log.assess().verdict == .wait)
        #expect(log.assess().counts.blockedRateLower < 0.01)
        #expect(!log.assess().codes.contains("too-many-blocked"), "it would hold in the last 7 days")
        #expect(log.assess().codes.contains("unstable-day"))
    }

    /// Reasons of the row below are listed beside those that decide.
    @Test func everyReasonThatHoldsIsListed() {
        var log = Scenario()
        log.cover([-20, -6, -5, -4, -2, -1, 0])
        log.add(days: [-1, 0], .valid(100), .missing(10, hours: 4))
        let assessment = log.assess()
        #expect(assessment.verdict == .wait)
        #expect(
            assessment.codes == [
                "too-many-blocked", "unstable-day", "too-few-days", "too-few-active-days", "coverage-gap",
            ])
    }
}
