import TestSupport
import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// The text about those who would be refused.
@Suite struct RefusedClientsTests {
    private typealias Group = (client: Client, app: TokenStatus, count: Int)

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

    private func ios(_ version: String) -> Client {
        .init(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: version, os: "17"))
    }

    /// What is known of the clients of each, and of their tokens.
    private func situations() -> [(what: String, function: FunctionSummary)] {
        let (tool, simulator, web) = (Client(kind: .tool), Client(kind: .iosSimulator), Client(kind: .web))
        let (android, firefox) = (Client(kind: .android), page(.firefox, "www.academy.example"))
        let (site, app) = (page(.chrome, "parents.academy.example"), page(.chrome, "www.academy.example"))
        let passing: [Group] = [(app, .valid, 900), (android, .valid, 900)]
        let old: [Group] = [(ios("1.9"), .missing, 40), (ios("1.10"), .missing, 43), (ios("1.11"), .valid, 300)]
        func os(_ version: String, _ os: String) -> Client {
            .init(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: version, os: os))
        }
        let clients: [(String, [Group])] = [
            ("a version", [(ios("4.0.1"), .missing, 211), (ios("4.1"), .valid, 900)]),
            ("half of them have no row", [(tool, .missing, 210)]), ("one platform", [(web, .missing, 400)]),
            ("two platforms", [(web, .missing, 200), (android, .missing, 200)]),
            ("1.10 is newer than 1.9", old), ("and hardly any newer one", old + [(ios("1.11"), .missing, 8)]),
            ("no version passes", [(ios("1.9"), .missing, 40), (ios("1.10"), .missing, 43)]),
            ("programs with valid tokens", [(tool, .valid, 3), (web, .missing, 12)]),
            ("simulators with valid tokens", [(simulator, .valid, 3), (web, .missing, 12)]),
            (
                "alike in versions of iOS",
                [
                    (os("7.0", "15"), .missing, 80), (os("7.0", "15"), .valid, 907), (os("7.0", "16"), .missing, 80),
                    (os("7.0", "16"), .valid, 900),
                ]
            ),
            (
                "not alike in versions of the app",
                [
                    (os("7.0", "15"), .missing, 160), (os("7.0", "15"), .valid, 900), (os("7.1", "16"), .missing, 20),
                    (os("7.1", "16"), .valid, 900),
                ]
            ),
            ("too few for a pattern", [(os("7.0", "15"), .missing, 3), (os("7.0", "16"), .valid, 9)]),
        ]
        // A platform with most of what is refused comes before the fault of its tokens.
        let placeholders: [(String, [Group])] = [
            ("a site", passing + [(site, .invalid, 300)]), ("a browser", passing + [(firefox, .invalid, 300)]),
            ("a kind of apps", passing + [(ios("4.0"), .invalid, 300)]),
            ("a newer version", passing + [(ios("4.0"), .valid, 300), (ios("4.1"), .invalid, 300)]),
            ("desktop apps", passing + [(.init(kind: .macos), .invalid, 300)]),
            ("everybody's tokens", passing + [(app, .invalid, 150), (android, .invalid, 150)]),
            ("one app's tokens", [(ios("4.0"), .invalid, 300)]), ("simulators", [(simulator, .invalid, 300)]),
            ("simulators and an app", [(simulator, .invalid, 299), (ios("2.0"), .invalid, 1)]),
        ]
        return clients.map { ($0, function($1)) }
            + placeholders.map { ("placeholders: \($0)", function($1, causes: [.placeholder: 300])) }
            + RefusalCause.allCases.map { cause in
                let causes = [.unexplained: 2].merging([cause: 10]) { $0 + $1 }
                return ("tokens: \(cause.name)", function([(web, .invalid, 12)], causes: causes))
            }
            + [
                ("no client is known", function([], causes: [.expired: 211])),
                ("nor half of the causes", function([], causes: [.expired: 210, .unexplained: 210])),
                ("few addresses", function([(tool, .missing, 60)], addresses: 2)),
                ("bots", function([(tool, .missing, 250)], addresses: 4)), ("many", function([], addresses: 40)),
                ("jobs", function([(.init(kind: .google), .missing, 250)], addresses: 1)),
                ("who fails today", function([(web, .missing, 12)], answer: .failure)),
            ]
    }

    private func page(_ browser: Browser, _ site: String) -> Client {
        .init(ClientCode(browser: browser, nameHash: UInt64(site.utf8.count)), version: ClientVersion(app: site))
    }

    /// In a few words where most of what would be refused comes from, or why its tokens are refused; and what a card
    /// says of it.
    @Test func everySituation() {
        var text = ""
        for (what, function) in situations() {
            var document = Document(title: ["\(what): \(function.cause?.text(ascii: false) ?? "-")"])
            // When it is safe, and days, are other tests' concern.
            document.sections = Array(Explanation(function, in: Story.judged("signUp")).card.prefix(2))
            text += document.markdown + "\n"
        }
        expectGolden(text, "refused.md")
    }

    /// Pages have a column for the cause; on a terminal it replaces the deciding reason; `explain` prints the same.
    @Test func causesHaveAColumn() {
        var summary = Story.judged("scanReceipt", "signUp")
        #expect(!Report.summary(summary).text(.markdown).contains("| cause |"))
        let known = function([(.init(kind: .tool), .missing, 300)])
        summary.functions = summary.functions.map { $0.name == "signUp" ? known : $0 }
        let table = Report.summary(summary).text(.terminal(TerminalStyle(columns: 80)))
        #expect(table.contains(#/signUp .* curl and scripts +no date\n/#))
        for format in [Format.markdown, .html] {
            #expect(Report.summary(summary).text(format).contains("curl and scripts"))
            let page = Report.explanation(Explanation(known, in: summary)).text(format)
            #expect(page.contains(", mostly curl and scripts"))
        }
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
}
