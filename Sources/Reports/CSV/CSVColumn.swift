import Readiness
import Verifications

/// A column of the CSV report: its name, and its cell in a row.
struct CSVColumn {
    let name: String
    let cell: @Sendable (CSVRow) -> CSVCell

    static let counts: [CSVColumn] = identity + byApp + byAppAndAuth + discarded

    private static let identity = [
        CSVColumn(name: "project") { .name($0.function.identity.project) },
        CSVColumn(name: "region") { .name($0.function.identity.region) },
        CSVColumn(name: "function") { .name($0.function.name) },
        CSVColumn(name: "generation") { CSVCell($0.function.identity.generation.map { Int($0.rawValue) }) },
        CSVColumn(name: "verifications") { .number($0.totals.total) },
        CSVColumn(name: "first") { CSVCell($0.function.tally.first?.description) },
        CSVColumn(name: "last") { CSVCell($0.function.tally.last?.description) },
    ]

    private static let byApp = TokenStatus.allCases.map { app in
        CSVColumn(name: "app.\(app.name)") { .number($0.totals.total(app: app)) }
    }

    private static let byAppAndAuth = TokenStatus.allCases.flatMap { app in
        TokenStatus.allCases.map { auth in
            CSVColumn(name: "appByAuth.\(app.name).\(auth.name)") { .number($0.totals[app, auth]) }
        }
    }
}

extension CSVColumn {
    private static let discarded = [
        CSVColumn(name: "discarded.unlabelled") { .number($0.function.tally.discarded.unlabelled) },
        CSVColumn(name: "discarded.otherMessage") { .number($0.function.tally.discarded.otherMessage) },
        CSVColumn(name: "discarded.repeated") { .number($0.function.tally.discarded.repeated) },
    ]

    /// What the numbers of every row are based on: a row that is cut out of the file still says so.
    static let caveats = [
        CSVColumn(name: "policy.assumeComplete") { .word($0.policy.assumeComplete.cell) },
        CSVColumn(name: "policy.confirm") { .number($0.policy.confirm) },
        CSVColumn(name: "input.malformed") { .number($0.input.malformed) },
        CSVColumn(name: "input.oversized") { .number($0.input.oversized) },
        CSVColumn(name: "input.unexpected") { .number($0.input.unexpected) },
        CSVColumn(name: "input.problems.kind") { .word($0.problemKinds) },
    ]
}

extension AssumeComplete {
    /// As JSON has it.
    fileprivate var cell: String {
        switch self {
        case .nothing: "false"
        case .failures: rawValue
        case .everything: "true"
        }
    }
}

/// What the cells of one row are taken from.
struct CSVRow {
    let function: FunctionSummary
    let totals: StatusMatrix
    let policy: VerdictPolicy
    let input: InputSummary
    /// The kinds of problems that the input had, each once, with spaces between them.
    let problemKinds: String
}

extension CSVColumn {
    /// The verdict of a function, with the numbers it is based on.
    static let readiness: [CSVColumn] =
        [
            column("verdict") { .word($0.verdict.rawValue) },
            column("window.from") { CSVCell($0.evidence.window?.from.description) },
            column("window.to") { CSVCell($0.evidence.window?.to.description) },
        ] + rate("", \.evidence) + [
            column("blockedPerDay") { .decimal($0.evidence.blockedPerDay) },
            column("blockedPerDayUpper") { .decimal($0.evidence.blockedPerDayUpper) },
            column("dispersion") { .decimal($0.evidence.dispersion) },
            column("activeDays") { .number($0.evidence.activeDays) },
            column("ageDays") { .number($0.ageDays) },
            column("signedInNoToken") { .number($0.evidence.signedInNoToken) },
            column("anonymousNoToken") { .number($0.evidence.anonymousNoToken) },
            column("tokenRefused") { .number($0.evidence.tokenRefused) },
            column("lastBlocked") { CSVCell($0.evidence.lastBlocked?.description) },
            column("cleanStreak") { .number($0.evidence.cleanStreak) },
            column("observedDays") { .number($0.evidence.observedDays) },
            column("uncounted") { .number($0.evidence.uncounted) },
            column("safeNights") { .number($0.safeNights) },
            column("safeSince") { CSVCell($0.safeSince?.description) },
            column("signedIn.verdict") { .word($0.signedIn.verdict.rawValue) },
        ] + rate("signedIn.", \.signedIn.evidence) + [
            column("reasons.code") { .word($0.reasons.map(\.code).joined(separator: " ")) },
            column("forecast.date") { CSVCell($0.forecast?.day.description) },
            column("forecast.kind") { CSVCell($0.forecast?.kind.rawValue) },
        ]

    private static func rate(_ prefix: String, _ part: @escaping @Sendable (Assessment) -> Evidence) -> [CSVColumn] {
        [
            column("\(prefix)admitted") { .number(part($0).admitted) },
            column("\(prefix)blocked") { .number(part($0).blocked) },
            column("\(prefix)blockedRate") { CSVCell(part($0).blockedRate) },
            column("\(prefix)blockedRateUpper") { .decimal(part($0).blockedRateUpper) },
            column("\(prefix)blockedRateLower") { .decimal(part($0).blockedRateLower) },
        ]
    }

    private static func column(_ name: String, cell: @escaping @Sendable (Assessment) -> CSVCell) -> CSVColumn {
        CSVColumn(name: "readiness.\(name)") { cell($0.function.assessment) }
    }
}

extension CSVColumn {
    /// Who called, and why tokens were refused; kinds and versions have no columns, because they differ from log to
    /// log.
    static let callers: [CSVColumn] =
        RefusalCause.allCases.map { cause in
            column("causes.\(cause.name)") { CSVCell($0.causes?[cause]) }
        } + [
            column("causes.since") { CSVCell($0.causes?.since?.description) },
            column("enforcement.state") { CSVCell($0.enforcement?.state.rawValue) },
            column("enforcement.evidence") { CSVCell($0.enforcement?.evidence) },
            column("enforcement.since") { CSVCell($0.enforcement?.since?.description) },
            column("clients.requests") { CSVCell($0.clients?.requests) },
            column("clients.joined") { CSVCell($0.clients?.callers.joined) },
            column("clients.blocked") { CSVCell($0.clients?.blocked) },
            column("clients.blockedJoined") { CSVCell($0.clients?.callers.blockedJoined) },
            column("clients.alreadyFailing") { CSVCell($0.clients?.alreadyFailing) },
            column("clients.blockedAddresses") { CSVCell($0.clients?.blockedAddresses) },
            column("clients.unlogged") { CSVCell($0.clients?.unlogged) },
            column("clients.categories.verified") { CSVCell($0.clients?.categories.verified) },
            column("clients.categories.outdated") { CSVCell($0.clients?.categories.outdated) },
            column("clients.categories.unknownOrigin") { CSVCell($0.clients?.categories.unknownOrigin) },
            column("clients.categories.invalid") { CSVCell($0.clients?.categories.invalid) },
        ]

    private static func column(_ name: String, cell: @escaping @Sendable (CallerSummary) -> CSVCell) -> CSVColumn {
        CSVColumn(name: name) { row in row.function.callers.map(cell) ?? .empty }
    }
}

extension Assessment {
    fileprivate var forecast: (day: Day, kind: Outlook.Kind)? {
        guard case .date(let day, let kind) = outlook else { return nil }
        return (day, kind)
    }
}
