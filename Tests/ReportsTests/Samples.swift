import Reports
import TestSupport
import Testing
import Verifications

@testable import Readiness

/// Requests of one day: how many with which statuses.
struct Requests {
    var app: TokenStatus
    var auth: TokenStatus = .valid
    var count: Int
    /// Nil without a row.
    var client: Client?
    var answer: RequestRow.ResponseClass?
    var address: UInt16 = 0
    var cause: RefusalCause?
}

extension CellTable {
    /// Adds the same verification several times, spread over three hours of its day.
    mutating func add(_ requests: Requests, on day: Day?, hour: Int = 9, severity: PassSeverity = .debug) {
        var writer = CellWriter()
        for part in 0..<3 {
            let hour = (hour + 5 * part) % 24
            writer.add(
                requests.count / 3 + (part < requests.count % 3 ? 1 : 0), app: requests.app, auth: requests.auth,
                severity: severity,
                at: day.map { Instant(day: $0, nanosecondOfDay: Int64(hour) * 3_600_000_000_000 + 1_500_000_000) },
                of: requests.client, address: requests.address, answer: requests.answer, cause: requests.cause)
        }
        merge(writer.finish())
    }

    /// Gives every request without a valid token the same answer; entries name no revision.
    mutating func showAnswers(_ answer: RequestRow.ResponseClass) {
        var writer = CellWriter()
        for cell in cells {
            var properties = Cell.Properties(app: cell.app, auth: cell.auth, severity: cell.severity)
            properties.answer = cell.app == .valid ? .success : answer
            writer.add(properties, day: cell.day, at: cell.first...cell.last, count: cell.count)
        }
        self = writer.finish()
    }
}

extension FunctionSummary {
    /// A function that is not judged yet: ``Sample/summary(_:asOf:policy:input:)`` does that.
    convenience init(identity: FunctionIdentity, name: String, table: CellTable) {
        let evaluator = Evaluator(tally: Tally(), rules: PolicyRules(), asOf: nil)
        self.init(identity: identity, name: name, table: table, assessment: evaluator.assess(identity))
    }

    struct Draft {
        var identity: FunctionIdentity
        var name: String
        var table: CellTable
        var judgement: Judgement?
        var assessment: Assessment
        var listing: Listing
        var sourceName: String?
    }

    /// The same function, except for what a test changes.
    func changed(_ change: (inout Draft) -> Void) -> FunctionSummary {
        var draft = Draft(
            identity: identity, name: name, table: table, assessment: assessment, listing: listing,
            sourceName: sourceName)
        change(&draft)
        return FunctionSummary(
            identity: draft.identity, name: draft.name, table: draft.table, judgement: draft.judgement,
            assessment: draft.assessment, listing: draft.listing, sourceName: draft.sourceName)
    }
}

extension Format {
    static let (html, json, csv, markdown) = (Format(.html), Format(.json), Format(.csv), Format(.markdown))
    static let (prometheus, junit, github) = (
        Format(.prometheus), Format(.junit), Format(.github)
    )

    static func terminal(_ style: TerminalStyle) -> Format { Format(.table, style) }
}

extension Report {
    /// The whole report as one text.
    func text(_ format: Format) -> String {
        var text = ""
        write(as: format, to: &text)
        return text
    }
}

enum Sample {
    static let firstDay = day("2026-10-01")

    static func day(_ text: String) -> Day {
        guard let day = Day(iso8601: text) else { preconditionFailure("no such day: \(text)") }
        return day
    }

    static func instant(_ text: String) -> Instant {
        guard let instant = Instant(timestamp: text) else { preconditionFailure("no such instant: \(text)") }
        return instant
    }

    /// One function, with `requests(day index)` on each of a number of days.
    static func function(
        _ name: String, project: String = "demo-prod", region: String = "us-central1",
        generation: Generation? = .second, days: Int = 14, severity: PassSeverity = .debug,
        requests: (Int) -> [Requests]
    ) -> FunctionSummary {
        var table = CellTable()
        for index in 0..<days {
            for request in requests(index) {
                table.add(request, on: firstDay.advanced(by: index), hour: 7 + index % 5, severity: severity)
            }
        }
        let identity = FunctionIdentity(
            project: project, region: region, name: name.lowercased(), generation: generation)
        return FunctionSummary(identity: identity, name: name, table: table)
    }

    /// The same of a function whose entries carry no labels, such as Python's.
    static func unlabelled(
        _ name: String, generation: Generation?, requests: (Int) -> [Requests]
    ) -> FunctionSummary {
        function(name, generation: generation, severity: .info, requests: requests).changed {
            $0.table.markUnlabelled()
        }
    }

    /// A function that is enforced since a day and refuses 90 of 990 signed-in requests a day.
    static func lockedOut(_ name: String, since: String = "2026-10-02") -> Summary {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob(name), line: 1)
        entry.settings.enforced = .date(day(since))
        rules.entries = [entry]
        let function = function(name, generation: .first) { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)]
        }
        return judged(summary([function]), rules: rules)
    }

    /// A summary whose input figures agree with its functions.
    static func summary(
        _ functions: [FunctionSummary], asOf: Instant? = nil, policy: VerdictPolicy = VerdictPolicy(),
        input change: (inout InputSummary) -> Void = { _ in }
    ) -> Summary {
        var input = InputSummary()
        input.sources = 1
        input.verifications = functions.reduce(0) { $0 + $1.table.totals.total }
        input.records = input.verifications * 5
        input.bytesDecompressed = input.records * 741
        input.bytesRead = input.bytesDecompressed / 15
        input.undated = functions.reduce(0) { $0 + $1.table.undated.total }
        change(&input)
        var summary = Summary(
            asOf: asOf ?? functions.compactMap(\.table.last).max(), policy: policy, input: input, functions: functions)
        summary.functions = judged(summary).functions
        summary.projects = judged(summary, failuresSeen: false).projects
        return summary
    }

    /// The same summary with the verdicts of a run with these rules, and with what it knows of projects.
    static func judged(_ summary: Summary, rules: PolicyRules? = nil, failuresSeen: Bool = true) -> Summary {
        let evaluator = evaluator(summary, rules: rules, failuresSeen: failuresSeen)
        var judged = summary
        for index in judged.functions.indices {
            judged.functions[index] = judged.functions[index].changed {
                ($0.assessment, $0.judgement) = evaluator.assessed($0.identity)
            }
        }
        judged.projects = evaluator.projects
        return judged
    }

    /// All the evidence on one function of a summary.
    static func explanation(_ name: String, in summary: Summary, rules: PolicyRules? = nil) -> Explanation {
        guard let function = summary.functions.first(where: { $0.name == name }) else {
            preconditionFailure("no such function: \(name)")
        }
        return Explanation(function, in: summary, evaluator: evaluator(summary, rules: rules))
    }

    /// The judge of a summary, who knows of its projects what its functions show.
    static func evaluator(_ summary: Summary, rules: PolicyRules?, failuresSeen: Bool = true) -> Evaluator {
        var tally = Tally()
        for function in summary.functions {
            tally.add(function.table, for: function.identity)
            var project = ProjectTally()
            for day in function.table.days() {
                if failuresSeen { project.addErrorStream(day: day.day) }
            }
            tally.add(project, for: ExactName(function.identity.project))
        }
        tally.evidence = Tally.Evidence()
        return Evaluator(
            tally: tally, rules: rules ?? PolicyRules(numbers: summary.policy), asOf: summary.asOf,
            names: Dictionary(uniqueKeysWithValues: summary.functions.map { ($0.identity, $0.name) }))
    }

    /// What functions of one project show of it, selected or not.
    static func projects(
        of functions: [FunctionSummary], and project: ProjectTally = ProjectTally()
    ) -> [ExactName: ProjectCoverage] {
        var tally = Tally()
        for function in functions { tally.add(function.table, for: function.identity) }
        tally.add(project, for: "demo-prod")
        return Evaluator(tally: tally, rules: PolicyRules(), asOf: nil).projects
    }

    /// Many plausible functions of one project: a few busy ones and a long tail.
    static func project(functions count: Int, days: Int = 14) -> [FunctionSummary] {
        let verbs = ["add", "create", "list", "get", "delete", "update", "send", "scan", "redeem", "verify", "sync"]
        let nouns = ["Message", "Account", "Receipts", "UserProfile", "Invite", "PaymentIntent", "PushToken"]
        return (0..<count).map { index in
            let version = index < 77 ? "" : "V\(index / 77 + 1)"
            let name = verbs[index % verbs.count] + nouns[index * 5 % nouns.count] + version
            let volume = 21_000 / (index + 1) + 3
            let missing = [0, 12, 400, 3, 0, 90, 1500][index % 7]
            return function(
                name, region: ["us-central1", "europe-west1"][index % 3 / 2],
                generation: index.isMultiple(of: 4) ? .first : .second, days: days
            ) { day in
                let isWeekend = (firstDay.advanced(by: day)).weekday >= 5
                let total = isWeekend ? volume / 3 : volume
                // A release on the sixth day brings the share of clients without a token down, step by step.
                let share = day < 6 ? missing : missing / (day - 4)
                let blocked = total * share / 10_000
                return [
                    Requests(app: .valid, count: total - blocked),
                    Requests(app: .missing, auth: .missing, count: blocked / 3),
                    Requests(app: .missing, count: blocked - blocked / 3),
                    Requests(app: .invalid, count: index % 5 == 1 ? total / 900 : 0),
                    Requests(app: .missing, auth: .invalid, count: index % 6 == 2 ? 2 : 0),
                ]
            }
        }
    }
}
