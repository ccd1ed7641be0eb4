import Platform
import Readiness
import Testing
import Verifications

/// The last row but one: too few requests, days or active days.
@Suite struct SufficiencyTests {
    /// The upper bound for n clean requests is 1 − 0.05^(1/n): 299 are the fewest that are enough for 1%.
    @Test func cleanRequests298And299() throws {
        var log = Scenario()
        log.add(days: -6 ... -1, .valid(43))
        log.add(days: [0], .valid(40))
        let short = log.assess()
        #expect(short.period.admitted == 298)
        #expect(short.verdict == .insufficient)
        #expect(short.codes == ["too-few-requests"])
        #expect(try short.reason("too-few-requests").value == 1)
        #expect(abs(short.period.upper - (1 - pow(0.05, 1 / 298))) < 1e-12)

        log.add(days: [0], .valid(1))
        let enough = log.assess()
        #expect(enough.verdict == .enforce)
        #expect(enough.codes == ["safe"])
        #expect(abs(enough.period.upper - (1 - pow(0.05, 1 / 299))) < 1e-12)
        #expect(try enough.reason("safe").value == enough.period.upper)
        #expect(try enough.reason("safe").limit == 0.01)
    }

    /// Exactly the maximum rate is neither too many nor enough: the truth may lie on either side.
    @Test func exactlyTheMaximumRate() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(495), .missing(5))
        let assessment = log.assess()
        #expect(assessment.period.blockedRate == 0.01)
        #expect(assessment.period.lower < 0.01)
        #expect(assessment.period.upper > 0.01)
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["too-few-requests"])
        let missing = try #require(try assessment.reason("too-few-requests").value)
        let bound = { (requests: Double) in ClopperPearson.upper(blocked: 35, requests: requests, confidence: 0.95) }
        #expect(bound(3500 + missing) <= 0.01)
        #expect(bound(3500 + missing - 1) > 0.01)
    }

    /// The lower bound exceeds the maximum as soon as this many blocked requests or more have at most 5% probability
    /// under it.
    @Test func tooManyBlockedFromTheFirstCountOnThatIsSignificant() {
        func verdict(blocked: Int) -> Verdict {
            var log = Scenario()
            log.add(days: -6...0, .valid(140 - blocked / 7), .missing(blocked / 7))
            log.add(days: -6 ..< -6 + blocked % 7, .missing(1))
            log.add(days: -6 + blocked % 7..<1, .valid(1))
            let assessment = log.assess()
            #expect(assessment.period.admitted == 987)
            #expect(assessment.period.dispersion == 1)
            return assessment.verdict
        }
        let critical = (0...987).first { binomialTail(atLeast: $0, of: 987, rate: 0.01) < 0.05 } ?? 0
        #expect(critical == 16)
        #expect(verdict(blocked: critical) == .wait)
        #expect(verdict(blocked: critical - 1) == .insufficient)
    }

    /// P(X ≥ k) by summing the terms from the bottom.
    private func binomialTail(atLeast k: Int, of n: Int, rate: Double) -> Double {
        var term = pow(1 - rate, Double(n))
        var below = 0.0
        for i in 0..<k {
            below += term
            term *= Double(n - i) / Double(i + 1) * rate / (1 - rate)
        }
        return 1 - below
    }

    @Test func withoutAnAdmittedRequestNothingIsKnown() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(500))
        log.add("g", days: -6...0, .valid(1, auth: .invalid), .valid(1))
        log.add("refused", days: -6...0, .valid(100, auth: .invalid), .valid(0))
        log.rules.numbers.requiresAuth = true
        log.add("anonymous", days: -6...0, .valid(500, auth: .missing))
        let assessment = log.assess("anonymous")
        #expect(assessment.period.blockedRate == nil)
        #expect(assessment.period.upper == 1)
        #expect(assessment.period.lower == 0)
        #expect(assessment.codes == ["too-few-requests", "too-few-active-days"])
        #expect(try assessment.reason("too-few-requests").value == 299)
        #expect(assessment.outlook == .noRequests)
        #expect(log.assess("g").period.admitted == 7)
    }

    /// round((T − first)/24 h), halves up: six and a half days are seven.
    @Test(arguments: [
        ("2026-10-08T12:00:00Z", 7), ("2026-10-08T12:00:00.000000001Z", 6), ("2026-10-08T00:00:00Z", 7),
        ("2026-10-14T23:59:59Z", 1), ("2026-10-13T13:00:00Z", 1), ("2026-10-13T12:00:00Z", 2),
    ])
    func ageIsRoundedHalvesUp(first: String, age: Int) {
        var log = Scenario(asOf: "2026-10-15T00:00:00Z")
        log.cover(-20...0)
        log.add(at: first, .valid(1))
        log.add(days: [0], .valid(300))
        let assessment = log.assess()
        #expect(assessment.ageDays == age)
        #expect(assessment.codes.contains("too-few-days") == (age < 7))
    }

    /// On T's day the first verification can be later than an explicit T.
    @Test func ageIsAtLeastOne() {
        var log = Scenario(asOf: "2026-10-14T13:00:00Z")
        log.add(at: "2026-10-14T20:00:00Z", .valid(1))
        #expect(log.assess().ageDays == 1)
        log.add("later", at: "2026-10-16T00:00:00Z", .valid(1))
        #expect(log.assess("later").ageDays == 0)
        #expect(log.assess("later").codes == ["no-traffic"])
    }

    @Test func minDaysIsTheLimit() throws {
        var log = Scenario()
        log.cover(-20...0)
        log.add(days: -5...0, .valid(100))
        let young = log.assess()
        #expect(young.ageDays == 6)
        #expect(young.codes == ["too-few-days"])
        #expect(try young.reason("too-few-days").value == 6)
        #expect(try young.reason("too-few-days").limit == 7)
        log.rules.numbers.minDays = 6
        #expect(log.assess().verdict == .enforce)
    }

    @Test func twoAndThreeActiveDays() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: [-28, -1, 0], .valid(800))
        #expect(log.assess().period.activeDays == 2)
        #expect(log.assess().codes == ["too-few-active-days"])
        log.add(days: [-2], .valid(1, auth: .invalid))
        #expect(log.assess().codes.first == "too-few-active-days", "a day without an admitted request is not active")
        log.add(days: -40...0, .valid(1, auth: .invalid))
        log.add(days: [-2], .valid(1))
        #expect(log.assess().verdict == .enforce)
    }
}
