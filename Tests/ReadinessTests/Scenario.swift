import Readiness
import TestSupport
import Testing
import Verifications

/// Verifications of one kind on one day of a ``Scenario``, the first at midnight.
struct Requests {
    var app: TokenStatus
    var auth: TokenStatus
    var count: Int
    /// The requests fall in this many hours, from ``hour`` on.
    var hours: Int
    var hour = 0
    /// Nil without a row.
    var client: Client?
    var address: UInt16 = 0
    var answer: RequestRow.ResponseClass?
    var cause: RefusalCause?

    static func valid(_ count: Int, auth: TokenStatus = .valid) -> Requests {
        Requests(app: .valid, auth: auth, count: count, hours: 1)
    }

    static func missing(_ count: Int, auth: TokenStatus = .valid, hours: Int = 1) -> Requests {
        Requests(app: .missing, auth: auth, count: count, hours: hours)
    }

    static func invalid(_ count: Int, auth: TokenStatus = .valid, hours: Int = 1) -> Requests {
        Requests(app: .invalid, auth: auth, count: count, hours: hours)
    }

    static func other(_ count: Int, auth: TokenStatus = .valid) -> Requests {
        Requests(app: .other, auth: auth, count: count, hours: 1)
    }

    /// The same with a row.
    func by(
        _ client: Client, _ answer: RequestRow.ResponseClass = .success, address: UInt16 = 0, hour: Int = 0
    ) -> Requests {
        var requests = self
        (requests.client, requests.answer, requests.address, requests.hour) = (client, answer, address, hour)
        return requests
    }

    /// The same with an SDK's line about why the token was refused.
    func refused(_ cause: RefusalCause) -> Requests {
        var requests = self
        requests.cause = cause
        return requests
    }
}

/// The log of a few projects, written as a table of days around the as-of instant.
///
/// ```swift
/// var log = Scenario()
/// log.add(days: -6...0, .valid(100), .missing(2))  // the week that ends with T's day
/// #expect(log.assess().verdict == .wait)
/// ```
struct Scenario {
    var asOf: Instant
    var rules = PolicyRules()
    var clock: Instant?
    var unread = UnreadRecords()
    private(set) var tally = Tally()

    /// One look decides, unless a test asks for more.
    init(asOf: String = "2026-10-14T23:59:59Z") {
        self.asOf = instant(asOf)
        rules.numbers.confirm = 1
    }

    /// Adds the same requests on each of some days; 0 is T's day, −1 the one before.
    mutating func add(
        _ name: String = "f", generation: Generation? = .first, project: String = "demo", region: String = "us",
        severity: PassSeverity = .debug, days: some Sequence<Int>, _ requests: Requests...
    ) {
        var writer = CellWriter()
        for offset in days {
            for request in requests { write(request, severity, on: day(offset), into: &writer) }
        }
        add(
            writer.finish(),
            to: FunctionIdentity(project: project, region: region, name: name, generation: generation))
        if requests.contains(where: { $0.client != nil || $0.cause != nil }) { readEvidence() }
    }

    /// Adds all of these on one day.
    mutating func add(_ name: String, generation: Generation?, day offset: Int, _ requests: [Requests]) {
        var writer = CellWriter()
        for request in requests { write(request, .debug, on: day(offset), into: &writer) }
        add(
            writer.finish(), to: FunctionIdentity(project: "demo", region: "us", name: name, generation: generation))
    }

    private func write(_ requests: Requests, _ severity: PassSeverity, on day: Day, into writer: inout CellWriter) {
        for hour in 0..<requests.hours {
            let rest = hour < requests.count % requests.hours ? 1 : 0
            writer.add(
                requests.count / requests.hours + rest, app: requests.app, auth: requests.auth, severity: severity,
                at: Instant(day: day, nanosecondOfDay: Int64(requests.hour + hour) * 3_600_000_000_000),
                of: requests.client, address: requests.address, answer: requests.answer, cause: requests.cause)
        }
    }

    /// Adds one verification at an instant, or without one.
    mutating func add(_ name: String = "f", generation: Generation? = .first, at text: String?, _ request: Requests) {
        var writer = CellWriter()
        writer.add(request.count, app: request.app, auth: request.auth, at: text.map { instant($0) })
        add(
            writer.finish(), to: FunctionIdentity(project: "demo", region: "us", name: name, generation: generation))
    }

    /// Adds rows of each of some days that no verification belongs to.
    mutating func add(
        _ name: String = "f", generation: Generation? = .second, days: some Sequence<Int>,
        openRows count: Int, answer: RequestRow.ResponseClass = .success
    ) {
        var writer = CellWriter()
        for offset in days { writer.add(openRows: count, answer: answer, on: day(offset)) }
        tally.add(
            writer.finish(), for: FunctionIdentity(project: "demo", region: "us", name: name, generation: generation))
        readEvidence()
    }

    /// Rows and lines were read.
    mutating func readEvidence() { tally.evidence = tally.evidence ?? Tally.Evidence() }

    /// Lets another function of the project be seen on some days, so that they are covered.
    mutating func cover(_ days: some Sequence<Int>, generation: Generation? = .first) {
        add("background", generation: generation, days: days, .valid(1))
    }

    /// The verifications of a function carry no labels.
    mutating func markUnlabelled(_ name: String, generation: Generation? = .first) {
        change(name, generation) { $0.markUnlabelled() }
    }

    /// Verifications of `f` were not counted.
    mutating func discard(_ discarded: Discarded) {
        change("f", .first) { $0.discard(discarded) }
    }

    private mutating func change(_ name: String, _ generation: Generation?, _ change: (inout CellTable) -> Void) {
        var part = CellTable()
        change(&part)
        tally.add(part, for: FunctionIdentity(project: "demo", region: "us", name: name, generation: generation))
    }

    /// A record of the standard-error log was read.
    mutating func seeErrorStream(day offset: Int?) {
        var project = ProjectTally()
        project.addErrorStream(day: offset.map(day))
        tally.add(project, for: "demo")
    }

    func day(_ offset: Int) -> Day {
        asOf.day.advanced(by: offset)
    }

    var evaluator: Evaluator {
        Evaluator(tally: tally, rules: rules, asOf: asOf, clock: clock, unread: unread)
    }

    func assess(
        _ name: String = "f", generation: Generation? = .first, project: String = "demo", region: String = "us"
    ) -> Assessment {
        evaluator.assess(FunctionIdentity(project: project, region: region, name: name, generation: generation))
    }

    private mutating func add(_ table: CellTable, to identity: FunctionIdentity) {
        tally.add(table, for: identity)
        if let last = table.last { tally.updateNewest(last) }
    }
}

extension Assessment {
    var codes: [String] {
        reasons.map(\.name)
    }

    func reason(_ code: String) throws -> Finding {
        try #require(reasons.first { $0.name == code })
    }
}

func instant(_ text: String) -> Instant {
    guard let instant = Instant(timestamp: text) else { fatalError("not a timestamp: \(text)") }
    return instant
}

func day(_ text: String) -> Day {
    guard let day = Day(iso8601: text) else { fatalError("not a date: \(text)") }
    return day
}

extension Verification {
    var failed: Bool { app == .invalid || auth == .invalid }
}
