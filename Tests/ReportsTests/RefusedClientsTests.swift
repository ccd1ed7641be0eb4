import TestSupport
import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// The text about those who would be refused.
@Suite struct RefusedClientsTests {
    /// The sections on a function's callers and on its verdict.
    private func section(
        _ clients: [(client: AdmittedCallers.Client, app: TokenStatus, count: Int)],
        answer: RequestRow.ResponseClass = .success,
        addresses: Int = 0, causes: [RefusalCause: Int] = [:]
    ) throws -> String {
        let function = try function(clients, answer: answer, addresses: addresses, causes: causes)
        var document = Document(title: [])
        let explanation = Explanation(function, in: Story.judged("signUp"))
        document.sections.append(try #require(explanation.clientSection()))
        document.sections += explanation.card.dropFirst()
        return document.markdown
    }

    /// A function that refuses 420 requests, with what is known of its callers.
    private func function(
        _ clients: [(client: AdmittedCallers.Client, app: TokenStatus, count: Int)],
        answer: RequestRow.ResponseClass = .success,
        addresses: Int = 0, causes: [RefusalCause: Int] = [:]
    ) throws -> FunctionSummary {
        let function = try #require(Story.judged("signUp").functions.first)
        var callers = AdmittedCallers()
        for (client, app, count) in clients {
            callers.add(count, app: app, client: client, answer: answer, address: 0, hour: 0)
        }
        for address in 0..<addresses {
            callers.add(
                1, app: .missing, client: .init(kind: .android), answer: answer, address: UInt16(address + 1), hour: 0)
        }
        let counts = RefusalCause.allCases.map { causes[$0] ?? 0 }
        let tools = clients.filter { [.server, .tool, .iosSimulator].contains($0.client.kind) && $0.app == .valid }
        let found = CallerSummary.Clients(
            requests: 6020, blocked: 420, callers: callers,
            machines: tools.reduce(0) { $0 + $1.count }, alreadyFailing: callers.alreadyFailing, unlogged: 0)
        let summary = CallerSummary(
            causes: causes.isEmpty ? nil : .init(counts: counts, since: Sample.day("2026-10-09")),
            isAboutProject: true, clients: found)
        return function.changed {
            $0.assessment = $0.assessment.with(moreReasons: found.advice(hasRefused: false), callers: summary)
        }
    }

    /// In a few words, where most of what would be refused comes from, or why its tokens are refused.
    @Test func causesInAFewWords() throws {
        func cause(
            _ clients: [(client: AdmittedCallers.Client, app: TokenStatus, count: Int)], addresses: Int = 0,
            causes: [RefusalCause: Int] = [:]
        ) throws -> String? {
            try function(clients, addresses: addresses, causes: causes).cause?.text(ascii: false)
        }
        let (tool, simulator) = (AdmittedCallers.Client(kind: .tool), AdmittedCallers.Client(kind: .iosSimulator))
        #expect(try cause([(ios("4.0.1"), .missing, 211), (ios("4.1"), .valid, 900)]) == "app 4.0.1 and older")
        #expect(try cause([(simulator, .invalid, 211)], causes: [.placeholder: 211]) == "simulators")
        #expect(try cause([(tool, .missing, 211)]) == "curl and scripts")
        #expect(try cause([(tool, .missing, 250)], addresses: 4) == "bots: 4 addresses")
        #expect(try cause([(.init(kind: .google), .missing, 250)], addresses: 1) == "scheduled jobs")
        #expect(try cause([(ios("4.0"), .invalid, 300)], causes: [.placeholder: 300]) == "placeholder tokens")
        #expect(try cause([], causes: [.expired: 211]) == "expired tokens")
        #expect(try cause([], causes: [.otherProject: 211]) == "tokens of another project")
        // Nothing is known about the half that has no row, or no line.
        #expect(try cause([(tool, .missing, 210)]) == nil)
        #expect(try cause([], causes: [.expired: 210, .unexplained: 210]) == nil)
        // All requests are of one platform, or of several: none is at fault more than others.
        let (web, android) = (AdmittedCallers.Client(kind: .web), AdmittedCallers.Client(kind: .android))
        #expect(try cause([(web, .missing, 400)]) == nil)
        #expect(try cause([(web, .missing, 200), (android, .missing, 200)]) == nil)
    }

    /// A platform with nine tenths of what is refused comes before the fault of its tokens.
    @Test func platformsAreNamedBeforeTokens() throws {
        func cause(_ clients: [(AdmittedCallers.Client, TokenStatus, Int)]) throws -> String? {
            try function(
                clients.map { (client: $0.0, app: $0.1, count: $0.2) }, causes: [.placeholder: 300]
            ).cause?.text(ascii: false)
        }
        func page(_ browser: Browser, _ site: String) -> AdmittedCallers.Client {
            .init(ClientCode(browser: browser, nameHash: UInt64(site.utf8.count)), version: ClientVersion(app: site))
        }
        let (app, site) = ("www.academy.example", "parents.academy.example")
        let passing = [(page(.chrome, app), TokenStatus.valid, 900), (.init(kind: .android), .valid, 900)]
        #expect(try cause(passing + [(page(.chrome, site), .invalid, 300)]) == site)
        #expect(try cause(passing + [(page(.firefox, app), .invalid, 300)]) == "Firefox")
        #expect(try cause(passing + [(ios("4.0"), .invalid, 300)]) == "iOS apps")
        #expect(try cause(passing + [(ios("4.0"), .valid, 300), (ios("4.1"), .invalid, 300)]) == "com.example.app 4.1")
        #expect(try cause(passing + [(.init(kind: .macos), .invalid, 300)]) == "macOS apps")
        #expect(
            try cause(passing + [(page(.chrome, site), .invalid, 240), (.init(kind: .android), .invalid, 60)])
                == "placeholder tokens")
    }

    /// Which versions of iOS and of the app are refused, and whether some more than others.
    @Test func versionsOfSystemsAndApps() throws {
        func client(_ version: String, os: String) -> AdmittedCallers.Client {
            .init(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: version, os: os))
        }
        let even = try section(
            ["15", "16"].flatMap { os in
                [(client("7.0", os: os), .missing, 80), (client("7.0", os: os), .valid, 900 + (os == "15" ? 7 : 0))]
            })
        #expect(even.contains("By version of iOS (no pattern by version):"))
        #expect(even.contains("80 of 980") && !even.contains("By version of the app"))
        let broken = try section([
            (client("7.0", os: "15"), .missing, 160), (client("7.0", os: "15"), .valid, 900),
            (client("7.1", os: "16"), .missing, 20), (client("7.1", os: "16"), .valid, 900),
        ])
        #expect(broken.contains("By version of the app") && !broken.contains("no pattern"))
        let few = try section([(client("7.0", os: "15"), .missing, 3), (client("7.0", os: "16"), .valid, 9)])
        #expect(!few.contains("no pattern"))
    }

    /// Pages have a column for the cause; on a terminal it replaces the deciding reason; `explain` prints the same.
    @Test func causesHaveAColumn() throws {
        var summary = Story.judged("scanReceipt", "signUp")
        func table(columns: Int) -> String { Report.summary(summary).text(.terminal(TerminalStyle(columns: columns))) }
        #expect(!Report.summary(summary).text(.markdown).contains("| cause |"))
        let known = try function([(.init(kind: .tool), .missing, 300)])
        summary.functions = summary.functions.map { $0.name == "signUp" ? known : $0 }
        #expect(table(columns: 80).contains(#/signUp .* curl and scripts +no date\n/#))
        for format in [Format.markdown, .html] {
            #expect(Report.summary(summary).text(format).contains("curl and scripts"))
            let page = Report.explanation(Explanation(known, in: summary)).text(format)
            #expect(page.contains(", mostly curl and scripts"))
        }
    }

    /// What comes from simulators comes from the team.
    @Test func simulatorsAreDevelopers() throws {
        let simulator = AdmittedCallers.Client(kind: .iosSimulator)
        let all = try section([(simulator, .invalid, 87)], causes: [.placeholder: 87])
        #expect(all.contains("All of these are simulators: your own developers."))
        #expect(!all.contains("registered"))
        let most = try section([(simulator, .invalid, 87), (ios("2.0"), .invalid, 1)], causes: [.placeholder: 88])
        #expect(!most.contains("your own developers") && most.contains("registered"))
    }

    /// Where the SDK's lines told why each token was refused, nobody needs a key to the texts.
    @Test func errorTextsAreListedWhereTheyAreNotKnown() throws {
        let texts = "Decoding App Check token failed"
        for unexplained in [0, 1] {
            let function = try #require(Story.judged("scanReceipt").functions.first)
            let callers = CallerSummary(
                causes: .init(
                    counts: RefusalCause.allCases.map { $0 == .expired ? 60 : $0 == .unexplained ? unexplained : 0 },
                    since: nil),
                isAboutProject: true, clients: nil)
            let known = function.changed { $0.assessment = $0.assessment.with(callers: callers) }
            let page = Report.explanation(Explanation(known, in: Story.judged("scanReceipt"))).text(.markdown)
            #expect(page.contains(texts) == (unexplained > 0))
        }
    }

    private func ios(_ version: String) -> AdmittedCallers.Client {
        .init(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: version, os: "17"))
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
        #expect(few.contains("come from scripts and servers, not from an app (60 of the 62 with a known client)."))
    }

    @Test func whatFailsTodayIsNoLoss() throws {
        let text = try section([(.init(kind: .web), .missing, 12)], answer: .failure)
        #expect(text.contains("All 12 requests without a valid token already fail"))
    }

    @Test func validTokensOfToolsAreSuspicious() throws {
        let text = try section([(.init(kind: .tool), .valid, 3), (.init(kind: .web), .missing, 12)])
        #expect(text.contains("3 requests with a valid token claim to come from a tool"))
    }

    /// Which versions a function waits for.
    @Test func versionsThatMustDisappear() throws {
        let old = [(ios("1.9"), TokenStatus.missing, 83), (ios("1.11"), .valid, 300)]
        #expect(try section(old).contains("It will be ready once `com.example.app` `1.9` and older are gone."))
        // Where others are refused just as much, nothing would be won.
        let others = old + [(.init(kind: .web), .missing, 83)]
        #expect(!(try section(others).contains("older are gone")))
    }

    @Test(arguments: RefusalCause.allCases)
    func everyCauseIsWorded(cause: RefusalCause) throws {
        let text = try section(
            [(.init(kind: .web), .invalid, 12)], causes: [.unexplained: 2].merging([cause: 10]) { $0 + $1 })
        #expect(text.contains("Why 12 tokens were refused") == (cause != .unexplained))
        if cause == .serverFault { #expect(text.contains("no users would be refused")) }
    }

    /// A function that is enforced by policy, of which the log shows that requests are served, or nothing.
    private func summary(isContradicted: Bool) -> Summary {
        let function = Sample.function("getAccount") { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 3)]
        }
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("getAccount"), line: 1)
        entry.enforced = .date(Sample.day("2026-10-05"))
        rules.entries = [entry]
        return Sample.judged(
            Sample.summary([isContradicted ? function.changed { $0.tally.showAnswers(.success) } : function]),
            rules: rules)
    }

    /// Formats without notes have the caution with the function.
    @Test func thePolicyIsContradictedInEveryFormat() {
        let gate = GateCheck(Gate(failOn: .lockout))
        let (off, on) = (summary(isContradicted: true), summary(isContradicted: false))
        for format in [Format.junit, .json, .markdown, .html] {
            let text = Report.check(gate, on: off).text(format).replacing(#/<[^>]*>|`|\*/#, with: "")
            #expect(text.contains("Enforced by policy, but the log shows that enforcement is off"))
            #expect(!Report.check(gate, on: on).text(format).contains("the log shows that enforcement is off"))
        }
        // No gate passes it.
        #expect(gate.gate.answer(to: off) == .unsure)
        #expect(Report.check(gate, on: off).text(.junit).contains("failures=\"1\""))
        #expect(Report.summary(off).text(.prometheus).contains(#/\ncallcheck_enforced_but_off{.*} 1/#))
        #expect(Report.summary(on).text(.prometheus).contains(#/\ncallcheck_enforced_but_off{.*} 0/#))
    }

    /// Placeholders have several causes; only a rollout's percentage makes one of them likely.
    @Test func noCauseIsGuessed() throws {
        let text = try section([(ios("1.0"), .invalid, 400)], causes: [.placeholder: 400])
        #expect(!text.contains("likely") && !text.contains("not an attack"))
        for cause in ["registered", "App Check API is enabled", "`callcheck app-attest`"] {
            #expect(text.contains(cause))
        }
    }
}
