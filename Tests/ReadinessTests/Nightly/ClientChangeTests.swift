import Readiness
import TestSupport
import Testing
import Verifications

/// What the report tells of clients: moves beyond chance, and nothing that noise or missing evidence makes.
@Suite struct ClientChangeTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .first)

    /// Four weeks of requests, a part of which would be refused; on the last day `last` of those are of WebViews,
    /// before that `usual`.
    private func report(
        usual: ClosedRange<Int>, last: Int, refused: Int = 60, refusedLast: Int? = nil, hours: Int = 12,
        isKnown: Bool = true,
        random: inout SeededGenerator
    ) -> NightlyReport {
        var log = Scenario()
        var callers = FunctionCallers()
        for offset in -27...0 {
            let views = offset == 0 ? last : Int.random(in: usual, using: &random)
            let refused = offset == 0 ? refusedLast ?? refused : refused
            log.add(days: [offset], .valid(1000 - refused), .missing(refused, hours: hours))
            callers.update(log.day(offset)) { day in
                day.rows = 1000
                day.withRow = 1000
                for (kind, app, count) in [
                    (ClientKind.web, TokenStatus.valid, 1000 - refused), (.web, .missing, refused - views),
                    (.androidWebView, .missing, views),
                ] {
                    day.signedIn.add(
                        count, app: app, client: AdmittedCallers.Client(kind: kind), answer: .success, address: 0)
                }
            }
        }
        var evidence = CallEvidence()
        evidence.add(callers, for: ClientChangeTests.identity)
        if !isKnown { evidence.givenUpThrough = log.day(-5) }
        log.rules.numbers.confirm = 1
        let judge = Judge(tally: log.tally, rules: log.rules, asOf: log.asOf, evidence: evidence)
        return NightlyReport(judge: judge, input: InputSummary(), selection: Selection())
    }

    @Test func aMoveIsTold() throws {
        var random = SeededGenerator(seed: 1)
        let report = report(usual: 1...3, last: 41, random: &random)
        #expect(report.told == ["clients f"])
        guard case .clients(_, .androidWebView, let change) = try #require(report.changes.first) else {
            Issue.record("another kind of client")
            return
        }
        #expect(change.isRise && change.now.blocked == 41 && change.now.admitted == 1000)
        #expect(report.changes.first?.urgency == .worse)
    }

    /// The rate of a function and that of the clients behind it are one piece of news.
    @Test func aMoveOfBothIsToldOnce() throws {
        var random = SeededGenerator(seed: 4)
        for (usual, last, refused) in [(1...3, 203, 260), (56...58, 1, 4)] {
            let report = report(usual: usual, last: last, refusedLast: refused, random: &random)
            #expect(report.told == ["rate f"])
            guard case .rate(_, let change) = try #require(report.changes.first) else { continue }
            #expect(change.client == .androidWebView && change.now.blocked == refused)
            #expect(change.isRise == (refused > 60))
        }
        // As much is refused as before, and more of it comes from others.
        let report = report(usual: 1...3, last: 41, refusedLast: 59, random: &random)
        #expect(report.told == ["clients f"])
    }

    /// A rise within two hours may be one client's; what was given up may have been anything.
    @Test func burstsAndGapsAreNoNews() {
        var random = SeededGenerator(seed: 2)
        #expect(report(usual: 1...3, last: 41, hours: 2, random: &random).told == [])
        #expect(report(usual: 1...3, last: 41, isKnown: false, random: &random).told == [])
    }

    /// Nothing moves: told of in fewer than one night in twenty.
    @Test func noiseIsNoNews() {
        var random = SeededGenerator(seed: 3)
        let nights = 200
        let alarms = (0..<nights).count { _ in
            // Ten people, each with a few requests.
            let last = (0..<60).count { _ in Int.random(in: 0..<6, using: &random) == 0 }
            return !report(usual: 5...15, last: last, random: &random).told.isEmpty
        }
        #expect(alarms * 20 <= nights)
    }
}
