import TestSupport
import Testing
import Verifications

@testable import Readiness

/// What user agents and answers advise next to a verdict, which stays as it is.
@Suite struct CallerAdviceTests {
    private func ios(_ version: String) -> Client {
        Client(ClientCode(.ios), version: ClientVersion(app: "com.example", version: version, os: "17"))
    }

    /// A function with the same requests on each day, some of them with a row.
    private func judged(
        _ requests: Requests..., enforced: Bool = false, countsPrograms: Bool = false
    ) throws -> Assessment {
        func assess(_ requests: [Requests]) -> Assessment {
            var log = Scenario()
            for requests in requests { log.add(generation: .second, days: -27...0, requests) }
            log.rules.numbers.countsMachines = countsPrograms
            if enforced {
                var entry = PolicyEntry(match: Glob("f"), line: 1)
                entry.settings.enforced = .date(log.day(-60))
                log.rules.entries = [entry]
            }
            return log.assess(generation: .second)
        }
        let found = assess(requests)
        let unknown = assess(requests.map { Requests(app: $0.app, auth: $0.auth, count: $0.count, hours: 1) })
        #expect(found.verdict == unknown.verdict)
        return found
    }

    /// Advice of a function of which each day 10 requests without a token come from one client.
    private func advice(
        _ kind: ClientKind, app: TokenStatus = .missing, auth: TokenStatus = .valid,
        answer: RequestRow.ResponseClass = .success, web: Int = 0, enforced: Bool = false, countsPrograms: Bool = false
    ) throws -> [Finding] {
        let assessment = try judged(
            .valid(300), .missing(10),
            Requests(app: app, auth: auth, count: 10, hours: 1).by(Client(kind: kind), answer),
            .missing(web, auth: auth).by(Client(kind: .web), enforced ? answer : .success), enforced: enforced,
            countsPrograms: countsPrograms)
        let codes: Set = ["already-failing", "not-an-app", "valid-from-tools"]
        return assessment.reasons.filter { codes.contains($0.name) }
    }

    @Test func requestsThatFailAnyway() throws {
        #expect(try advice(.web, answer: .failure) == [Finding(code: .alreadyFailing, value: 70, total: 70)])
        #expect(
            try advice(.web, answer: .failure, web: 1) == [Finding(code: .alreadyFailing, value: 70, total: 77)]
        )
        // A handler refuses those who are not signed in; a signed-in one that gets 401 is refused by App Check.
        #expect(
            try advice(.web, auth: .missing, answer: .unauthenticated, web: 1)
                == [Finding(code: .alreadyFailing, value: 70, total: 77)])
        #expect(try advice(.web, answer: .unauthenticated, web: 1) == [])
        #expect(try advice(.web) == [])
        #expect(try advice(.web, answer: .failure, enforced: true) == [])
    }

    @Test(arguments: ClientKind.allCases)
    func requestsOfNoApp(kind: ClientKind) throws {
        // Programs do not count where people call, too.
        #expect(try advice(kind, web: 9) == [])
        #expect(try advice(kind, answer: .unauthenticated, web: 9, enforced: true) == [])
        let names = [.server, .google, .tool, .none].contains(kind) ? ["not-an-app"] : []
        #expect(try advice(kind, web: 9, countsPrograms: true).map(\.name) == names)
        #expect(try advice(kind, web: 10, countsPrograms: true) == [], "half of them is not most of them")
    }

    @Test(arguments: ClientKind.allCases)
    func validTokensOfTools(kind: ClientKind) throws {
        let isOdd = [.tool, .server, .iosSimulator].contains(kind)
        #expect(try advice(kind, app: .valid) == (isOdd ? [Finding(code: .validFromTools, value: 70)] : []))
    }

    @Test func oldVersions() throws {
        let found = try judged(.missing(40).by(ios("1.9")), .missing(60), .valid(300).by(ios("1.10")))
        #expect(found.suspects.map(\.unit.name) == ["unknown", "com.example@1.9"])
        #expect(found.suspects.last?.blocked == 7 * 40)
    }

    /// Nothing is waited for where the newest version is refused just as well.
    @Test func newVersionsThatAreRefusedToo() throws {
        let found = try judged(
            .missing(40).by(ios("1.9")), .missing(3).by(ios("1.10")), .valid(1).by(ios("1.10")), .missing(57),
            .valid(299))
        #expect(found.clients != nil && !found.suspects.contains { $0.unit.name.contains("@") })
    }
}
