import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// What is said of those who would be refused.
@Suite struct RefusedClientsTests {
    private func section(
        _ clients: [(client: AdmittedCallers.Client, app: TokenStatus, count: Int)],
        answer: RequestRow.Answer = .success,
        addresses: Int = 0, causes: [RefusalCause: Int] = [:],
        enforcement: CallerSummary.Enforcement.State = .unknown
    ) throws -> String {
        var function = try #require(Story.judged("signUp").functions.first)
        var callers = AdmittedCallers()
        for (client, app, count) in clients {
            callers.add(count, app: app, client: client, answer: answer, address: 0)
        }
        for address in 0..<addresses {
            callers.add(1, app: .missing, client: .init(kind: .android), answer: answer, address: UInt32(address + 1))
        }
        let counts = RefusalCause.allCases.map { causes[$0] ?? 0 }
        function = FunctionSummary(
            identity: function.identity, name: function.name, tally: function.tally, assessment: function.assessment,
            callers: CallerSummary(
                causes: causes.isEmpty ? nil : .init(counts: counts, since: Sample.day("2026-10-09")),
                enforcement: .init(state: enforcement, evidence: 7, since: nil),
                clients: .init(
                    requests: 6020, blocked: 420, callers: callers, alreadyFailing: callers.alreadyFailing,
                    unlogged: 0)))
        var document = Document(title: [])
        let section = try #require(Explanation(function, in: Story.judged("signUp")).clientSection)
        document.sections.append(section)
        return document.markdown
    }

    private func ios(_ version: String) -> AdmittedCallers.Client {
        .init(kind: .ios, version: ClientVersion(app: "com.example.app", version: version, os: "17"))
    }

    /// 1.10 is newer than 1.9; a version is named only where newer ones are hardly refused.
    @Test func oldVersionsAreNamed() throws {
        let old = [(ios("1.9"), TokenStatus.missing, 40), (ios("1.10"), .missing, 43), (ios("1.11"), .valid, 300)]
        #expect(try section(old + [(ios("1.11"), .missing, 8)]).contains("83 of 91 of the iOS requests"))
        #expect(try section(old).contains("`1.10` and older"))
        #expect(!(try section([(ios("1.9"), .missing, 40), (ios("1.10"), .missing, 43)])).contains("and older"))
    }

    @Test func addressesAreCountedWhereTheyAreFew() throws {
        #expect(!(try section([], addresses: 40)).contains("address"))
        let few = try section([(.init(kind: .tool), .missing, 60)], addresses: 2)
        #expect(few.contains("All 62 come from 2 addresses."))
        #expect(few.contains("do not look like an app (60 of 62)"))
    }

    @Test func whatFailsTodayIsNoLoss() throws {
        let text = try section([(.init(kind: .web), .missing, 12)], answer: .failure)
        #expect(text.contains("12 of 12 fail today already"))
    }

    @Test func validTokensOfToolsAreSuspicious() throws {
        let text = try section([(.init(kind: .tool), .valid, 3), (.init(kind: .web), .missing, 12)])
        #expect(text.contains("3 requests with a valid token claim to come from a tool"))
    }

    @Test(arguments: RefusalCause.allCases)
    func everyCauseIsWorded(cause: RefusalCause) throws {
        let text = try section(
            [(.init(kind: .web), .invalid, 12)], causes: [.unexplained: 2].merging([cause: 10]) { $0 + $1 })
        #expect(text.contains("Why 12 tokens were refused") == (cause != .unexplained))
        if cause == .serverFault { #expect(text.contains("no users would be lost")) }
    }

    @Test func enforcementThatThePolicyDoesNotKnowIsReported() throws {
        let text = try section([(.init(kind: .web), .missing, 12)], enforcement: .on)
        #expect(text.contains("The log shows that enforcement is on."))
        #expect(text.contains("`enforced: DATE`"))
    }
}
