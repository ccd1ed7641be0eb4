import Testing
import Verifications

@testable import Readiness
@testable import Reports

@Suite struct ReasonWordingTests {
    private static let window = Window(from: Sample.day("2026-10-08"), to: Sample.day("2026-10-14"))

    private static let switchTime = Sample.instant("2026-10-09T09:23:22Z")

    /// The answer for a function that is enforced by its policy, or as its log shows.
    private static func enforced(_ time: EnforcementTime?) -> Assessment {
        var rules = PolicyRules()
        rules.entries = [PolicyEntry(match: Glob("f"), line: 1)]
        rules.entries[0].settings.enforced = time
        let function = Sample.function("f", generation: .first) { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)]
        }
        let shown = time == nil ? function.changed { $0.table.showAnswers(.unauthenticated) } : function
        return Sample.judged(Sample.summary([shown]), rules: rules).functions[0].assessment
    }

    /// Every reason at least once, singular and plural where that matters.
    static var reasons: [Finding] {
        let date = Sample.day("2026-10-09")
        func gap(_ days: [Day], begins: Int? = nil) -> Finding {
            let begins = begins.map { Instant(day: date.advanced(by: $0), nanosecondOfDay: 0) }
            return Finding(code: .coverageGap, value: Double(days.count), days: days, instant: begins)
        }
        return [
            Finding(code: .exempt, names: ["the error channel must work when App Check is down"]),
            Finding(code: .switchUnclear, days: [date]),
            Finding(code: .lockout, value: 0.0163, limit: 0.01, count: 84, total: 4200),
            Finding(code: .superseded, names: ["addmessage"]),
            Finding(code: .passesNotSeen, value: 420), Finding(code: .passesNotSeen, value: 12, days: [date]),
            Finding(code: .noTraffic), Finding(code: .noTraffic, days: [date]),
            Finding(code: .stale, value: 9, count: 2, days: [date]),
            Finding(code: .stale, value: 4, count: 0, days: [date]),
            Finding(code: .exportOld, value: 49.9, limit: 36, instant: Sample.instant("2026-10-12T22:05:00Z")),
            Finding(code: .tooManyBlocked, value: 0.02849, limit: 0.01, count: 1204, total: 40_100, window: window),
            Finding(code: .tooManyBlocked, value: 0.010004, limit: 0.01, count: 500, total: 40_100, window: window),
            Finding(code: .mostlyInvalid, count: 180, total: 200),
            Finding(code: .tooFewRequests, value: 178, total: 120, rate: 0.02465),
            Finding(code: .tooFewRequests, value: 1, total: 298, rate: 0.010021),
            Finding(code: .tooFewDays, value: 1, limit: 7), Finding(code: .tooFewActiveDays, value: 2, limit: 3),
            gap([date], begins: -3), gap([date], begins: 1), gap((0..<5).map(date.advanced)),
            Finding(code: .failuresNotSeen), Finding(code: .failuresStopped, value: 3.25 * 12.4, rate: 12.4),
            Finding(code: .safe, value: 0.0038, limit: 0.01), Finding(code: .safe, value: 0.0099999, limit: 0.01),
            Finding(code: .safe, value: 0.01, limit: 0.01), Finding(code: .uncounted, value: 12, rate: 0.021),
            Finding(code: .uncounted, rate: 1), Finding(code: .unattributed),
            Finding(code: .mixedText, count: 40, total: 300), Finding(code: .mixedSeverities, value: 3),
            Finding(code: .notConfirmed, value: 1, limit: 7), Finding(code: .allRefused, value: 40),
            Finding(code: .failuresUnproven, value: 420), Finding(code: .textOnly),
            Finding(code: .anonymousOnly, total: 420), Finding(code: .anonymousOnly, count: 1, total: 420),
            Finding(code: .failingNow, value: 0.43, limit: 0.01, count: 25, total: 58, instant: switchTime),
            Finding(code: .failingNow, value: 0.43, limit: 0.01, instant: switchTime, names: ["android"]),
            Finding(code: .sdk3),
            Finding(code: .alreadyFailing, value: 12, total: 187), Finding(code: .notAnApp, count: 40, total: 41),
            Finding(code: .validFromTools, value: 1),
        ]
    }

    @Test func everyReasonIsWorded() {
        let assessment = Story.judged("addMessage").functions[0].assessment
        func line(_ reason: Finding, _ assessment: Assessment) -> String {
            "\(reason.name): \(reason.statement(of: assessment).sentence.text(ascii: true))"
        }
        // The day as a date, which counts from its end on, its instant, or nothing.
        let times: [EnforcementTime?] = [.date(Sample.day("2026-10-09")), .instant(ReasonWordingTests.switchTime), nil]
        let enforced = times.map { time in
            line(Finding(code: time == nil ? .enforcedByLog : .enforced), ReasonWordingTests.enforced(time))
        }
        let others = ReasonWordingTests.reasons.map { line($0, assessment) }
        let lines = others.prefix(1) + enforced + others.dropFirst()
        expectGolden(lines.joined(separator: "\n") + "\n", "reasons.txt")
    }

    /// Where enforcement is on nothing would be refused: it is, or it was before that day and passed.
    @Test(arguments: ["2026-10-05", "2026-10-09"])
    func ofWhatIsEnforcedNothingIsConditional(since date: String) {
        let assessment = ReasonWordingTests.enforced(
            .instant(Instant(day: Sample.day(date), nanosecondOfDay: 0)))
        let texts = ReasonWordingTests.reasons.map { $0.statement(of: assessment).sentence.text(ascii: true) }
        #expect(!texts.contains { $0.contains("would") })
        let isEarly = texts.contains { $0.hasPrefix("Enforcement refused 1,204 of 40,100 requests") }
        #expect(isEarly == (date == "2026-10-05"))
    }

    @Test func everyVerdictHasItsNumber() throws {
        let lines = Story.judged.functions.map { function in
            let assessment = function.assessment
            let mark = assessment.mark(unicode: true)
            return "\(mark) \(assessment.verdict.rawValue): \(function.brief.text(ascii: false))"
        }
        expectGolden(lines.joined(separator: "\n") + "\n", "verdicts.txt")
    }

    @Test func enforcementThatLocksPeopleOutIsNotTickedOff() throws {
        let locked = try #require(Sample.lockedOut("f", since: "2026-10-05").functions.first)
        let assessment = locked.assessment
        #expect(assessment.verdict == .enforced)
        #expect(assessment.mark(unicode: true) == "✗")
        #expect(locked.brief.text(ascii: true).hasSuffix(" in the last 7 days, all signed in"))
        #expect(assessment.word == "refusing users")
    }

    @Test(
        arguments: [
            (0.0, Figures.Rounding.nearest, "0%"), (0.5, .nearest, "50%"), (0.123, .nearest, "12%"), (1, .up, "100%"),
            (0.02849, .down, "2.8%"), (0.02849, .up, "2.9%"), (0.0038, .up, "0.38%"), (0.00001, .up, "0.01%"),
            (0.996, .nearest, "99.6%"), (0.9999, .nearest, "99.99%"), (0.996, .up, "99.6%"), (1, .nearest, "100%"),
            (0.00001, .nearest, "<0.01%"), (0.00001, .down, "0%"), (0.07, .up, "7%"), (0.07, .down, "7%"),
        ])
    func rates(rate: Double, rounding: Figures.Rounding, text: String) {
        #expect(Figures.rate(rate, rounding) == text)
    }

    /// A rounded bound must not read as the limit that it differs from.
    @Test(
        arguments: [
            (0.0099999, Figures.Rounding.up, 0.01, "0.99999%"), (0.00998, .up, 0.01, "0.998%"), (0.01, .up, 0.01, "1%"),
            (0.010004, .down, 0.01, "1.0004%"), (0.0101, .down, 0.01, "1.01%"), (0.02, .down, 0.01, "2%"),
        ])
    func boundsBesideTheirLimit(rate: Double, rounding: Figures.Rounding, limit: Double, text: String) {
        #expect(Figures.rate(rate, rounding, against: limit) == text)
    }

    @Test(arguments: [
        (0.01, "1%"), (0.0025, "0.25%"), (0.95, "95%"), (0.999, "99.9%"), (0.125, "12.5%"), (0.00001, "0.001%"),
    ])
    func chosenRatesAreExact(rate: Double, text: String) {
        #expect(Figures.exactRate(rate) == text)
    }

    @Test(
        arguments: [
            (0.0, Figures.Rounding.nearest, "0"), (0.04, .nearest, "0"), (0.04, .up, "0.1"), (0.04, .down, "0"),
            (4.25, .nearest, "4.3"), (4.0, .nearest, "4"), (9.96, .up, "10"), (30.2, .up, "31"), (30.9, .down, "30"),
            (4200, .nearest, "4,200"), (31.0, .up, "31"),
        ])
    func amounts(amount: Double, rounding: Figures.Rounding, text: String) {
        #expect(Figures.amount(amount, rounding) == text)
    }

    /// Nobody can refuse 0.1 requests: where a day has less than one, the whole time is named.
    @Test(arguments: [
        (1, 614, "1 of 614 requests in 28 days"), (0, 614, "none of 22 requests a day"),
        (0, 9, "0 of 9 requests in 28 days"), (280, 1400, "10 of 50 requests a day"),
    ])
    func sharesByDay(part: Int, all: Int, text: String) {
        #expect(Figures.share(part, of: all, "requests", in: 28) == text)
    }

    @Test(arguments: [
        (84, 4200, "84 of 4,200 requests (2%)"), (160, 160, "all 160 requests"), (1, 1, "the only request"),
        (0, 1, "0 of 1 request (0%)"),
    ])
    func sharesOfRequests(count: Int, total: Int, text: String) {
        #expect(Finding(code: .tooManyBlocked, count: count, total: total).share() == text)
    }

    @Test(arguments: [(36.5, "36 h 30 min"), (47.99, "47 h 59 min"), (48, "2 days"), (891.2, "37 days")])
    func ages(hours: Double, text: String) {
        #expect(Figures.duration(hours: hours) == text)
    }
}
