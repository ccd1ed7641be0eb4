import Readiness
import Testing
import Verifications

/// Verifications of one kind on one day of a ``Scenario``, the first at midnight.
struct Requests {
    var app: TokenStatus
    var auth: TokenStatus
    var count: Int
    /// The requests fall in this many hours, from midnight on.
    var hours: Int

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
        let identity = FunctionIdentity(project: project, region: region, name: name, generation: generation)
        var verifications: [Verification] = []
        for offset in days {
            for request in requests {
                for index in 0..<request.count {
                    let hour = Int64(index % request.hours)
                    let instant = Instant(day: day(offset), nanosecondOfDay: hour * 3_600_000_000_000)
                    verifications.append(
                        verification(request, generation: generation, severity: severity, at: instant))
                }
            }
        }
        add(verifications, to: identity)
    }

    /// Adds one verification at an instant, or without one.
    mutating func add(_ name: String = "f", generation: Generation? = .first, at text: String?, _ request: Requests) {
        add(
            [verification(request, generation: generation, severity: .debug, at: text.map { instant($0) })],
            to: FunctionIdentity(project: "demo", region: "us", name: name, generation: generation))
    }

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

    private mutating func change(_ name: String, _ generation: Generation?, _ change: (inout FunctionTally) -> Void) {
        var part = FunctionTally()
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

    private func verification(
        _ request: Requests, generation: Generation?, severity: PassSeverity, at instant: Instant?
    ) -> Verification {
        Verification(
            function: 0, app: request.app, auth: request.auth,
            severity: severity, instant: instant)
    }

    private mutating func add(_ verifications: [Verification], to identity: FunctionIdentity) {
        var function = FunctionTally()
        for verification in verifications {
            function.add(verification)
            if let instant = verification.instant { tally.updateNewest(instant) }
        }
        tally.add(function, for: identity)
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

extension FunctionTally {
    mutating func add(_ verification: Verification) {
        add(
            app: verification.app, auth: verification.auth, severity: verification.severity, at: verification.instant)
    }
}
