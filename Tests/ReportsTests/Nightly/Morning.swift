import Readiness
import Reports
import Verifications

/// Mornings on which much or nothing has happened, for the golden files.
enum Morning {
    /// Everything that a report can tell, in a log of four weeks up to 28 Oct 2026.
    static let eventful: NightlyReport = {
        var tally = Tally()
        for function in functions + Sample.project(functions: 5, days: days) {
            tally.add(function.tally, for: function.identity)
            var project = ProjectTally()
            for day in function.tally.days {
                let isLost = function.identity.project == "demo-staging" && day.day > lastDay.advanced(by: -2)
                if !isLost { project.addErrorStream(day: day.day) }
            }
            tally.add(project, for: ExactName(function.identity.project))
        }
        return report(tally, names: functions, comparedTo: lastDay.advanced(by: -2), clock: nil)
    }()

    /// The same log two days later, with nothing new in it.
    static let late: NightlyReport = {
        var tally = Tally()
        for function in functions.prefix(2) { tally.add(function.tally, for: function.identity) }
        return report(
            tally, names: functions, comparedTo: nil, clock: Sample.instant("2026-10-31T06:00:00Z"))
    }()

    /// A morning like any other.
    static let quiet: NightlyReport = {
        var tally = Tally()
        let function = functions[0]
        tally.add(function.tally, for: function.identity)
        var project = ProjectTally()
        for day in function.tally.days {
            project.addErrorStream(day: day.day)
        }
        tally.add(project, for: ExactName(function.identity.project))
        return report(tally, names: functions, comparedTo: nil, clock: nil)
    }()

    /// The first night of all.
    static let first = NightlyReport(summary: Story.oneFunction, comparedTo: nil, changes: [])

    static let empty = NightlyReport(summary: Story.empty, comparedTo: nil, changes: [])

    private static let days = 28
    private static let lastDay = Sample.firstDay.advanced(by: days - 1)

    private static let functions = [
        function("addMessage") { _ in [Requests(app: .valid, count: 400)] },
        function("createInvite") { day in
            [Requests(app: .valid, count: 300), Requests(app: .missing, count: day < 20 ? 30 : 0)]
        },
        function("bookTable") { day in
            [Requests(app: .valid, count: 200), Requests(app: .missing, count: day < 26 ? 0 : 90)]
        },
        function("rateDriver") { day in
            [Requests(app: .valid, count: 100), Requests(app: .missing, count: day < 26 ? 0 : 60)]
        },
        function("scanReceipt") { day in
            [Requests(app: .valid, count: 300), Requests(app: .missing, count: day < 26 ? 60 : 8)]
        },
        function("searchNearby") { day in
            [Requests(app: .valid, count: 300), Requests(app: .invalid, count: day < 26 ? 20 : 120)]
        },
        function("castVote") { day in day < 26 ? [] : [Requests(app: .valid, count: 40)] },
        function("yearlySummary") { day in day < 26 ? [Requests(app: .valid, count: 50)] : [] },
        function("syncCalendar") { day in
            [Requests(app: .valid, count: day < 27 ? 50 : 0), Requests(app: .invalid, count: 20)]
        },
        function("stagingOnly", project: "demo-staging", generation: .second) { day in
            (24...25).contains(day) ? [] : [Requests(app: .valid, count: 60), Requests(app: .invalid, count: 5)]
        },
    ]

    private static func function(
        _ name: String, project: String = "demo-prod", generation: Generation = .first,
        requests: (Int) -> [Requests]
    ) -> FunctionSummary {
        Sample.function(name, project: project, generation: generation, days: days, requests: requests)
    }

    private static func report(
        _ tally: Tally, names: [FunctionSummary], comparedTo day: Day?, clock: Instant?
    ) -> NightlyReport {
        var rules = PolicyRules()
        var enforced = PolicyEntry(match: Glob("rateDriver"), line: 2)
        enforced.enforced = .date(Sample.firstDay.advanced(by: 5))
        rules.entries = [enforced]
        var input = InputSummary()
        input.sources = 1
        input.verifications = tally.functions.values.reduce(0) { $0 + $1.totals.total }
        input.records = input.verifications * 5
        input.bytesDecompressed = input.records * 741
        input.bytesRead = input.bytesDecompressed / 15
        let judge = Judge(
            tally: tally, rules: rules, asOf: Instant(day: lastDay, nanosecondOfDay: 86_399_000_000_000), clock: clock,
            names: Dictionary(uniqueKeysWithValues: names.map { ($0.identity, $0.name) }))
        return NightlyReport(judge: judge, input: input, selection: Selection(), comparedTo: day)
    }
}
