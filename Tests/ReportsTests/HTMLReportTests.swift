import Foundation
import Readiness
import TestSupport
import Testing
import Verifications

@testable import Reports

/// The page for a browser, as text and as markup.
@Suite struct HTMLReportTests {
    /// The parts that every page has, and the cards that differ from those of another page.
    @Test(
        arguments: [
            (PageSample.few, [1, 2, 3, 4, 5]), (.troubled, [2, 3, 5]), (.empty, []), (.nightly, [1, 2, 14]),
        ])
    func pages(page: PageSample, cards: [Int]) {
        expectGolden(Excerpt.page(page, cards: cards), "\(page.rawValue).html")
    }

    /// The markup is sound, and the policy names the style and the script.
    @Test(.enabled(if: ExternalTool.python.isExpected, "python3 is not installed"), arguments: PageSample.allCases)
    func markup(page: PageSample) throws {
        let check = try PageCheck.ofMarkup(page.text)
        #expect(check.problems == [])
        #expect(check.hashes == ["style": [ContentPolicy.styleHash], "script": [ContentPolicy.scriptHash]])
        #expect(
            check.policy == """
                default-src 'none'; style-src 'sha256-\(ContentPolicy.styleHash)'; \
                script-src 'sha256-\(ContentPolicy.scriptHash)'; base-uri 'none'; form-action 'none'
                """)
    }

    /// The checker sees what it is there for.
    @Test(
        .enabled(if: ExternalTool.python.isExpected, "python3 is not installed"),
        arguments: [
            ("<p class=\"fine\">", "<p class=\"fine\" style=\"color:red\">"), ("</footer>", ""), ("<h1>", "<h1><i>"),
            ("id=\"cards\"", "id=\"table\""), ("href=\"#f-", "href=\"https://example.com/"),
            ("<h1>", "<h1 onclick=\"x\">"), ("role=\"img\"", ""), ("<h1>", "<img src=x><h1>"),
        ])
    func unsoundMarkupIsFound(part: String, replacement: String) throws {
        let page = PageSample.few.text
        let place = try #require(page.range(of: part))
        #expect(try PageCheck.ofMarkup(page.replacingCharacters(in: place, with: replacement)).problems != [])
    }

    // MARK: Projects

    /// Rows and cards are in the order of harm; the projects of functions of one kind alternate.
    @Test func harmComesBeforeProjects() {
        let (page, summary) = (PageSample.projects.text, PageSample.projects.summary)
        var view = TableView()
        view.limit = nil
        let functions = Table.ofVerdicts(summary, view).groups.flatMap(\.functions)
        let rows = page.matches(of: #/<tr role="row" data-card="(.*?)".* data-project="(.*?)" data-region/#)
        let cards = page.matches(of: #/<article id="(.*?)"/#)
        #expect(rows.map { String($0.2) } == functions.map(\.identity.project))
        #expect(rows.map(\.1) == cards.map(\.1))
        #expect(Set(rows.prefix(2).map(\.2)).count == 2)
    }

    @Test func planComesBeforeTheFunctions() throws {
        let page = PageSample.projects.text
        let plan = try #require(page.range(of: "<section id=\"plan\">\n<h2>Plan</h2>")?.lowerBound)
        let functions = try #require(page.range(of: "<section id=\"functions\"")?.lowerBound)
        #expect(plan < functions)
        #expect(!PageSample.empty.text.contains("#plan"))
    }

    // MARK: The policy

    @Test(
        .enabled(if: ExternalTool.sha256sum.isExpected, "sha256sum is not installed"),
        arguments: [(ContentPolicy.style, ContentPolicy.styleHash), (ContentPolicy.script, ContentPolicy.scriptHash)])
    func hashesAreWhatOthersCompute(text: String, hash: String) throws {
        let output = String(decoding: try ExternalTool.sha256sum.run([], input: Array(text.utf8)), as: UTF8.self)
        let bytes = try #require(Data(base64Encoded: hash))
        #expect(output.prefix(64) == bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    // MARK: In a browser

    @Test(
        .enabled(
            if: ExternalTool.python.isExpected && ExternalTool.chromium.isExpected,
            "python3 or chromium is not installed"),
        arguments: Tier.some(of: PageSample.allCases, every: 3))
    func browserFindsNothingWrong(page: PageSample) throws {
        let check = try PageCheck.inBrowser(page.text, functions: page.functions, name: page.rawValue)
        #expect(check.problems == [])
    }

    // MARK: Size

    /// Every function has a row that the filter finds; the most important ones have a card.
    @Test func largePagesStaySmall() {
        var summary = Sample.summary(Sample.project(functions: 20, days: 28))
        let functions = summary.functions
        summary.functions = (0..<5000).map { functions[$0 % functions.count] }
        let page = Report.summary(summary).text(.html)
        #expect(page.ranges(of: "<tr role=\"row\" data-").count == 5000)
        #expect(page.ranges(of: "<article ").count == HTMLPage.cardLimit)
        #expect(page.contains("Details follow for the first 200 functions."))
        #expect(page.utf8.count < 5_000_000)
    }
}
