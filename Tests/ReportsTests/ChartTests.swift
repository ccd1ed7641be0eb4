import Readiness
import Testing
import Verifications

@testable import Reports

/// What is drawn stands where it should.
@Suite struct ChartTests {
    @Test func ratesStandOnALogarithmicScale() {
        let scale = RateScale(limit: 0.01, top: 0, bottom: 80, zero: 100)
        #expect(scale.decades == -4...0)
        #expect(scale.place(of: 1) == 0)
        #expect((scale.place(of: 0.1) - 20).magnitude < 1e-9)
        #expect((scale.place(of: 0.01) - 40).magnitude < 1e-9)
        #expect((scale.place(of: 0.0001) - 80).magnitude < 1e-9)
        #expect(scale.place(of: 0.00001) == 80)
        #expect(scale.place(of: 0) == 100)
    }

    /// Whatever the limit, it has room below it.
    @Test(arguments: [(0.5, -4), (0.01, -4), (0.005, -5), (0.0001, -6), (1e-12, -8)])
    func lowLimitsGetMoreDecades(limit: Double, lowest: Int) {
        #expect(RateScale(limit: limit, top: 0, bottom: 80, zero: 100).decades.lowerBound == lowest)
    }

    @Test func numbersHaveAtMostOneDecimal() {
        let numbers = [0, 12, 12.34, 12.96, -0.04, -0.5, -3, 1234.5]
        #expect(numbers.map(PathData.number) == ["0", "12", "12.3", "13", "0", "-0.5", "-3", "1234.5"])
    }

    /// A day's parts are what the log says, each request once.
    @Test(arguments: [Admission.notRefused, .signedIn])
    func daysCountEveryRequestOnce(callers: Admission) {
        for day in Story.judged.functions.flatMap(\.tally.days) {
            let cell = DayCell(day, admission: callers, isBad: false)
            #expect(cell.requests + cell.uncounted == day.counts.total)
            #expect(cell.blocked == day.counts.blocked(callers))
            #expect(cell.requests == day.counts.admitted(callers))
        }
    }

    /// Every chart has the same days; a mark stands for each day with requests.
    @Test func everyDayIsDrawn() throws {
        let days = try #require(ChartDays(Story.judged))
        #expect(days.range == Sample.day("2026-10-01")...Sample.day("2026-10-14"))
        for function in Story.judged.functions {
            let plot = try #require(DayPlot(Explanation(function, in: Story.judged), days: days))
            let svg = plot.svg(id: "f")
            let marks = ["dots", "bad"].map { name in
                let parts = svg.split(separator: "class=\"\(name)\" d=\"", maxSplits: 1)
                return parts.count > 1 ? parts[1].prefix { $0 != "\"" }.count { $0 == "M" } : 0
            }
            let wanted = plot.cells.count { $0.requests > 0 }
            #expect(marks.reduce(0, +) == wanted, "\(function.name)")
        }
    }

    @Test func longLogsAreCutToWhatFits() throws {
        var tally = FunctionTally()
        for index in 0..<400 {
            tally.add(Requests(app: .valid, count: 3), on: Sample.firstDay.advanced(by: index))
        }
        let identity = FunctionIdentity(project: "demo", region: "here", name: "old", generation: .first)
        let summary = Sample.summary([FunctionSummary(identity: identity, name: "old", tally: tally)])
        #expect(try #require(ChartDays(summary)).count == 28)
        var short = Sample.summary(Sample.project(functions: 1, days: 1))
        #expect(try #require(ChartDays(short)).count == 7)
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
                #expect(bounds?.deciding == assessment.evidence.blockedRateUpper)
                #expect(bounds?.label(limit: 0.01).hasPrefix("≤ ") == true)
            case .blind: #expect(bounds == nil)
            case .enforced where !assessment.isLockout: #expect(bounds == nil)
            default: #expect(bounds != nil)
            }
            for case .excess(.tooManyBlocked(let lower, _, _, _, _)) in assessment.reasons
            where assessment.verdict == .wait {
                #expect(bounds?.deciding == lower)
                #expect(bounds?.words(limit: 0.01).hasPrefix("at least ") == true)
            }
        }
    }

    /// Who called adds up to the requests that count.
    @Test func callersAddUp() throws {
        for function in Story.judged.functions where function.assessment.verdict != .enforced {
            let explanation = Explanation(function, in: Story.judged)
            let blocks = explanation.callerSection?.blocks ?? []
            let figures = blocks.flatMap { block -> [String] in
                if case .figures(let figures) = block { figures.map { $0.figure.text(ascii: true) } } else { [] }
            }
            let counted = figures.filter { $0.contains("%") }.compactMap { figure in
                Int(figure.filter { $0 != "," }.prefix { $0 != " " })
            }
            if figures.isEmpty { continue }
            #expect(counted.reduce(0, +) == function.assessment.evidence.admitted, "\(function.name)")
        }
    }
}
