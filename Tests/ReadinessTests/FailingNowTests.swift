import TestSupport
import Testing
import Verifications

@testable import Readiness

/// What fails now, few refused requests a week, and clients that are left out.
@Suite struct FailingNowTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    /// 20 people an hour on each day from 8 to 20 h, then some hours on T's day of which a part is refused.
    private func assess(
        _ hours: Range<Int>, _ refused: Int, of people: Int = 20, usually: Range<Int> = 0..<0,
        hasAddresses: Bool = true,
        app: TokenStatus = .missing, firstAddress: Int = 1, then: Range<Int> = 0..<0,
        _ change: (inout VerdictPolicy) -> Void = { _ in }
    ) -> Assessment {
        let asOf = instant("2026-10-14T\(max(hours.upperBound, then.upperBound) - 1):59:59Z")
        var (tally, writer) = (Tally(), CellWriter())
        let ios = Client(kind: .ios)
        for offset in -27...0 {
            let day = asOf.day.advanced(by: offset)
            for hour in 8..<(offset < 0 ? 20 : max(hours.upperBound, then.upperBound)) {
                let isFailing = offset == 0 && hours.contains(hour) || offset < 0 && usually.contains(hour)
                for person in 0..<people {
                    let isRefused = isFailing && person < refused
                    writer.add(
                        app: isRefused ? app : .valid,
                        at: Instant(day: day, nanosecondOfDay: Int64(hour * 3600 + person * 60) * 1_000_000_000),
                        of: ios,
                        address: hasAddresses ? UInt16(isRefused ? firstAddress + person % 5 : 100 + person) : 0)
                }
            }
            writer.add(app: .invalid, auth: .invalid, at: Instant(day: day, nanosecondOfDay: 0))
        }
        tally.add(writer.finish(), for: FailingNowTests.identity)
        tally.updateNewest(asOf)
        tally.evidence = Tally.Evidence()
        var rules = PolicyRules()
        rules.numbers.confirm = 1
        change(&rules.numbers)
        return Evaluator(tally: tally, rules: rules, asOf: asOf).assess(FailingNowTests.identity)
    }

    @Test func itDecides() throws {
        // Of an hour, 12 persons pass, and 8 requests of 5 addresses do not.
        let assessment = assess(14..<16, 8)
        let reason = try assessment.reason("failing-now")
        #expect(assessment.verdict == .wait && reason.kind == .against)
        #expect(reason.instant == instant("2026-10-14T14:00:00Z") && reason.count == 10 && reason.total == 34)
        #expect(assessment.failing == reason && assessment.outlook == .noDate(nil))
        #expect(assess(14..<16, 8, app: .invalid).verdict == .investigate)
        #expect(assess(14..<16, 8) { $0.maxBlocked = 0.5 }.failing == nil, "it is allowed")
    }

    /// One client that repeats is not many people; and without addresses more are needed.
    @Test func fromSeveralPeople() {
        #expect(assess(14..<16, 1).failing == nil)
        #expect(assess(14..<16, 8, hasAddresses: false).failing == nil)
        #expect(assess(14..<17, 20, hasAddresses: false).failing != nil)
    }

    /// What has been so in the same hours of the week before is no news.
    @Test func whatIsUsual() {
        #expect(assess(14..<16, 8, usually: 14..<16).failing == nil)
    }

    /// When as many were served again as were refused, it is over.
    @Test func itEnds() {
        let assessment = assess(9..<11, 12, then: 11..<18)
        #expect(assessment.failing == nil)
        #expect(assessment.segments.lastRaised?.end == instant("2026-10-14T11:00:00Z"))
    }

    // MARK: Few

    /// λ = ½·χ²⁻¹(0.95; 2(x + 1)), by tables.
    @Test(
        arguments: [(0, 2.995732), (1, 4.743865), (2, 6.295794), (10, 16.962219), (2.5, 7.033570)] as [(Double, Double)]
    )
    func poissonBounds(events: Double, bound: Double) {
        #expect(abs(PoissonBound.upper(events: events, confidence: 0.95) - bound) < 1e-5)
    }

    private func quiet(
        _ blocked: Int, days: Int, perWeek: Double? = 1, change: (inout Scenario) -> Void = { _ in }
    ) -> Assessment {
        var log = Scenario()
        log.add(generation: .second, days: (1 - days)...0, .valid(2))
        log.add("other", generation: .second, days: -27...0, .valid(20), .invalid(1))
        log.add(generation: .second, days: (-7 - blocked)..<(-7), .missing(1))
        log.rules.numbers.maxPerWeek = perWeek
        change(&log)
        return log.assess(generation: .second)
    }

    /// One a week takes 21 days without a refused one; three take 7, 12 or 15 days for none, one or two.
    @Test(arguments: [
        (0, 21, 1, true), (0, 20, 1, false), (1, 12, 3, true), (1, 11, 3, false), (2, 15, 3, true), (2, 14, 3, false),
    ])
    func fewRequestsAWeek(blocked: Int, days: Int, perWeek: Double, isFew: Bool) throws {
        let assessment = quiet(blocked, days: days, perWeek: perWeek)
        #expect((assessment.verdict == .enforce) == isFew)
        #expect(assessment.codes.contains("few") == isFew)
        guard isFew else { return }
        #expect(try assessment.reason("few").limit == perWeek)
        #expect(assessment.perWeekUpper == (try assessment.reason("few").value))
        #expect(quiet(blocked, days: days, perWeek: nil).verdict != .enforce)
    }

    /// A number a week brings a date where no share ever would.
    @Test func theForecastKnowsFew() {
        #expect(quiet(0, days: 20).outlook == .date(Scenario().day(1), .steady))
        #expect(quiet(0, days: 20, perWeek: nil).outlook == .noDate(nil))
    }

    @Test func aWeekOfRefusalsDoesNotDrown() {
        #expect(quiet(0, days: 28, perWeek: 3).codes.first == "few")
        let recent = quiet(0, days: 28, perWeek: 3) { $0.add(generation: .second, days: [-1, 0], .missing(2)) }
        #expect(recent.codes.first != "few", "four in the last week")
        let unread = quiet(0, days: 28, perWeek: 3) { log in
            for _ in 0..<12 { log.add(generation: .second, at: nil, .missing(1)) }
        }
        #expect(unread.verdict == .insufficient && unread.codes.contains("uncounted"))
    }

    /// What is safe by its share stays safe where a number a week is accepted as well.
    @Test(arguments: [(4, true), (8, false)])
    func uncountedRequestsAreHeldAgainstBothLimits(undated: Int, isSafe: Bool) {
        for perWeek in [nil, 1.0] {
            let assessment = quiet(0, days: 28, perWeek: perWeek) { log in
                log.add(generation: .second, days: -27...0, .valid(43))
                for _ in 0..<undated { log.add(generation: .second, at: nil, .missing(1)) }
            }
            #expect(assessment.uncounted == undated && assessment.period.admitted == 28 * 45)
            #expect((assessment.verdict == .enforce) == isSafe)
            #expect(assessment.codes.contains("uncounted") != isSafe)
        }
    }

    // MARK: Left out

    @Test func ownClientsAreLeftOut() {
        func assess(_ ignored: Set<ClientKind>) -> Assessment {
            var log = Scenario()
            log.add(
                generation: .second, days: -6...0, .valid(300), .missing(1),
                .missing(9).by(Client(kind: .iosSimulator)), .invalid(4, auth: .missing).by(Client(kind: .tool)))
            log.rules.numbers.ignoredClients = ignored
            return log.assess(generation: .second)
        }
        let (all, simulators, both) = (assess([]), assess([.iosSimulator]), assess([.iosSimulator, .tool]))
        #expect(all.leftOut == 0 && all.period.admitted == 7 * 314 && all.period.blocked == 7 * 14)
        #expect(simulators.leftOut == 63 && simulators.period.admitted == 7 * 305)
        #expect(simulators.period.blocked == 7 * 5 && simulators.period.signedInNoToken == 7)
        #expect(simulators.signedIn.period.admitted == 7 * 301 && simulators.signedIn.period.blocked == 7)
        #expect(both.leftOut == 91 && both.period.blocked == 7 && both.period.tokenRefused == 0)
        #expect(all.verdict == .wait && both.verdict == .enforce)
    }
}
