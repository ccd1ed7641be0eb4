import Readiness
import Testing
import Verifications

@testable import Reports

/// What holds of every function in JSON, metrics and the table, beyond the few that the golden files show.
@Suite struct WholeNumbersTests {
    private static let summaries = [Story.judged, Story.troubled, Story.oneFunction, ChangesReportTests.eventful]

    // MARK: JSON

    /// Every number, name and date is that of the tally or of the assessment.
    @Test(arguments: summaries.indices)
    func jsonIsWhatIsKnown(index: Int) throws {
        let summary = WholeNumbersTests.summaries[index]
        try expect(OrderedJSON(Report.summary(summary).text(.json)), of: summary)
    }

    private func expect(_ document: OrderedJSON, of summary: Summary) throws {
        let functions = summary.functions
        let rows = try #require(document["functions"]?.elements)
        try #require(rows.map { $0["function"]?.flat } == functions.map(\.name))
        for row in rows { try expectSums(of: row) }
        let app = TokenStatus.allCases.map { status in
            "\(status.name)=\(functions.reduce(0) { $0 + $1.table.totals.total(app: status) })"
        }
        #expect(document["totals"]?["app"]?.flat == "{\(app.joined(separator: ","))}")
        let verdicts = Verdict.allCases.map { verdict in
            "\(verdict.rawValue)=\(functions.count { $0.assessment.verdict == verdict })"
        }
        #expect(document["totals"]?["verdicts"]?.flat == "{\(verdicts.joined(separator: ","))}")
    }

    /// The numbers of a function agree with each other; what each is, the golden files show.
    private func expectSums(of row: OrderedJSON) throws {
        func number(_ value: OrderedJSON?) -> Double { Double(value?.flat ?? "") ?? 0 }
        func sum(_ counts: OrderedJSON?) -> Double {
            TokenStatus.allCases.reduce(0) { $0 + number(counts?[$1.name]) }
        }
        let verifications = number(row["verifications"])
        #expect(sum(row["app"]) == verifications)
        for app in TokenStatus.allCases {
            #expect(sum(row["appByAuth"]?[app.name]) == number(row["app"]?[app.name]))
        }
        let days = try #require(row["daily"]?.elements)
        #expect(days.reduce(0) { $0 + sum($1) } <= verifications)
        #expect(days.map { $0["date"]?.flat ?? "" } == days.map { $0["date"]?.flat ?? "" }.sorted())
        for day in days {
            #expect(number(day["blocked"]) <= number(day["admitted"]) && number(day["admitted"]) <= sum(day))
            #expect((number(day["blockedHours"]) > 0) == (number(day["blocked"]) > 0))
        }
        let readiness = try #require(row["readiness"])
        for numbers in [readiness, try #require(readiness["signedIn"])] {
            let (admitted, blocked) = (number(numbers["admitted"]), number(numbers["blocked"]))
            #expect(numbers["blockedRate"]?.flat == (admitted == 0 ? "null" : "\(blocked / admitted)"))
            #expect(number(numbers["blockedRateLower"]) <= blocked / max(1, admitted))
            #expect(number(numbers["blockedRateUpper"]) >= blocked / max(1, admitted))
        }
        let kinds = ["signedInNoToken", "anonymousNoToken", "tokenRefused"].map { number(readiness[$0]) }
        #expect(kinds.reduce(0, +) <= number(readiness["blocked"]))
        #expect((readiness["lastBlocked"]?.flat == "null") == (number(readiness["blocked"]) == 0))
        let observed = number(readiness["observedDays"])
        let perDay = observed == 0 ? 0 : number(readiness["blocked"]) / observed
        #expect((number(readiness["blockedPerDay"]) - perDay).magnitude < 1e-9)
        #expect((readiness["safeSince"]?.flat == "null") == (number(readiness["safeNights"]) == 0))
    }

    /// One key or one leaf a line, two spaces a level: every function is laid out as the first is.
    @Test(arguments: summaries.indices)
    func jsonIsLaidOutAlike(index: Int) {
        // Without evidence there is none.
        let enforcement = #/\n {6}"enforcement": (?:null|\{(?:\n {8}.*)*\n {6}\}),/#
        let lockout = #/\n {8}"lockout": (?:null|\{(?:\n {10}.*)*\n {8}\}),/#
        let text = Report.summary(WholeNumbersTests.summaries[index]).text(.json).replacing(enforcement, with: "")
            .replacing(lockout, with: "")
        let lines = text.split(separator: "\n")
        let functions = lines.drop { $0 != "  \"functions\": [" }.dropFirst().prefix { !$0.hasPrefix("  ]") }
        let blocks = functions.split { $0.hasPrefix("    }") }
        let shapes = blocks.map { block in
            block.compactMap { line -> String? in
                // Days and reasons are as many as there are.
                let isOfList = line.hasPrefix("        {") || line.hasPrefix("          {")
                let isEmptiable = ["daily", "reasons", "window", "forecast", "aftermath", "lockout", "causes"].contains
                {
                    line.contains("\"\($0)\": ")
                }
                if isOfList || isEmptiable || line.hasSuffix("],") && line.hasPrefix("      ") { return nil }
                return line.prefix { $0 == " " }
                    + line.matches(of: #/"([A-Za-z]+)": /#).map { $0.1 }.joined(separator: " ")
            }
        }
        #expect(Set(shapes).count == 1)
        let days = functions.filter { $0.hasPrefix("        {\"date\": ") }
        let day =
            #/ {8}\{"date": "[0-9-]{10}", "VALID": \d+, "INVALID": \d+, "MISSING": \d+, "OTHER": \d+, "admitted": \d+, "blocked": \d+, "blockedHours": \d+\},?/#
        #expect(days.allSatisfy { $0.wholeMatch(of: day) != nil })
    }

    // MARK: Metrics

    /// Every metric has the value of every function that has one, in the order of the functions.
    @Test(arguments: summaries.indices)
    func metricsAreWhatIsKnown(index: Int) {
        let summary = WholeNumbersTests.summaries[index]
        expectMetrics(
            Report.summary(summary).text(.prometheus), of: summary.functions,
            more: [
                ("safe_since_timestamp_seconds", { $0.assessment.safeSince?.epoch }),
                ("ready_timestamp_seconds", { $0.assessment.readyDay?.epoch }),
            ])
    }

    private typealias Metric = (name: String, value: (FunctionSummary) -> Double?)

    private func expectMetrics(_ text: String, of functions: [FunctionSummary], more: [Metric]) {
        let metrics: [Metric] =
            [
                ("lockout", { $0.assessment.isLockout ? 1 : 0 }),
                ("blocked_ratio", \.assessment.period.blockedRate),
                ("blocked_upper_bound_ratio", \.assessment.period.upper),
                ("enforced_but_off", { $0.assessment.enforcement.isContradicted ? 1 : 0 }),
                ("blocked_lower_bound_ratio", \.assessment.period.lower),
                ("blocked_limit_ratio", \.assessment.policy.numbers.maxBlocked),
                ("window_admitted_requests", { Double($0.assessment.period.admitted) }),
                ("window_blocked_requests", { Double($0.assessment.period.blocked) }),
                ("window_left_out_requests", { _ in 0 }),
                ("refused_per_day", { $0.assessment.aftermath?.refusedPerDay }),
                ("refused_last_day", { $0.assessment.aftermath?.refusedLastDay }),
                ("predicted_per_day", { $0.assessment.aftermath?.predictedPerDay }),
                ("urgent", { $0.assessment.urgent.isEmpty ? nil : 1 }),
                (
                    "cause",
                    { function in
                        let assessment = function.assessment
                        let isTraced =
                            [.wait, .investigate, .enforced].contains(assessment.verdict)
                            || assessment.enforcement.isOn || !assessment.urgent.isEmpty
                        return isTraced ? 1 : nil
                    }
                ),
                ("window_seconds", { $0.assessment.period.window.map { Double($0.dayCount) * 86_400 } }),
                (
                    "last_verification_timestamp_seconds",
                    { $0.table.last.map { ($0.epoch * 1000).rounded(.down) / 1000 } }
                ),
                (
                    "forecast_timestamp_seconds",
                    { if case .date(let day, _) = $0.assessment.outlook { day.epoch } else { nil } }
                ),
            ]
            + Verdict.allCases.map { verdict in
                ("verdict|verdict=\"\(verdict.rawValue)\"", { $0.assessment.verdict == verdict ? 1 : 0 })
            }
            + TokenStatus.allCases.map { app in
                ("verifications|app=\"\(app.name)\"", { Double($0.table.totals.total(app: app)) })
            } + more
        let lines = text.split(separator: "\n")
        var count = 0
        for (name, value) in metrics {
            let parts = name.split(separator: "|")
            let found = lines.filter {
                $0.hasPrefix("callcheck_\(parts[0]){project=") && (parts.count == 1 || $0.contains(parts[1]))
            }
            let expected = functions.compactMap { function -> (labels: String, value: Double)? in
                let identity = function.identity
                let labels = """
                    {project="\(identity.project)",region="\(identity.region)",function="\(function.name)",\
                    generation="\(identity.generation.map { String($0.rawValue) } ?? "")"
                    """
                return value(function).map { (labels, $0) }
            }
            count += found.count
            #expect(found.count == expected.count, "\(name)")
            for (line, wanted) in zip(found, expected) {
                #expect(line.contains(wanted.labels), "\(line)")
                #expect(line.split(separator: " ").last.flatMap { Double($0) } == wanted.value, "\(line)")
            }
        }
        #expect(lines.count { $0.contains("{project=") } == count)
    }

    // MARK: The table

    /// Each of three hundred functions once with all its counts, and the last line adds them up.
    @Test func tableOfManyFunctions() throws {
        let summary = Sample.summary(Sample.project(functions: 300, days: 60))
        var view = TableView()
        view.limit = nil
        view.isVerbose = true
        let lines = Report.summary(summary, view).text(.terminal(TerminalStyle(columns: 160))).split(separator: "\n")
            .drop { !$0.contains("VALID") }
        var names: [Substring] = []
        var sums = [0, 0, 0, 0]
        var ends: Set<[Int]> = []
        for line in lines {
            let words = line.split(separator: " ")
            // A row begins with its mark; a note may list functions as well.
            guard words.count > 4, words[0].count == 1,
                let function = summary.functions.first(where: { $0.name == words[1] })
            else { continue }
            names.append(words[1])
            let found = numbers(line)
            let totals = function.table.totals
            #expect(
                found.map(\.count).prefix(4) == [
                    totals.total, totals.total(app: .valid), totals.total(app: .missing), totals.total(app: .invalid),
                ], "\(line)")
            sums = zip(sums, found).map { $0 + $1.count }
            ends.insert(found.map(\.end))
            #expect(words[0] == function.assessment.mark(unicode: true)[...])
        }
        #expect(names.count == 300 && Set(names).count == 300)
        // Numbers end below each other.
        #expect(ends.count == 1)
        let total = try #require(lines.first { $0.contains("total of 300") })
        #expect(numbers(total).map(\.count).suffix(5).prefix(4) == sums[...])
    }

    /// The counts of a line, and where they end; shares and generations are none.
    private func numbers(_ line: Substring) -> [(count: Int, end: Int)] {
        line.matches(of: #/(?: )([0-9][0-9,]*)(?= |$)/#).compactMap { match in
            let before = line[..<match.range.lowerBound]
            guard !before.hasSuffix("gen"), let count = Int(match.1.filter { $0 != "," }) else { return nil }
            return (count, line.distance(from: line.startIndex, to: match.range.upperBound))
        }
    }
}

extension Instant {
    fileprivate var epoch: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
}

extension Day {
    fileprivate var epoch: Double { Double(number) * 86_400 }
}

extension OrderedJSON {
    /// A value on one line.
    fileprivate var flat: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): text
        case .array(let elements): "[\(elements.map(\.flat).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\($0.key)=\($0.value.flat)" }.joined(separator: ","))}"
        }
    }
}
