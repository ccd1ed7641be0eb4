import Readiness
import Testing
import Verifications

@testable import Reports

/// Everything is drawn where it should be.
@Suite struct ChartTests {
    @Test func ratesStandOnALogarithmicScale() {
        let frame = ChartFrame(days: Sample.firstDay...Sample.firstDay, limit: 0.01)
        #expect(frame.decades == -4...0)
        #expect(frame.place(of: 1) == 106)
        #expect((frame.place(of: 0.1) - 126).magnitude < 1e-9)
        #expect((frame.place(of: 0.01) - 146).magnitude < 1e-9)
        #expect((frame.place(of: 0.0001) - 186).magnitude < 1e-9)
        #expect(frame.place(of: 0.00001) == 186)
        #expect(frame.place(of: 0) == 202)
    }

    /// Every limit has room below it.
    @Test(arguments: [(0.5, -4), (0.01, -4), (0.005, -5), (0.0001, -6), (1e-12, -8)])
    func lowLimitsGetMoreDecades(limit: Double, lowest: Int) {
        let frame = ChartFrame(days: Sample.firstDay...Sample.firstDay, limit: limit)
        #expect(frame.decades.lowerBound == lowest)
    }

    @Test func numbersHaveAtMostOneDecimal() {
        let numbers = [0, 12, 12.34, 12.96, -0.04, -0.5, -3, 1234.5]
        #expect(numbers.map(PathData.number) == ["0", "12", "12.3", "13", "0", "-0.5", "-3", "1234.5"])
    }

    /// A day's parts are what the log says, each request once.
    @Test(arguments: [Admission.notRefused, .signedIn])
    func daysCountEveryRequestOnce(callers: Admission) {
        for day in Story.judged.functions.flatMap(\.days) {
            let cell = ChartDay(day, callers)
            #expect(cell.requests + cell.uncounted == day.statuses.total)
            #expect(ChartDay.order.map(cell.requests).reduce(0, +) == cell.requests)
            #expect(cell.blocked == day.statuses.blocked(callers))
            #expect(cell.requests == day.statuses.admitted(callers))
        }
    }

    /// Every chart has the same days, and a mark for each day with requests.
    @Test func everyDayIsDrawn() throws {
        let days = try #require(ChartDays(Story.judged))
        #expect(days.range == Sample.day("2026-10-01")...Sample.day("2026-10-14"))
        for function in Story.judged.functions {
            let series = try #require(DaySeries(Explanation(function, in: Story.judged)))
            let plot = try #require(DayPlot(series))
            let svg = plot.svg(id: "f")
            let marks = ["dots", "bad"].map { name in
                let parts = svg.split(separator: "class=\"\(name)\" d=\"", maxSplits: 1)
                return parts.count > 1 ? parts[1].prefix { $0 != "\"" }.count { $0 == "M" } : 0
            }
            let wanted = plot.cells.count { $0.requests > 0 }
            #expect(marks.reduce(0, +) == wanted, "\(function.name)")
        }
    }

    /// A day of four weeks ago on which more failed than usual, which the verdict no longer looks at, is marked on the
    /// terminal and on the page, at the place that its date and its share give it.
    @Test func bothChartsMarkTheSameDays() throws {
        let function = Sample.function("f", generation: .first, days: 28) { day in
            day == 4
                ? [Requests(app: .valid, count: 500), Requests(app: .missing, count: 500)]
                : [Requests(app: .valid, count: 1000)]
        }
        let summary = Sample.judged(Sample.summary([function]))
        let explanation = Sample.explanation("f", in: summary)
        #expect(explanation.function.assessment.reasons.has(.tooManyBlocked) == false)
        let series = try #require(DaySeries(explanation))
        let lines = DayChart(series).lines(columns: 100, style: TerminalStyle()).map { $0.rendered(color: false) }
        let marked = lines.filter { $0.contains("more than usual") }
        #expect(marked.count == 1)
        #expect(marked.first?.hasPrefix("Mon  5 Oct     1,000 ") == true)
        #expect(marked.first?.hasSuffix("500 (50.0%): more than usual") == true)
        // 28 columns from 42 to 276; 50% is 0.301 decades of 20 units below 106, the place of 100%.
        let plot = try #require(DayPlot(series))
        #expect(plot.svg(id: "f").contains(#/<path class="bad" d="M79.6 108(\.0)?l4 4-4 4-4-4z"/>/#))
    }

    /// All charts begin on one day, whichever functions are selected; in the morning, a window has a day more.
    @Test(arguments: [("2026-11-09T20:00:00Z", "2026-10-13"), ("2026-11-09T09:00:00Z", "2026-10-12")])
    func chartsBeginTogether(asOf: String, first: String) throws {
        let busy = Sample.function("busy", days: 40) { _ in [Requests(app: .valid, count: 900)] }
        let quiet = Sample.function("quiet", days: 40) { _ in [Requests(app: .valid, count: 3)] }
        let summary = Sample.judged(Sample.summary([busy, quiet], asOf: Sample.instant(asOf)))
        #expect(try #require(ChartDays(summary)).range.lowerBound == Sample.day(first))
        for name in ["busy", "quiet"] {
            let explanation = Sample.explanation(name, in: summary)
            let series = try #require(DaySeries(explanation))
            #expect(series.days.range.lowerBound == Sample.day(first))
            guard
                case .day(let day)? = DayChart(series).rows.first(where: { row in
                    if case .day = row { true } else { false }
                })
            else { Issue.record("no day"); continue }
            #expect(day.day == Sample.day(first))
        }
    }

    /// If a function is newer than its window, nothing is printed or drawn about the days before its first one.
    @Test func numbersBeginWithTheFunction() throws {
        let old = Sample.function("old", days: 28) { _ in [Requests(app: .valid, count: 9)] }
        let new = Sample.function("new", days: 28) { day in day < 18 ? [] : [Requests(app: .valid, count: 9)] }
        let summary = Sample.judged(Sample.summary([old, new]))
        let explanation = Sample.explanation("new", in: summary)
        let text = Report.explanation(explanation, isVerbose: true).text(.terminal(TerminalStyle(columns: 100)))
            .split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text.contains("In 10 days, enforcement would have refused 0 of 90 requests"))
        #expect(text.contains("Requests by token, 19"))
        // The band begins in the column of 19 October, 18 of 28 days after the left edge.
        let series = try #require(DaySeries(explanation))
        let plot = try #require(DayPlot(series))
        #expect(plot.svg(id: "f").contains("class=\"window\" d=\"M192.4 17h83.6v55"))
    }

    @Test func spansHaveRoomOnTheTerminal() throws {
        let function = Sample.function("f", days: 28) { day in
            (5..<25).contains(day) ? [] : [Requests(app: .valid, count: 9)]
        }
        var log = Sample.judged(Sample.summary([function]))
        log.asOf = Sample.instant("2026-11-09T20:00:00Z")
        let series = try #require(DaySeries(Sample.explanation("f", in: log)))
        let lines = DayChart(series).lines(columns: 100, style: TerminalStyle())
        #expect(lines.allSatisfy { !$0.rendered(color: false).contains(#/[a-z]no request/#) })
        #expect(lines.contains { $0.rendered(color: false).hasPrefix("29 Oct – 9 Nov  no request on 12 days") })
    }

    @Test func longLogsAreCutToWhatFits() throws {
        var table = CellTable()
        for index in 0..<400 {
            table.add(Requests(app: .valid, count: 3), on: Sample.firstDay.advanced(by: index))
        }
        let identity = FunctionIdentity(project: "demo", region: "here", name: "old", generation: .first)
        let summary = Sample.summary([FunctionSummary(identity: identity, name: "old", table: table)])
        #expect(try #require(ChartDays(summary)).range.count == 28)
        var short = Sample.summary(Sample.project(functions: 1, days: 1))
        #expect(try #require(ChartDays(short)).range.count == 7)
        short.asOf = nil
        #expect(ChartDays(short) == nil)
    }

    /// Each verdict shows the bound that it rests on; where nothing is known, none is shown.
    @Test func boundsAreThoseOfTheVerdict() {
        for function in Story.judged.functions {
            let assessment = function.assessment
            let bounds = RateBounds(assessment)
            switch assessment.verdict {
            case .enforce:
                #expect(bounds?.deciding == assessment.period.upper)
                #expect(bounds?.label(limit: 0.01).hasPrefix("≤ ") == true)
            case .blind: #expect(bounds == nil)
            case .enforced where !assessment.isLockout: #expect(bounds == nil)
            default: #expect(bounds != nil)
            }
            if let reason = assessment.reasons[.tooManyBlocked], assessment.verdict == .wait {
                #expect(bounds?.deciding == reason.value)
                #expect(bounds?.words(limit: 0.01).hasPrefix("at least ") == true)
            }
        }
    }

    /// Requests by token add up to the requests that count.
    @Test func tokensAddUp() throws {
        for function in Story.judged.functions where function.assessment.verdict != .enforced {
            let explanation = Explanation(function, in: Story.judged)
            let blocks = explanation.tokenSection?.blocks ?? []
            let figures = blocks.flatMap { block -> [String] in
                if case .figures(let figures) = block { figures.map { $0.figure.text(ascii: true) } } else { [] }
            }
            let counted = figures.filter { $0.contains("%") }.compactMap { figure in
                Int(figure.filter { $0 != "," }.prefix { $0 != " " })
            }
            if figures.isEmpty { continue }
            #expect(counted.reduce(0, +) == function.assessment.period.admitted, "\(function.name)")
        }
    }
}
