import TestSupport
import Testing
import Verifications

@testable import Readiness

/// The newest requests, few refused requests a week, and clients that are left out.
@Suite struct FailingNowTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    /// 200 valid requests an hour in four hours of each day, then the given newest ones on T's day.
    private func assess(
        _ newest: [(app: TokenStatus, minute: Int)], auth: TokenStatus = .valid, usual: ClosedRange<Int> = -27...(-1),
        usually: TokenStatus = .valid, client: ClientKind? = nil, hour: Int64 = 14,
        _ change: (inout VerdictPolicy) -> Void = { _ in }
    ) -> Assessment {
        let asOf = instant("2026-10-14T15:59:59Z")
        var (tally, writer) = (Tally(), CellWriter())
        func add(_ app: TokenStatus, _ auth: TokenStatus, _ instant: Instant) {
            writer.add(app: app, auth: auth, at: instant)
            guard auth != .invalid else { return }
            writer.table.recent.add(
                .init(instant, app: app, isServed: false),
                .init(isSignedIn: auth == .valid, client: client, revision: .none), count: 1, before: asOf)
        }
        for offset in -27...0 {
            let day = asOf.day.advanced(by: offset)
            for index in 0..<800 where offset < 0 || index < 400 {
                let isUsual = usual.contains(offset)
                let time = (isUsual ? 12 + Int64(index) / 200 : Int64(index) / 200) * 3600 + Int64(index % 200) * 17
                add(isUsual ? usually : .valid, .valid, Instant(day: day, nanosecondOfDay: time * 1_000_000_000))
            }
            add(.invalid, .invalid, Instant(day: day, nanosecondOfDay: 0))
        }
        for request in newest {
            let time = hour * 3600 + Int64(request.minute) * 60
            add(request.app, auth, Instant(day: asOf.day, nanosecondOfDay: time * 1_000_000_000))
        }
        tally.add(writer.finish(), for: FailingNowTests.identity)
        tally.updateNewest(asOf)
        var rules = PolicyRules()
        rules.numbers.confirm = 1
        change(&rules.numbers)
        return Evaluator(tally: tally, rules: rules, asOf: asOf).assess(FailingNowTests.identity)
    }

    private func requests(_ blocked: Int, _ valid: Int, app: TokenStatus = .missing, minutes: Int = 35)
        -> [(app: TokenStatus, minute: Int)]
    {
        (0..<blocked).map { (app, blocked > 1 ? $0 * minutes / (blocked - 1) : 0) }
            + (0..<valid).map { (.valid, $0) }
    }

    @Test func anOutageOfTheLastHour() throws {
        let assessment = assess(requests(15, 5))
        let reason = try assessment.reason("failing-now")
        #expect(reason.value == 15 && reason.limit == 10 && reason.kind == .advice)
        #expect(assessment.failing?.instant == instant("2026-10-14T14:00:00Z"))
        #expect(assessment.failing?.total == 20)
        #expect(assess(requests(14, 6)).codes.contains("failing-now") == false, "three quarters")
        #expect(assessment.failing?.count == 0)
        #expect(assess(requests(15, 5, app: .invalid)).failing?.count == 15)
    }

    /// At any volume: of the newest hour, or of twenty where these are more.
    @Test func aBusyHour() {
        #expect(assess(requests(90, 30)).failing?.total == 120)
        #expect(assess(requests(89, 31)).failing == nil)
    }

    /// It holds something true and decides nothing: the bounds see an outage as soon as it is large enough to matter.
    @Test func itDecidesNothing() {
        let accepted = assess(requests(15, 5)) { $0.maxBlocked = 0.03 }
        #expect(accepted.verdict == .enforce && accepted.codes.contains("failing-now"))
        #expect(assess(requests(0, 20)) { $0.maxBlocked = 0.03 }.verdict == .enforce)
    }

    /// What has been so in the same hours of the week before is no news; an hour without requests shows nothing.
    @Test func whatIsUsual() {
        #expect(assess(requests(15, 5), usually: .missing).failing == nil)
        #expect(assess(requests(15, 5), usual: -7 ... -7, usually: .missing).failing == nil, "the same weekday")
        #expect(assess(requests(15, 5), usual: -6 ... -4, usually: .missing).failing == nil)
        #expect(assess(requests(15, 5), usually: .missing, hour: 10).failing != nil)
    }

    /// Where most requests are signed in, what others send is not asked about.
    @Test func requestsThatAnybodyCanSend() {
        #expect(assess(requests(20, 0), auth: .missing).failing == nil)
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
