import Readiness
import TestSupport
import Testing
import Verifications

/// Who called, and why tokens were refused, over a function's window.
@Suite struct CallerSummaryTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    private func summary(_ log: Scenario, _ callers: FunctionCallers?) -> CallerSummary? {
        var evidence = CallEvidence()
        if let callers { evidence.add(callers, for: CallerSummaryTests.identity) }
        let evaluator = Evaluator(tally: log.tally, rules: log.rules, asOf: log.asOf, evidence: evidence)
        return Summary(evaluator: evaluator, input: InputSummary(), selection: Selection()).functions.first?.callers
    }

    @Test func nothingReadIsNull() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300))
        let found = summary(log, nil)
        #expect(found != nil && found?.causes == nil && found?.clients == nil && found?.isAboutProject == false)
        let without = Evaluator(tally: log.tally, rules: log.rules, asOf: log.asOf)
        let shown = Summary(evaluator: without, input: InputSummary(), selection: Selection()).functions
        #expect(shown.first?.callers == nil)
    }

    @Test func causesAddUp() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(290), .invalid(10), .invalid(3, auth: .invalid))
        var callers = FunctionCallers()
        for offset in -27...0 {
            callers.update(log.day(offset)) { day in
                day.signedIn.add(offset < -3 ? 2 : 6, cause: .placeholder)
                day.signedIn.add(3, cause: .expired)
            }
        }
        let causes = summary(log, callers)?.causes
        #expect(causes?.counts == [3 * 2 + 4 * 6, 21, 0, 0, 0, 0, 0, 0, 3 * 5 + 4])
        #expect(causes?.since == log.day(-3))
        #expect(summary(log, nil)?.causes?[.unexplained] == 70)
    }

    /// The run of days goes back beyond the window, to the first day of the stretch at most.
    @Test func causesBeganBeforeTheWindow() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(290))
        log.add(generation: .second, days: -17...0, .invalid(10))
        log.add(generation: .second, days: -40 ... -38, .invalid(10))
        var callers = FunctionCallers()
        for offset in -17...0 { callers.update(log.day(offset)) { $0.signedIn.add(9, cause: .placeholder) } }
        #expect(summary(log, callers)?.causes?.since == log.day(-17))
        callers.update(log.day(-12)) { $0.signedIn.add(-8, cause: .placeholder) }
        #expect(summary(log, callers)?.causes?.since == log.day(-11))
        #expect(summary(log, callers)?.causes?.counts.reduce(0, +) == 70)
        var old = Scenario()
        old.add(generation: .second, days: -27...0, .valid(300), .invalid(10))
        old.add(generation: .second, days: -40 ... -38, .invalid(10))
        #expect(summary(old, nil)?.causes?.since == old.day(-27))
    }

    /// What lies before the stretch is of another log, callers included.
    @Test func callersAreThoseOfTheStretch() {
        var log = Scenario()
        log.add(generation: .second, days: [-6], .valid(5), .invalid(1))
        log.add(generation: .second, days: -1...0, .valid(3), .invalid(1))
        var callers = FunctionCallers()
        for offset in [-6, -1, 0] {
            callers.update(log.day(offset)) { day in
                day.rows = 4
                let phone = AdmittedCallers.Client(kind: .ios)
                day.signedIn.add(3, app: .valid, client: phone, answer: .success, address: 0, hour: 0)
                day.signedIn.add(1, cause: .expired)
            }
        }
        let found = summary(log, callers)
        #expect(found?.clients?.requests == 8)
        #expect(found?.clients?.callers.joined == 6)
        #expect(found?.causes?[.expired] == 2 && found?.causes?.counts.reduce(0, +) == 2)
    }

    @Test func clientsAndCategories() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300), .missing(20), .missing(4, auth: .missing))
        var callers = FunctionCallers()
        let app = AdmittedCallers.Client(
            ClientCode(.ios), version: ClientVersion(app: "com.example", version: "1.2", os: "17"))
        for offset in -6...0 {
            callers.update(log.day(offset)) { day in
                day.rows = 324
                day.signedIn.add(300, app: .valid, client: app, answer: .success, address: 1, hour: 0)
                day.signedIn.add(18, app: .missing, client: app, answer: .failure, address: 2, hour: 0)
                day.signedIn.add(
                    2, app: .missing, client: AdmittedCallers.Client(kind: .none), answer: .success, address: 3, hour: 0
                )
                day.signedOut.add(
                    4, app: .missing, client: AdmittedCallers.Client(kind: .tool), answer: .success, address: 4, hour: 0
                )
            }
        }
        let clients = summary(log, callers)?.clients
        #expect(clients?.requests == 324 * 7 && clients?.blocked == 24 * 7)
        #expect(clients?.callers.joined == 324 * 7 && clients?.callers.blockedJoined == 24 * 7)
        #expect(clients?.alreadyFailing == 18 * 7 && clients?.callers.blockedAddresses == 3)
        #expect(clients.map { $0.categories == (2100, 126, 42, 0) } == true)
        #expect(clients?.kinds.map(\.kind) == [.ios, .tool, .none])
        #expect(clients?.versions.map(\.blocked) == [126])
        log.rules.numbers.requiresAuth = true
        let signedIn = summary(log, callers)?.clients
        #expect(signedIn?.requests == 320 * 7 && signedIn?.callers.joined == 320 * 7)
        #expect(signedIn?.callers.blockedAddresses == 2)
        log.rules.numbers.ignoredClients = [.none]
        #expect(summary(log, callers)?.clients?.callers.blockedAddresses == 1)
    }
}
