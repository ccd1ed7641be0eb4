import Readiness
import Rollout
import TestSupport
import Testing
import Verifications

/// The first verdict that applies, and why.
@Suite struct VerdictTests {
    private static let first = Day(number: 20_000)

    /// A rollout over days, each with `users` users, the first `failing` of whom only fail.
    ///
    /// The users of two days are different ones. After the days come three that are not complete.
    private func tally(
        _ days: [(users: Int, failing: Int)], others: Int = 0
    ) -> EventTally {
        var tally = EventTally(horizon: Day(number: 30_000))
        tally.clients = [ClientVersion(app: "", version: "", os: "")]
        var next: UInt64 = 1
        func user() -> UInt64 {
            next += 1
            return next &* 0x9E37_79B9_7F4A_7C15
        }
        for (index, count) in days.enumerated() {
            let day = VerdictTests.first.advanced(by: index)
            for number in 0..<count.users {
                tally.count(number < count.failing ? .failure : .success, user: user(), day: day, client: 0)
            }
            for _ in 0..<others { tally.count(.other, user: user(), day: day, client: 0) }
        }
        tally.widen(day: VerdictTests.first.advanced(by: days.count + 2), instant: nil)
        return tally
    }

    private func judged(
        _ days: [(users: Int, failing: Int)], percent: Double? = 10, others: Int = 0, _ policy: RolloutPolicy = .init()
    ) -> RolloutAssessment {
        let template = percent.map { RolloutTemplate(percent: $0, condition: "c", defaultValue: false) }
        return RolloutAssessment(tally(days, others: others), template: template, policy: policy)
    }

    @Test func fewFailuresRaise() {
        let assessment = judged(Array(repeating: (100, 0), count: 14))
        #expect(assessment.verdict == .raise)
        #expect(assessment.reasons == [.fewFailures(upper: assessment.upper)])
        #expect(assessment.upper == ClopperPearson.upper(blocked: 0, requests: 1400, confidence: 0.95))
        #expect(assessment.next == 25)
        #expect(assessment.window == VerdictTests.first...VerdictTests.first.advanced(by: 13))
    }

    @Test func manyFailuresRollBack() {
        let assessment = judged(Array(repeating: (100, 5), count: 14))
        #expect(assessment.verdict == .rollBack)
        #expect(assessment.reasons.contains(.tooManyFailures(lower: assessment.lower)))
        #expect(assessment.lower > 0.02)
        #expect(assessment.next == 5)
        // Even when everybody has it.
        #expect(judged(Array(repeating: (100, 5), count: 14), percent: 100).verdict == .rollBack)
    }

    /// One day is enough, at a confidence that allows for looking at all of them.
    @Test func badDayRollsBack() throws {
        var days = Array(repeating: (users: 1000, failing: 0), count: 14)
        days[12] = (200, 30)
        let assessment = judged(days)
        #expect(assessment.verdict == .rollBack)
        let lower = ClopperPearson.lower(blocked: 30, requests: 200, confidence: 1 - 0.05 / 14)
        #expect(assessment.reasons == [.badDay(VerdictTests.first.advanced(by: 12), lower: lower)])
        #expect(assessment.lower < 0.02)
    }

    /// An outage is over after three good days; only these are judged, and few users are no reason to raise.
    @Test(arguments: [(1000, RolloutVerdict.raise), (20, .hold)])
    func recovered(users: Int, verdict: RolloutVerdict) throws {
        var days = Array(repeating: (users: users, failing: 0), count: 14)
        days[4] = (users, users / 3)
        days[5] = (users, users / 2)
        for last in [8, 11] {
            let assessment = judged(Array(days.prefix(last + 1)))
            let span = VerdictTests.first.advanced(by: 4)...VerdictTests.first.advanced(by: 5)
            guard case .recovered(span, let lower) = try #require(assessment.reasons.first) else {
                Issue.record("\(assessment.reasons)")
                return
            }
            #expect(lower > 0.02)
            #expect(assessment.verdict == verdict)
            #expect(assessment.window?.lowerBound == span.upperBound.advanced(by: 1))
            #expect(assessment.counts.total == UserCount(users: users * (last - 5)))
        }
        #expect(judged(Array(days.prefix(8))).verdict == .rollBack)
        // Failures that go on, each day too few to show.
        #expect(judged(Array(repeating: (users: 100, failing: 3), count: 14)).verdict == .rollBack)
        #expect(
            judged(Array(repeating: (1000, 25), count: 9) + Array(repeating: (1000, 2), count: 5)).verdict == .raise)
    }

    /// The percentage to go back to: the one that was typed, or a step.
    @Test func rollbackRevision() {
        let tally = tally(Array(repeating: (100, 9), count: 14))
        func next(_ percent: Double, _ policy: RolloutPolicy = .init()) -> Double? {
            RolloutAssessment(tally, template: RolloutTemplate(percent: percent), policy: policy).next
        }
        var named = RolloutPolicy()
        named.previous = 7
        #expect(next(25, named) == 7)
        #expect(next(25) == 10)
        #expect(next(1) == 0)
    }

    @Test func everybodyIsDone() {
        #expect(judged(Array(repeating: (100, 0), count: 14), percent: 100).verdict == .done)
        #expect(judged([], percent: 100).verdict == .done)
    }

    /// Placeholders by the rollout alone: one for each iOS user without App Attest.
    @Test(arguments: [(87, 13, true), (80, 20, true), (79, 21, false), (100, 0, true), (0, 100, false)])
    func expectedInvalid(placeholders: Int, verified: Int, explains: Bool) throws {
        let function = FunctionIdentity(project: "p", region: "r", name: "f", generation: .second)
        func logs(_ day: Day) -> Tally {
            var writer = CellWriter()
            let (noon, ios) = (Instant(day: day, nanosecondOfDay: 43_200_000_000_000), Client(kind: .ios))
            writer.add(verified, app: .valid, auth: .missing, at: noon, of: ios)
            writer.add(placeholders, app: .invalid, at: noon, of: ios, cause: .placeholder)
            writer.add(500, app: .invalid, at: noon, cause: .placeholder)
            writer.add(500, at: noon, of: Client(kind: .android))
            var tally = Tally()
            tally.add(writer.finish(), for: function)
            return tally
        }
        let ten = RolloutTemplate(percent: 10)
        let of = { RolloutAssessment(tally([]), template: $0, policy: $1, logs: $2).expectedInvalid }
        let expected = try #require(of(ten, RolloutPolicy(), logs(VerdictTests.first)))
        #expect(expected.share == 0.9)
        #expect(expected.observed == Double(placeholders) / 100)
        #expect(expected.explains == explains)
        #expect(of(nil, RolloutPolicy(), logs(VerdictTests.first)) == nil)
        #expect(of(ten, RolloutPolicy(), Tally()) == nil)
        // What was before the last change is of another percentage.
        var policy = RolloutPolicy()
        policy.since = VerdictTests.first
        #expect(of(ten, policy, logs(VerdictTests.first)) == nil)
        #expect(of(ten, policy, logs(VerdictTests.first.advanced(by: 1))) != nil)
    }

    /// Services count placeholders as INVALID, and name the app of verified requests alone.
    @Test func expectedInServices() {
        var services = ServiceCounts()
        func add(_ count: Int, _ service: String, _ security: String, app: String = "UNKNOWN", day: Int = 1) {
            let start = Instant(day: VerdictTests.first.advanced(by: day), nanosecondOfDay: 0)
            services.add(
                [start..<start.adding(seconds: 3600): count],
                of: ServiceCounts.Series(
                    project: "p", service: service, security: security, result: "ALLOW", app: app))
        }
        let (ios, web) = ("1:12:ios:ab", "1:12:web:ab")
        add(100, "firestore.googleapis.com", "VALID", app: ios)
        add(880, "firestore.googleapis.com", "INVALID")
        add(5000, "firestore.googleapis.com", "VALID", app: web)
        add(50, "firebasestorage.googleapis.com", "VALID", app: ios)
        add(50, "firebasestorage.googleapis.com", "INVALID")
        add(70, "identitytoolkit.googleapis.com", "VALID", app: web)
        add(70, "identitytoolkit.googleapis.com", "INVALID")
        add(9000, "firestore.googleapis.com", "INVALID", day: 0)
        var policy = RolloutPolicy()
        policy.since = VerdictTests.first
        let found = RolloutAssessment(
            tally([]), template: RolloutTemplate(percent: 10), policy: policy, services: services
        ).services
        #expect(found.map(\.service.name) == ["firebasestorage.googleapis.com", "firestore.googleapis.com"])
        #expect(found.map(\.expected.observed) == [0.5, 880.0 / 980])
        #expect(found.map(\.expected.explains) == [false, true])
        #expect(found.allSatisfy { $0.expected.share == 0.9 })
    }

    @Test func fewDaysHold() {
        #expect(judged([(500, 0), (500, 0)]).reasons == [.tooFewDays(2)])
        #expect(judged([(500, 0), (500, 0)]).verdict == .hold)
        #expect(judged([]).reasons == [.tooFewDays(0)])
        #expect(judged([], percent: 0).reasons == [.notStarted, .tooFewDays(0)])
    }

    /// Users who have events at 0%, such as testers, are judged like others.
    @Test func zeroPercentIsJudged() {
        let assessment = judged(Array(repeating: (100, 0), count: 3), percent: 0, others: 900)
        #expect(assessment.verdict == .raise)
        #expect(assessment.reasons == [.fewFailures(upper: assessment.upper)])
        #expect(assessment.next == 1)
        #expect(judged(Array(repeating: (5, 0), count: 3), percent: 0).reasons == [.fewUsers(15)])
        #expect(judged(Array(repeating: (5, 0), count: 3), percent: 0).next == 1)
        #expect(judged(Array(repeating: (100, 5), count: 14), percent: 0).verdict == .rollBack)
    }

    /// Late days are no judged days: three of them must be complete.
    @Test func lateDaysAreNotJudged() {
        var tally = tally([(200, 0), (200, 0), (200, 0)])
        for day in 3..<6 {
            for user in 1..<100 as Range<UInt64> {
                tally.count(
                    .failure, user: user << 40, day: VerdictTests.first.advanced(by: day), client: 0)
            }
        }
        let assessment = RolloutAssessment(tally, template: RolloutTemplate(percent: 10))
        #expect(assessment.verdict == .raise)
        #expect(assessment.counts.days.count == 6)
    }

    /// 100 of 1,000 iOS users report, of whom a quarter should.
    @Test func silentUsersHold() {
        let days = Array(repeating: (users: 100, failing: 0), count: 14)
        let assessment = judged(days, percent: 25, others: 900)
        #expect(assessment.reporting == 0.4)
        #expect(assessment.verdict == .hold)
        #expect(assessment.reasons == [.underReported(share: 0.4)])
        #expect(judged(days, percent: 10, others: 900).verdict == .raise)
        // Not even at 100%.
        #expect(judged(days, percent: 100, others: 900).reasons == [.underReported(share: 0.1)])
        #expect(judged(days, percent: 100, others: 900).verdict == .hold)
        #expect(judged(days, percent: 25).reporting == nil)
        #expect(judged(days, percent: nil, others: 900).reporting == nil)
    }

    /// A system on which nobody succeeds is named, if others succeed.
    @Test func systemsThatNeverSucceed() {
        var tally = tally(Array(repeating: (100, 0), count: 14))
        tally.clients += ["18.6", "18.7", "26.0"].map { ClientVersion(app: "a", version: "2", os: $0) }
        // On one day they would be an outage that is over.
        for (client, users) in [(UInt16(1), UInt64(4)), (2, 15), (3, 5)] {
            for user in 0..<users {
                let isGood = client == 3 && user == 0
                let hash = (UInt64(client) * 100 + user) &* 0x9E37_79B9_7F4A_7C15
                let day = VerdictTests.first.advanced(by: Int(user) % 14)
                tally.count(isGood ? .success : .failure, user: ~hash, day: day, client: client)
            }
        }
        let never = RolloutAssessment(tally, template: nil).counts.neverSucceeding
        #expect(never.systems.map(\.name) == ["18.7"] && never.systems.map(\.users) == [15])
        #expect(never.apps.isEmpty)
    }

    /// No event is expected of an old system, of a version from before App Attest, nor of an app without it.
    @Test func whoCannotReport() {
        var tally = tally(Array(repeating: (100, 0), count: 14))
        tally.clients = [
            ClientVersion(app: "a", version: "1.10", os: "17"), ClientVersion(app: "a", version: "1.9", os: "17"),
            ClientVersion(app: "a", version: "1.10", os: "13"), ClientVersion(app: "b", version: "3", os: "17"),
            ClientVersion(app: "a", version: "2", os: "17"), ClientVersion(app: "", version: "", os: ""),
        ]
        let day = VerdictTests.first.advanced(by: 3)
        for client in UInt16(1)..<6 {
            for user in UInt64(0)..<10 {
                tally.count(.other, user: (UInt64(client) * 10 + user) << 40, day: day, client: client)
            }
        }
        var template = RolloutTemplate(percent: 100)
        let assessment = RolloutAssessment(tally, template: template)
        #expect(assessment.counts.able == 1420)
        #expect(assessment.counts.outdated == 20)
        #expect(assessment.counts.unsupported == 10)
        #expect(assessment.reporting == 1400.0 / 1420)
        // Nobody knows how many a condition leaves out.
        template.isNarrowed = true
        #expect(RolloutAssessment(tally, template: template).reporting == nil)
    }

    /// Too few users for a bound are no reason to wait: nothing is refused yet.
    @Test func fewUsersRaise() {
        let assessment = judged(Array(repeating: (6, 0), count: 10), percent: 1)
        #expect(assessment.reasons == [.fewUsers(60)])
        #expect(assessment.verdict == .raise)
        #expect(assessment.next == 5)
        #expect(judged(Array(repeating: (2, 0), count: 10), percent: 1).next == 25)
        #expect(judged(Array(repeating: (1, 0), count: 3), percent: 1).next == 100)
    }

    @Test func unclearFailuresHold() {
        let assessment = judged(Array(repeating: (40, 1), count: 10))
        #expect(assessment.verdict == .hold)
        #expect(assessment.reasons == [.tooFewUsers(upper: assessment.upper)])
        #expect(assessment.lower < 0.02 && assessment.upper > 0.02)
    }

    @Test func withoutTemplateNothingIsNext() {
        let assessment = judged(Array(repeating: (100, 0), count: 14), percent: nil)
        #expect(assessment.verdict == .raise)
        #expect(assessment.next == nil)
    }

    /// What is raised never had a lower bound above what may fail, and what is rolled back did.
    @Test func boundsDecide() {
        for failing in 0...40 {
            let assessment = judged(Array(repeating: (60, failing / 2), count: 12) + [(60, failing % 2)])
            switch assessment.verdict {
            case .raise: #expect(assessment.upper <= 0.02)
            case .rollBack: #expect(assessment.lower > 0.02 || !assessment.reasons.isEmpty)
            case .hold: #expect(assessment.lower <= 0.02 && assessment.upper > 0.02)
            case .done: Issue.record("the rollout is at 10 %")
            }
        }
    }

    /// A user with a token before the window has a key already.
    @Test func returningUsers() {
        var tally = EventTally(horizon: Day(number: 30_000))
        tally.clients = [ClientVersion(app: "", version: "", os: "")]
        let window = VerdictTests.first...VerdictTests.first.advanced(by: 2)
        tally.count(.success, user: 1 << 40, day: VerdictTests.first.advanced(by: -1), client: 0)
        tally.count(.failure, user: 1 << 40, day: VerdictTests.first, client: 0)
        tally.count(.other, user: 2 << 40, day: VerdictTests.first.advanced(by: -1), client: 0)
        tally.count(.success, user: 2 << 40, day: VerdictTests.first, client: 0)
        let counts = RolloutCounts(tally, window: window)
        #expect(counts.returning == UserCount(users: 1, failedOnly: 1))
        #expect(counts.firstTime == UserCount(users: 1, failedOnly: 0))
    }
}
