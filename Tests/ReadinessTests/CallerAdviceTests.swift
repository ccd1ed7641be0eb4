import TestSupport
import Testing
import Verifications

@testable import Readiness

/// What user agents and answers advise next to a verdict, which stays as it is.
@Suite struct CallerAdviceTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    private func ios(_ version: String) -> AdmittedCallers.Client {
        .init(ClientCode(.ios), version: ClientVersion(app: "com.example", version: version, os: "17"))
    }

    private func judged(_ log: Scenario, _ change: (Int, inout CallerDay) -> Void) throws -> FunctionSummary {
        var callers = FunctionCallers()
        for offset in -27...0 { callers.update(log.day(offset)) { change(offset, &$0) } }
        var evidence = CallEvidence()
        evidence.add(callers, for: CallerAdviceTests.identity)
        let evaluator = Evaluator(tally: log.tally, rules: log.rules, asOf: log.asOf, evidence: evidence)
        let summary = Summary(evaluator: evaluator, input: InputSummary(), selection: Selection())
        let function = try #require(summary.functions.first)
        #expect(function.assessment.verdict == log.assess(generation: .second).verdict)
        return function
    }

    /// Advice of a function of which each day 10 requests without a token come from one client.
    private func advice(
        _ kind: ClientKind, app: TokenStatus = .missing, answer: RequestRow.ResponseClass = .success, web: Int = 0,
        enforced: Bool = false
    ) throws -> [Finding] {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300), .missing(20))
        if enforced {
            var entry = PolicyEntry(match: Glob("f"), line: 1)
            entry.enforced = .date(log.day(-60))
            log.rules.entries = [entry]
        }
        let function = try judged(log) { _, day in
            day.rows = 10
            day.signedIn.add(10, app: app, client: .init(kind: kind), answer: answer, address: 1, hour: 0)
            day.signedIn.add(web, app: .missing, client: .init(kind: .web), answer: .success, address: 1, hour: 0)
        }
        let codes: Set = ["already-failing", "not-an-app", "valid-from-tools"]
        return function.assessment.reasons.filter { codes.contains($0.name) }
    }

    @Test func requestsThatFailAnyway() throws {
        #expect(try advice(.web, answer: .failure) == [Finding(code: .alreadyFailing, value: 70, total: 70)])
        #expect(
            try advice(.web, answer: .unauthenticated, web: 1) == [Finding(code: .alreadyFailing, value: 70, total: 77)]
        )
        #expect(try advice(.web) == [])
        #expect(try advice(.web, answer: .failure, enforced: true) == [])
    }

    @Test(arguments: ClientKind.allCases)
    func requestsOfNoApp(kind: ClientKind) throws {
        let isForeign = [.tool, .server, .google, .none].contains(kind)
        #expect(
            try advice(kind, web: 9)
                == (isForeign ? [Finding(code: .notAnApp, value: 70.0 / 133, limit: 0.5, count: 70, total: 133)] : []))
        #expect(try advice(kind, web: 10) == [], "half of them is not most of them")
        #expect(try advice(kind, web: 9, enforced: true).map(\.name) == (isForeign ? ["not-an-app"] : []))
    }

    @Test(arguments: ClientKind.allCases)
    func validTokensOfTools(kind: ClientKind) throws {
        let isOdd = [.tool, .server, .iosSimulator].contains(kind)
        #expect(try advice(kind, app: .valid) == (isOdd ? [Finding(code: .validFromTools, value: 70)] : []))
    }

    @Test func oldVersions() throws {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300), .missing(100))
        let clients = try judged(log) { _, day in
            day.rows = 400
            day.signedIn.add(40, app: .missing, client: ios("1.9"), answer: .success, address: 1, hour: 0)
            day.signedIn.add(360, app: .valid, client: ios("1.10"), answer: .success, address: 1, hour: 0)
        }.callers?.clients
        #expect(clients?.outdated?.version == "1.9")
    }

    /// Nothing is waited for where the newest version is refused just as well.
    @Test func newVersionsThatAreRefusedToo() throws {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300), .missing(100))
        let clients = try judged(log) { _, day in
            day.rows = 44
            day.signedIn.add(40, app: .missing, client: ios("1.9"), answer: .success, address: 1, hour: 0)
            day.signedIn.add(3, app: .missing, client: ios("1.10"), answer: .success, address: 1, hour: 0)
            day.signedIn.add(1, app: .valid, client: ios("1.10"), answer: .success, address: 1, hour: 0)
        }.callers?.clients
        #expect(clients != nil && clients?.outdated == nil)
    }
}
