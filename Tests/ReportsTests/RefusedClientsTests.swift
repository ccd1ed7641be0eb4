import TestSupport
import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// The text about those who would be refused.
@Suite struct RefusedClientsTests {
    private typealias Group = (client: Client, app: TokenStatus, count: Int)

    /// The sections on a function's callers and on its verdict.
    private func section(
        _ clients: [Group], answer: RequestRow.ResponseClass = .success, addresses: Int = 0,
        causes: [RefusalCause: Int] = [:]
    ) throws -> String {
        let function = function(clients, answer: answer, addresses: addresses, causes: causes)
        var document = Document(title: [])
        let explanation = Explanation(function, in: Story.judged("signUp"))
        document.sections = explanation.card
        return document.markdown
    }

    /// A function that would refuse 420 of 6,020 requests in a week, nobody of them signed in, with what is known of
    /// their clients.
    private func function(
        _ clients: [Group], answer: RequestRow.ResponseClass = .success, addresses: Int = 0,
        causes: [RefusalCause: Int] = [:]
    ) -> FunctionSummary {
        var known = clients.map { client, app, count in
            Requests(
                app: app, auth: app == .valid ? .valid : .missing, count: count, client: client, answer: answer)
        }
        for address in 0..<addresses {
            known.append(
                Requests(
                    app: .missing, auth: .missing, count: 1, client: clients.first?.client ?? Client(kind: .android),
                    answer: answer,
                    address: UInt16(address + 1)))
        }
        let explained = RefusedClientsTests.explain(known, causes)
        let function = Sample.function("signUp", generation: .first) { day in
            guard day >= 7 else {
                return [Requests(app: .valid, count: 800), Requests(app: .missing, auth: .missing, count: 60)]
            }
            var (place, blocked, valid) = (0, 0, 0)
            let requests = explained.map { requests in
                var requests = requests
                // One day of the week after the other.
                let places = place..<place + requests.count
                place = places.upperBound
                requests.count = places.count { $0 % 7 == day - 7 }
                if requests.app == .valid { valid += requests.count } else { blocked += requests.count }
                return requests
            }
            return requests + [
                Requests(app: .valid, count: 800 - valid), Requests(app: .missing, auth: .missing, count: 60 - blocked),
            ]
        }
        let others = Story.judged.functions.filter { $0.name != "signUp" }
        return judged(function, among: others)
    }

    private func judged(_ function: FunctionSummary, among others: [FunctionSummary]) -> FunctionSummary {
        var summary = Story.judged
        summary.functions = others + [function]
        let evaluator = Sample.evaluator(summary, rules: Story.rules)
        return function.changed { $0.assessment = evaluator.assess(function.identity) }
    }

    /// Gives refused tokens their causes; those of no client have no row.
    private static func explain(_ known: [Requests], _ causes: [RefusalCause: Int]) -> [Requests] {
        var causes = causes
        func take(_ count: Int, _ requests: Requests) -> [Requests] {
            var rest = count
            return RefusalCause.allCases.compactMap { cause in
                let taken = min(rest, causes[cause] ?? 0)
                guard taken > 0 else { return nil }
                rest -= taken
                causes[cause]? -= taken
                var requests = requests
                (requests.count, requests.cause) = (taken, cause == .unexplained ? nil : cause)
                return requests
            }
        }
        let explained = known.flatMap { requests -> [Requests] in
            guard requests.app == .invalid else { return [requests] }
            let found = take(requests.count, requests)
            var rest = requests
            rest.count -= found.reduce(0) { $0 + $1.count }
            return found + [rest]
        }
        return explained + take(.max, Requests(app: .invalid, auth: .missing, count: 0))
    }

    /// In a few words, where most of what would be refused comes from, or why its tokens are refused.
    @Test func causesInAFewWords() {
        func cause(
            _ clients: [Group], addresses: Int = 0, causes: [RefusalCause: Int] = [:]
        ) -> String? {
            function(clients, addresses: addresses, causes: causes).cause?.text(ascii: false)
        }
        let (tool, simulator) = (Client(kind: .tool), Client(kind: .iosSimulator))
        #expect(cause([(ios("4.0.1"), .missing, 211), (ios("4.1"), .valid, 900)]) == "com.example.app 4.0.1")
        #expect(cause([(simulator, .invalid, 211)], causes: [.placeholder: 211]) == "simulators")
        #expect(cause([(tool, .missing, 211)]) == "curl and scripts")
        #expect(cause([(tool, .missing, 250)], addresses: 4) == "bots: 4 addresses")
        #expect(cause([(.init(kind: .google), .missing, 250)], addresses: 1) == "scheduled jobs")
        #expect(cause([(ios("4.0"), .invalid, 300)], causes: [.placeholder: 300]) == "placeholder tokens")
        #expect(cause([], causes: [.expired: 211]) == "expired tokens")
        #expect(cause([], causes: [.otherProject: 211]) == "tokens of another project")
        // Nothing is known about the half that has no row, or no line.
        #expect(cause([(tool, .missing, 210)]) == nil)
        #expect(cause([], causes: [.expired: 210, .unexplained: 210]) == nil)
        // All requests are of one platform, or of several: none is at fault more than others.
        let (web, android) = (Client(kind: .web), Client(kind: .android))
        #expect(cause([(web, .missing, 400)]) == nil)
        #expect(cause([(web, .missing, 200), (android, .missing, 200)]) == nil)
    }

    /// A platform with most of what is refused comes before the fault of its tokens.
    @Test func platformsAreNamedBeforeTokens() {
        func cause(_ clients: [(Client, TokenStatus, Int)]) -> String? {
            function(
                clients.map { (client: $0.0, app: $0.1, count: $0.2) }, causes: [.placeholder: 300]
            ).cause?.text(ascii: false)
        }
        func page(_ browser: Browser, _ site: String) -> Client {
            .init(ClientCode(browser: browser, nameHash: UInt64(site.utf8.count)), version: ClientVersion(app: site))
        }
        let (app, site) = ("www.academy.example", "parents.academy.example")
        let passing = [(page(.chrome, app), TokenStatus.valid, 900), (.init(kind: .android), .valid, 900)]
        #expect(cause(passing + [(page(.chrome, site), .invalid, 300)]) == site)
        #expect(cause(passing + [(page(.firefox, app), .invalid, 300)]) == "Firefox")
        #expect(cause(passing + [(ios("4.0"), .invalid, 300)]) == "iOS apps")
        #expect(cause(passing + [(ios("4.0"), .valid, 300), (ios("4.1"), .invalid, 300)]) == "com.example.app 4.1")
        #expect(cause(passing + [(.init(kind: .macos), .invalid, 300)]) == "macOS apps")
        #expect(
            cause(passing + [(page(.chrome, app), .invalid, 150), (.init(kind: .android), .invalid, 150)])
                == "placeholder tokens")
    }

    /// Which versions of iOS and of the app are refused, and whether some more than others.
    @Test func versionsOfSystemsAndApps() throws {
        func client(_ version: String, os: String) -> Client {
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
    @Test func causesHaveAColumn() {
        var summary = Story.judged("scanReceipt", "signUp")
        func table(columns: Int) -> String { Report.summary(summary).text(.terminal(TerminalStyle(columns: columns))) }
        #expect(!Report.summary(summary).text(.markdown).contains("| cause |"))
        let known = function([(.init(kind: .tool), .missing, 300)])
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
        let simulator = Client(kind: .iosSimulator)
        let all = try section([(simulator, .invalid, 87)], causes: [.placeholder: 87])
        #expect(all.contains("All of these are simulators: your own developers."))
        #expect(!all.contains("registered"))
        let most = try section([(simulator, .invalid, 87), (ios("2.0"), .invalid, 1)], causes: [.placeholder: 88])
        #expect(!most.contains("your own developers") && most.contains("registered"))
    }

    /// Where the SDK's lines told why each token was refused, nobody needs a key to the texts.
    @Test func errorTextsAreListedWhereTheyAreNotKnown() {
        let texts = "Decoding App Check token failed"
        for unexplained in [0, 1] {
            let function = Sample.function("scanReceipt", generation: .first) { _ in
                [
                    Requests(app: .valid, count: 900),
                    Requests(app: .invalid, count: 60 - unexplained, cause: .expired),
                    Requests(app: .invalid, count: unexplained), Requests(app: .missing, count: 9),
                ]
            }
            let others = Story.judged.functions.filter { $0.name != "scanReceipt" }
            let page = Report.explanation(
                Explanation(judged(function, among: others), in: Story.judged("scanReceipt"))
            ).text(.markdown)
            #expect(page.contains(texts) == (unexplained > 0))
        }
    }

    private func ios(_ version: String) -> Client {
        .init(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: version, os: "17"))
    }

    /// 1.10 is newer than 1.9; a version is named only where newer ones are hardly refused.
    @Test func oldVersionsAreNamed() throws {
        let old = [(ios("1.9"), TokenStatus.missing, 40), (ios("1.10"), .missing, 43), (ios("1.11"), .valid, 300)]
        let text = try section(old + [(ios("1.11"), .missing, 8)])
        #expect(
            text.contains("83 of 91 requests that would be refused come from `com.example.app` `1.10` and older."))
        #expect(try section(old).contains("All 83 requests that would be refused come from `com.example.app` `1.10`"))
        #expect(!(try section([(ios("1.9"), .missing, 40), (ios("1.10"), .missing, 43)])).contains("and older"))
    }

    @Test func addressesAreCountedWhereTheyAreFew() throws {
        #expect(!(try section([], addresses: 40)).contains("address"))
        let few = try section([(.init(kind: .tool), .missing, 60)], addresses: 2)
        #expect(few.contains("All 62 come from 2 addresses."))
        #expect(few.contains("come from scripts and servers, not from an app"))
    }

    @Test func whatFailsTodayIsNoLoss() throws {
        let text = try section([(.init(kind: .web), .missing, 12)], answer: .failure)
        #expect(text.contains("All 12 requests without a valid token that the request log shows already fail"))
    }

    @Test func validTokensOfToolsAreSuspicious() throws {
        for kind in [ClientKind.tool, .iosSimulator] {
            let programs = try section([(.init(kind: kind), .valid, 3), (.init(kind: .web), .missing, 12)])
            #expect(programs.contains("Programs send valid tokens, probably debug tokens: keep those secret."))
        }
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
        entry.settings.enforced = .date(Sample.day("2026-10-05"))
        rules.entries = [entry]
        return Sample.judged(
            Sample.summary([isContradicted ? function.changed { $0.table.showAnswers(.success) } : function]),
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
