import Foundation
import Readiness
import Testing
import Verifications

@testable import Reports

/// What holds of every row, card and chart of a page, beyond the few that the golden files show.
@Suite struct WholePageTests {
    private static let statuses: [TokenStatus] = [.valid, .missing, .invalid, .other]

    /// A card of the page, taken apart.
    private struct Card {
        let text: String
        let function: FunctionSummary

        func all<Output>(_ pattern: Regex<Output>) -> [Output] {
            text.matches(of: pattern).map(\.output)
        }
    }

    /// What people read for a verdict, and the class it is coloured by.
    private static func badge(_ assessment: Assessment) -> (word: String, tone: String) {
        if assessment.isLockout { return ("refusing users", "lockout") }
        if assessment.reasons.contains(where: { $0.code == .notConfirmed }), assessment.verdict == .insufficient {
            return ("almost ready", "insufficient")
        }
        let words: [Verdict: String] = [
            .enforce: "ready", .wait: "not safe", .investigate: "bad tokens", .insufficient: "not enough data",
            .blind: "incomplete log", .exempt: "exempt", .enforced: "enforced", .superseded: "replaced",
        ]
        return (words[assessment.verdict] ?? "", assessment.verdict.rawValue)
    }

    /// The cards, each with its function, which its name and place tell.
    private func cards(_ page: PageSample) throws -> [Card] {
        let functions = page.summary.functions
        let articles = page.text.components(separatedBy: "<article ").dropFirst()
        return try articles.map { article in
            let name = try #require(article.firstMatch(of: #/<h3 id="f-[^"]*-name">(.*?)</h3>/#)).1
            let places = try #require(article.firstMatch(of: #/<p class="place">(.*?)</p>/#)).1
            let found = functions.filter { function in
                let identity = function.identity
                let known =
                    [identity.project, identity.region].filter { $0 != "-" }
                    + (identity.generation.map { ["generation \($0.rawValue)"] } ?? [])
                return function.name == name && known.map { "<span>\($0)</span>" }.joined() == places
            }
            let end = try #require(article.range(of: "</article>")).lowerBound
            return Card(text: String(article[..<end]), function: try #require(found.count == 1 ? found.first : nil))
        }
    }

    /// Every function has one card and one row, in one order; the row's numbers are those of the tally.
    @Test(arguments: PageSample.plain)
    func everyFunctionHasACardAndARow(page: PageSample) throws {
        let cards = try cards(page)
        let functions = page.summary.functions
        #expect(Set(cards.map(\.function.identity)) == Set(functions.map(\.identity)))
        #expect(cards.count == functions.count)
        // A page of one function has no table.
        guard functions.count > 1 else { return }
        let rows = rows(page)
        try #require(rows.count == cards.count)
        let ids = cards.map { $0.text.prefix { $0 != " " }.dropFirst(4).dropLast() }
        #expect(Set(ids).count == ids.count)
        for ((row, card), id) in zip(zip(rows, cards), ids) {
            let (function, assessment) = (card.function, card.function.assessment)
            #expect(row.data["card"] == String(id) && row.text.contains("<a href=\"#\(id)\">\(function.name)</a>"))
            #expect(row.data["verdict"] == WholePageTests.badge(assessment).word)
            #expect(row.data["project"] == function.identity.project)
            #expect(row.data["region"] == function.identity.region)
            #expect(row.data["requests"] == "\(function.table.totals.total)")
            let hasRate =
                assessment.isLockout || ![.blind, .enforced, .exempt, .superseded].contains(assessment.verdict)
            let rate = row.data["rate"].flatMap { Double($0) }
            if assessment.isLockout {
                #expect(rate != nil)
            } else {
                #expect(rate == (hasRate ? assessment.period.blockedRate : nil))
            }
        }
        #expect(
            rows.reduce(0) { $0 + (Int($1.data["requests"] ?? "") ?? 0) }
                == functions.reduce(0) { $0 + $1.table.totals.total })
        let chips = page.text.matches(of: #/<button type="button" class="chip [^>]*>.*?<b>([0-9]+)</b> (.*?)</button>/#)
        for chip in chips { #expect(Int(chip.1) == rows.count { $0.data["verdict"] == String(chip.2) }) }
        #expect(chips.reduce(0) { $0 + (Int($1.1) ?? 0) } == rows.count)
    }

    /// The rows of the page's table, with what their script reads.
    private func rows(_ page: PageSample) -> [(text: Substring, data: [String: String])] {
        page.text.matches(of: #/<tr role="row" data-card=.*/#).map(\.output).map { row in
            let data = row.matches(of: #/ data-([a-z]+)="(.*?)"/#).map { (String($0.1), String($0.2)) }
            return (row, Dictionary(data) { first, _ in first })
        }
    }

    /// The badge, the reasons, the callers and the span that was judged are those of the assessment.
    @Test(arguments: PageSample.plain)
    func cardsSayWhatTheAssessmentSays(page: PageSample) throws {
        for card in try cards(page) {
            let assessment = card.function.assessment
            let (word, tone) = WholePageTests.badge(assessment)
            #expect(card.text.contains("class=\"card t-\(tone)\""))
            let mark = assessment.mark(unicode: true)
            let badge =
                "<span class=\"badge t-\(tone)\"><span class=\"mark\" aria-hidden=\"true\">\(mark)</span> \(word)</span>"
            #expect(card.text.contains(badge))
            let reasons = card.all(#/<li>(.*?)</li>/#).map { WholePageTests.words(String($0.1)) }
            #expect(reasons == assessment.statements.map { $0.sentence.text(ascii: false) })
        }
    }

    /// The numbers beside a verdict: in the row, at the limit and the bound of the chart.
    @Test(arguments: PageSample.plain)
    func boundsAreThoseOfTheAssessment(page: PageSample) throws {
        let cards = try cards(page)
        let shown = try #require(ChartDays(page.summary))
        for (row, card) in zip(rows(page), cards) {
            let (function, assessment) = (card.function, card.function.assessment)
            let limit = assessment.policy.numbers.maxBlocked
            let bounds = RateBounds(assessment)
            let cells = row.text.matches(of: #/<td role="cell"(?: class="[a-z]+")?>(.*?)</td>/#).map {
                WholePageTests.words(String($0.1))
            }
            try #require(cells.count == 6)
            #expect(cells[1] == Figures.grouped(function.table.totals.total))
            let rate = row.data["rate"].flatMap { Double($0) }
            #expect(cells[2] == (rate.map { Figures.rate($0) } ?? ""))
            #expect(cells[4] == function.who.text(ascii: false))
            #expect(cells[5] == function.next.text(ascii: false))
            let judged = assessment.judgedDays(asOf: page.summary.asOf)
            if let judged, assessment.period.admitted > 0 {
                let step = 234 / Double(shown.range.count)
                let first = max(judged.from, shown.range.lowerBound, try #require(function.days.first).day)
                let start = 42 + Double(shown.range.lowerBound.distance(to: first)) * step
                let window = try #require(card.all(#/class="window" d="M([0-9.]+) 17h([0-9.]+)v55/#).first)
                #expect(((Double(window.1) ?? 0) - start).magnitude < 0.11)
                let end = 42 + Double(shown.range.lowerBound.distance(to: judged.to) + 1) * step
                #expect(((Double(window.2) ?? 0) - (end - start)).magnitude < 0.11)
            }
            let lines = card.all(#/class="(limit|bound)" d="M[0-9.]+ ([0-9.]+)H276"/#)
            let places = Dictionary(uniqueKeysWithValues: lines.map { (String($0.1), Double($0.2) ?? 0) })
            #expect(((places["limit"] ?? 0) - WholePageTests.height(of: limit, limit: limit)).magnitude < 0.11)
            #expect((places["bound"] != nil) == (bounds != nil))
            if let bounds {
                let height = WholePageTests.height(of: bounds.deciding, limit: limit)
                #expect(((places["bound"] ?? 0) - height).magnitude < 0.11)
            }
        }
    }

    /// The table of days and the chart are the tally's days: heights in proportion, a mark for each rate.
    @Test(arguments: PageSample.plain)
    func daysAreThoseOfTheTally(page: PageSample) throws {
        let shown = try #require(ChartDays(page.summary))
        for card in try cards(page) {
            let days = card.function.days.filter { shown.range.contains($0.day) }
            let callers = card.function.assessment.judgedCallers
            let day =
                #/<tr><td>([A-Z][a-z]{2} [ 0-9][0-9] [A-Z][a-z]{2})</td>((?:<td class="number">[0-9,]+</td>)+)<td>(.*?)</td></tr>/#
            let rows = card.all(day)
            try #require(rows.count == days.count, "\(card.function.name)")
            let columns = card.all(#/<th scope="col"[^>]*>(.*?)</th>/#).map { String($0.1) }.dropFirst().dropLast()
            for (row, day) in zip(rows, days) {
                let counts = row.2.matches(of: #/>([0-9,]+)</#).map { Int($0.1.filter { $0 != "," }) ?? -1 }
                let admitted = WholePageTests.statuses.map { day.statuses.admitted(callers, app: $0) }
                let uncounted = day.statuses.total - day.statuses.admitted(callers)
                let expected = [
                    "VALID": admitted[0], "MISSING": admitted[1], "INVALID": admitted[2], "OTHER": admitted[3],
                    "refused today": uncounted,
                ]
                #expect(counts == columns.map { expected[$0] ?? -1 }, "\(card.function.name) \(row.1)")
                #expect(columns.contains("OTHER") || admitted[3] == 0)
                #expect(columns.contains("refused today") || uncounted == 0)
                let requests = admitted.reduce(0, +)
                let refused = Figures.percent(requests - admitted[0], of: max(1, requests))
                #expect(WholePageTests.words(String(row.3)) == (requests == 0 ? "–" : refused))
                #expect(row.1 == CalendarText.weekday(day.day))
            }
            try expectBars(of: days, callers: callers, in: card, shown: shown)
            try expectMarks(of: days, callers: callers, in: card, shown: shown)
        }
    }

    /// A bar has the height of its count, and is in its day's column on top of those below it.
    private func expectBars(of days: [DaySum], callers: Admission, in card: Card, shown: ChartDays) throws {
        let most = Double(days.map(\.statuses.total).max() ?? 0)
        let step = 234 / Double(shown.range.count)
        var tops: [Day: Double] = [:]
        for (status, name) in zip(WholePageTests.statuses, ["valid", "missing", "invalid", "other"]) {
            let counted = days.filter { $0.statuses.admitted(callers, app: status) > 0 }
            let path = card.all(try Regex("class=\"s-\(name)\" d=\"([^\"]*)\"", as: (Substring, Substring).self)).first?
                .1
            let bars = (path ?? "").matches(of: #/M([0-9.]+) ([0-9.]+)h([0-9.]+)v([0-9.]+)h-[0-9.]+z/#).map(\.output)
            try #require(bars.count == counted.count, "\(card.function.name) \(name)")
            for (bar, day) in zip(bars, counted) {
                let (x, y, height) = (Double(bar.1) ?? 0, Double(bar.2) ?? 0, Double(bar.4) ?? 0)
                let count = Double(day.statuses.admitted(callers, app: status))
                #expect((height - max(0.7, count * 55 / most)).magnitude < 0.11)
                let index = Double(shown.range.lowerBound.distance(to: day.day))
                #expect((x - 42 - (index + 0.12) * step).magnitude < 0.11)
                #expect((y + height - tops[day.day, default: 72]).magnitude < 0.3)
                tops[day.day] = y
            }
        }
    }

    /// Each day with requests has a dot or a diamond at its share; ChartTests check which of the two.
    private func expectMarks(of days: [DaySum], callers: Admission, in card: Card, shown: ChartDays) throws {
        let limit = card.function.assessment.policy.numbers.maxBlocked
        let step = 234 / Double(shown.range.count)
        let marks = try [("dots", 0.0), ("bad", 4)].flatMap { name, offset in
            let path = card.all(try Regex("class=\"\(name)\" d=\"([^\"]*)\"", as: (Substring, Substring).self)).first?.1
            return (path ?? "").matches(of: #/M([0-9.]+) ([0-9.]+)[hl]/#).map { mark in
                (x: Double(mark.output.1) ?? 0, y: (Double(mark.output.2) ?? 0) + offset)
            }
        }.sorted { $0.x < $1.x }
        let called = days.filter { $0.statuses.admitted(callers) > 0 }
        try #require(marks.count == called.count, "\(card.function.name)")
        for (mark, day) in zip(marks, called) {
            let rate = Double(day.statuses.blocked(callers)) / Double(day.statuses.admitted(callers))
            let index = Double(shown.range.lowerBound.distance(to: day.day))
            #expect((mark.x - 42 - (index + 0.5) * step).magnitude < 0.11)
            #expect((mark.y - WholePageTests.height(of: rate, limit: limit)).magnitude < 0.11)
        }
    }

    /// Two decades below the limit, at least four in all, from 106 for all requests to 186; none is at 202.
    private static func height(of rate: Double, limit: Double) -> Double {
        let decades = max(4, (-log10(limit)).rounded(.up) + 2)
        return rate == 0 ? 202 : 106 + 80 * min(1, -log10(rate) / decades)
    }

    /// The text of a bit of markup.
    private static func words(_ markup: String) -> String {
        let text = markup.replacing(#/<[^>]*>/#, with: "")
        let entities = ["&#39;": "'", "&quot;": "\"", "&lt;": "<", "&gt;": ">", "&amp;": "&"]
        return entities.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
}
