import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// What is said of those who would be refused.
@Suite struct RefusedClientsTests {
    /// The sections on a function's callers and on its verdict.
    private func section(
        _ clients: [(client: AdmittedCallers.Client, app: TokenStatus, count: Int)],
        answer: RequestRow.Answer = .success,
        addresses: Int = 0, causes: [RefusalCause: Int] = [:], decline: OutdatedApp.Decline? = nil
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
        let found = CallerSummary.Clients(
            requests: 6020, blocked: 420, callers: callers, blockedAddresses: nil,
            alreadyFailing: callers.alreadyFailing, unlogged: 0, decline: decline)
        var assessment = function.assessment
        assessment.reasons += found.advice(isEnforced: false)
        function = FunctionSummary(
            identity: function.identity, name: function.name, tally: function.tally, assessment: assessment,
            callers: CallerSummary(
                causes: causes.isEmpty ? nil : .init(counts: counts, since: Sample.day("2026-10-09")),
                enforcement: nil, clients: found))
        var document = Document(title: [])
        let explanation = Explanation(function, in: Story.judged("signUp"))
        document.sections.append(try #require(explanation.clientSection))
        document.sections += explanation.card.dropFirst()
        return document.markdown
    }

    private func ios(_ version: String) -> AdmittedCallers.Client {
        .init(kind: .ios, version: ClientVersion(app: "com.example.app", version: version, os: "17"))
    }

    /// 1.10 is newer than 1.9; a version is named only where newer ones are hardly refused.
    @Test func oldVersionsAreNamed() throws {
        let old = [(ios("1.9"), TokenStatus.missing, 40), (ios("1.10"), .missing, 43), (ios("1.11"), .valid, 300)]
        let text = try section(old + [(ios("1.11"), .missing, 8)])
        #expect(text.contains("83 of 91 requests of `com.example.app` that would be refused come from version `1.10`"))
        #expect(try section(old).contains("`1.10` or older"))
        #expect(!(try section([(ios("1.9"), .missing, 40), (ios("1.10"), .missing, 43)])).contains("or older"))
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

    /// Which versions a function waits for, and until when: in its card, and in the plan.
    @Test func versionsThatMustDisappear() throws {
        let old = [(ios("1.9"), TokenStatus.missing, 83), (ios("1.11"), .valid, 300)]
        let text = try section(old, decline: .through(Sample.day("2026-11-03")))
        #expect(text.contains("It waits for `com.example.app` `1.9` and older to disappear."))
        #expect(text.contains("it will be below 1% on 3 Nov"))
        #expect(try section(old, decline: .isUnknown).contains("not falling enough to name a day"))
        #expect(!(try section(old, decline: .isOver).contains("disappear")))
        // Where others are refused just as much, nothing would be won.
        let others = old + [(.init(kind: .web), .missing, 83)]
        #expect(!(try section(others, decline: .isUnknown).contains("disappear")))
    }

    @Test(arguments: RefusalCause.allCases)
    func everyCauseIsWorded(cause: RefusalCause) throws {
        let text = try section(
            [(.init(kind: .web), .invalid, 12)], causes: [.unexplained: 2].merging([cause: 10]) { $0 + $1 })
        #expect(text.contains("Why 12 tokens were refused") == (cause != .unexplained))
        if cause == .serverFault { #expect(text.contains("no users would be lost")) }
    }

    /// A function of which the log shows whether it is enforced.
    private func summary(_ name: String, _ state: CallerSummary.Enforcement.State) throws -> Summary {
        var summary = Story.judged(name)
        let function = try #require(summary.functions.first)
        summary.functions = [
            FunctionSummary(
                identity: function.identity, name: name, tally: function.tally, assessment: function.assessment,
                callers: CallerSummary(
                    causes: nil, enforcement: .init(state: state, evidence: 7, since: nil), clients: nil))
        ]
        return summary
    }

    /// Formats without notes have the caution with the function.
    @Test func enforcementIsHeldAgainstThePolicyInEveryFormat() throws {
        let gate = GateCheck(Gate(failOn: .lockout))
        let (off, on) = try (summary("getAccount", .off), summary("getAccount", .on))
        let caution = "getAccount: enforced by policy, but the log shows that enforcement is off"
        for format in [Format.junit, .json] {
            #expect(CheckReport(gate, on: off).text(format).contains(caution))
            #expect(!CheckReport(gate, on: on).text(format).contains("the log shows that enforcement is off"))
        }
        #expect(CheckReport(gate, on: off).text(.junit).contains("<system-out>\(caution)"))
        let (prometheusOff, prometheusOn) = (SummaryReport(off).text(.prometheus), SummaryReport(on).text(.prometheus))
        #expect(prometheusOff.contains(#/\ncallcheck_enforced_but_off{.*} 1/#))
        #expect(prometheusOn.contains(#/\ncallcheck_enforced_but_off{.*} 0/#))
    }

    /// What the log shows of enforcement is held against the policy, wherever notes are shown.
    @Test func enforcementIsHeldAgainstThePolicy() throws {
        func notes(_ name: String, _ state: CallerSummary.Enforcement.State) throws -> [Note] {
            try summary(name, state).notes
        }
        #expect(try notes("signUp", .on).contains(.enforcementOn(functions: ["signUp"])))
        #expect(try notes("getAccount", .off).contains(.enforcementOff(functions: ["getAccount"])))
        for (name, state) in [
            ("signUp", CallerSummary.Enforcement.State.off), ("getAccount", .on), ("signUp", .unknown),
        ] {
            #expect(try !notes(name, state).contains { $0 == .enforcementOn(functions: [name]) })
            #expect(try !notes(name, state).contains { $0 == .enforcementOff(functions: [name]) })
        }
    }

    /// Placeholders of iOS apps are what a rollout leaves behind; those of other clients are not.
    @Test func aRolloutIsNoAttack() throws {
        func notes(_ name: String, _ kind: ClientKind, placeholders: Int) throws -> [Note] {
            var summary = Story.judged(name)
            let function = try #require(summary.functions.first)
            var callers = AdmittedCallers()
            callers.add(placeholders, cause: .placeholder, isOfIOS: kind.isIOSApp)
            let counts = RefusalCause.allCases.map { $0 == .placeholder ? placeholders : $0 == .unexplained ? 50 : 0 }
            summary.functions = [
                FunctionSummary(
                    identity: function.identity, name: name, tally: function.tally, assessment: function.assessment,
                    callers: CallerSummary(
                        causes: .init(counts: counts, since: nil), enforcement: nil,
                        clients: .init(
                            requests: 900, blocked: 100, callers: callers, blockedAddresses: 0, alreadyFailing: 0,
                            unlogged: 0)))
            ]
            return summary.notes
        }
        let name = "scanReceipt"
        #expect(try notes(name, .ios, placeholders: 50).contains(.rolloutLikely(functions: [name])))
        #expect(try !notes(name, .ios, placeholders: 49).contains(.rolloutLikely(functions: [name])))
        #expect(try !notes(name, .android, placeholders: 50).contains(.rolloutLikely(functions: [name])))
        #expect(try !notes("signUp", .ios, placeholders: 50).contains(.rolloutLikely(functions: ["signUp"])))
    }
}
