import Readiness
import Verifications

/// A function as programs read it: its fields are the objects of JSON, the columns of CSV and, some of them, metrics.
struct FunctionRow {
    let function: FunctionSummary
    let totals: StatusMatrix

    init(_ function: FunctionSummary) {
        self.function = function
        totals = function.totals
    }

    private var assessment: Assessment { function.assessment }
    private var period: Period { function.assessment.period }

    /// All fields, in the order in which every format has them.
    static let fields: [Field<FunctionRow>] = identity + counts + [.object("readiness", readiness)] + evidence

    private static let evidence: [Field<FunctionRow>] = [
        .object("causes", of: { $0.function.assessment.causes }, causes),
        .object("enforcement", of: { $0.function.knowsEnforcement ? $0.function : nil }, enforcement),
        .object("clients", of: { $0.function.assessment.clients }, clients),
        .object("aftermath", of: { $0.function.assessment.aftermath }, aftermath),
    ]

    static let columns = fields.flatMap(\.columns)

    /// Fields of a service: those of a function that it has, and its apps.
    static let serviceFields: [Field<FunctionRow>] =
        [
            .leaf("project") { $0.function.identity.project },
            .leaf("service") { $0.function.identity.name },
            .leaf("verifications") { $0.totals.total },
            .object("app", statuses { $0.totals.total(app: $1) }),
            .list("daily", of: { $0.function.dayRows }, daily),
            .object("readiness", readiness),
            .object("enforcement", of: { $0.function }, enforcement),
            .list(
                "apps", of: { $0.function.table.countedApps },
                [.leaf("app") { $0.name }, .leaf("requests") { $0.requests }]),
        ]

    private static let identity: [Field<FunctionRow>] = [
        .leaf("project") { $0.function.identity.project },
        .leaf("region") { $0.function.identity.region },
        .leaf("function") { $0.function.key },
        .leaf("generation") { $0.function.identity.generation.map { Int($0.rawValue) } },
    ]

    /// Fields about the whole input.
    private static let counts: [Field<FunctionRow>] = [
        .leaf("verifications") { $0.totals.total },
        .leaf("first") { $0.function.table.first },
        .leaf("last") { $0.function.table.last },
        .object("app", statuses { $0.totals.total(app: $1) }),
        .object(
            "appByAuth",
            TokenStatus.allCases.map { app in .object(app.name, statuses { $0.totals[app, $1] }) }),
        .list("daily", of: { $0.function.dayRows }, daily),
        .object(
            "discarded",
            [
                .leaf("unlabelled") { $0.function.table.discarded.unlabelled },
                .leaf("otherMessage") { $0.function.table.discarded.otherMessage },
                .leaf("repeated") { $0.function.table.discarded.repeated },
            ]),
    ]

    private static let daily: [Field<JudgedDay>] =
        [.leaf("date") { $0.day.day }] + statuses { $0.day.statuses.total(app: $1) } + [
            .leaf("admitted") { $0.judged?.statuses.admitted($0.admission) ?? 0 },
            .leaf("blocked") { $0.judged?.statuses.blocked($0.admission) ?? 0 },
            .leaf("blockedHours") { $0.judged?.blockedHours.nonzeroBitCount ?? 0 },
        ]

    private static let readiness: [Field<FunctionRow>] =
        [
            .leaf("verdict") { $0.assessment.verdict.rawValue },
            .object("window", of: { $0.period.window }, [.leaf("from") { $0.from }, .leaf("to") { $0.to }]),
        ] + rate { $0.period } + [
            .leaf("blockedPerDay") { $0.assessment.blockedPerDay },
            .leaf("blockedPerDayUpper") { $0.assessment.blockedPerDayUpper },
            .leaf("dispersion") { $0.period.dispersion },
            .leaf("activeDays") { $0.period.activeDays },
            .leaf("ageDays") { $0.assessment.ageDays },
            .leaf("observedDays") { max(1, $0.assessment.observedDays) },
            .leaf("signedInNoToken") { $0.period.signedInNoToken },
            .leaf("anonymousNoToken") { $0.period.anonymousNoToken },
            .leaf("tokenRefused") { $0.period.tokenRefused },
            .leaf("lastBlocked") { $0.period.lastBlocked },
            .leaf("cleanStreak") { $0.period.cleanStreak },
            .leaf("uncounted") { $0.assessment.uncounted },
            .leaf("passedOver") { $0.assessment.passedOver.map(\.description) },
            .leaf("leftOut") { $0.assessment.leftOut },
            .leaf("programs") { $0.assessment.programs },
            .leaf("admission") { $0.assessment.admission == .signedIn ? "signedIn" : "all" },
            .leaf("admissionBy") {
                $0.assessment.servesNobodySignedOut ? "log" : $0.assessment.admission == .signedIn ? "policy" : nil
            },
            .leaf("perWeekUpper") { $0.assessment.perWeekUpper },
            .leaf("failingSince") { $0.assessment.failing?.instant },
            .list(
                "platforms", of: { $0.assessment.platforms },
                [
                    .leaf("name") { $0.name.text }, .leaf("admitted") { $0.admitted }, .leaf("blocked") { $0.blocked },
                    .leaf("blockedRateLower") { $0.lower },
                ]),
            .leaf("safeNights") { $0.assessment.safeNights },
            .leaf("safeSince") { $0.assessment.safeSince },
            .object(
                "lockout", of: { $0.assessment.lockout },
                [
                    .leaf("requests") { $0.requests }, .leaf("refused") { $0.refused },
                    .leaf("addresses") { $0.addresses }, .leaf("lower") { $0.lower },
                    .object(
                        "lastHour",
                        [.leaf("requests") { $0.lastHour.requests }, .leaf("refused") { $0.lastHour.refused }]),
                    .leaf("failingNow") { $0.failing != nil },
                    .list(
                        "platforms", of: { $0.platforms },
                        [
                            .leaf("name") { $0.name.text }, .leaf("admitted") { $0.admitted },
                            .leaf("blocked") { $0.blocked }, .leaf("blockedRateLower") { $0.lower },
                        ]),
                ]),
            .list(
                "segments", of: { $0.assessment.segments },
                [
                    .leaf("from") { $0.start }, .leaf("to") { $0.end }, .leaf("requests") { $0.requests },
                    .leaf("blocked") { $0.blocked }, .leaf("addresses") { $0.addresses },
                    .leaf("raised") { $0.isRaised },
                ]),
            .list(
                "suspects", of: { $0.assessment.suspects },
                [
                    .leaf("name") { $0.unit.name }, .leaf("admitted") { $0.admitted },
                    .leaf("blocked") { $0.blocked }, .leaf("addresses") { $0.addresses },
                    .leaf("since") { $0.since }, .leaf("until") { $0.until },
                ]),
            .list(
                "whatIf", of: { $0.assessment.whatIfs },
                [
                    .leaf("change") { $0.change.name }, .leaf("verdict") { $0.verdict.rawValue },
                    .leaf("blockedRate") { $0.period.blockedRate }, .leaf("date") { $0.date },
                    .leaf("remains") { $0.remains.map(\.name) },
                ]),
            .object(
                "signedIn",
                [.leaf("verdict") { $0.assessment.signedIn.verdict.rawValue }]
                    + rate { $0.assessment.signedIn.period }),
            .list(
                "reasons", of: { $0.reasons }, reason,
                columns: [
                    Field.Column(path: "reasons.code") {
                        .text($0.assessment.reasons.map(\.name).joined(separator: " "))
                    }
                ]),
            .object("forecast", of: { $0.forecast }, [.leaf("date") { $0.day }, .leaf("kind") { $0.kind.rawValue }]),
        ]

    private static let reason: [Field<(Finding, Wording)>] = [
        .leaf("code") { $0.0.name },
        .leaf("value") { $0.0.value },
        .leaf("limit") { $0.0.limit },
        .leaf("detail") { $0.1.text(ascii: false) },
    ]

    private static let causes: [Field<RefusalCauses>] =
        RefusalCause.allCases.map { cause in .leaf(cause.name) { $0[cause] } } + [.leaf("since") { $0.since }]

    private static let enforcement: [Field<FunctionSummary>] = [
        .leaf("state") { $0.assessment.enforcement.state.rawValue },
        .leaf("since") { $0.assessment.enforcement.start },
        .leaf("by") { $0.assessment.enforcement.source?.rawValue },
        .leaf("planned") { $0.assessment.enforcement.planned?.text },
        .leaf("mayStream") { $0.assessment.enforcement.mayStream },
        .leaf("refused") { $0.assessment.enforcement.refused },
        .leaf("served") { $0.assessment.enforcement.served },
        .list(
            "revisions", of: { $0.revisions },
            [
                .leaf("name") { $0.name }, .leaf("state") { $0.state.rawValue }, .leaf("requests") { $0.requests },
                .leaf("refused") { $0.refused }, .leaf("served") { $0.served }, .leaf("first") { $0.first },
                .leaf("last") { $0.last },
            ]),
    ]

    private static let aftermath: [Field<Aftermath>] = [
        .leaf("since") { $0.since },
        .leaf("by") { $0.source.rawValue },
        .leaf("requests") { $0.all.requests },
        .leaf("refused") { $0.all.refused },
        .leaf("refusedSignedIn") { $0.signedIn.refused },
        .leaf("refusedLastHour") { $0.lastHour?.refused },
        .leaf("requestsLastHour") { $0.lastHour?.requests },
        .leaf("refusedPerDay") { $0.refusedPerDay },
        .leaf("predictedPerDay") { $0.predictedPerDay },
        .leaf("predictedPerDayUpper") { $0.predictedPerDayUpper },
        .leaf("verdict") { $0.answer?.rawValue },
    ]

    private static let clients: [Field<WindowClients>] = [
        .leaf("joined") { $0.callers.sum().admitted },
        .object(
            "known",
            [
                .leaf("requests") { share($0.requests - $0.unknown.admitted, of: $0.requests) },
                .leaf("blocked") { share($0.callers.sum().blocked, of: $0.blocked) },
            ]),
        .leaf("blocked") { $0.blocked },
        .leaf("blockedJoined") { $0.callers.sum().blocked },
        .leaf("alreadyFailing") { $0.alreadyFailing },
        .leaf("blockedAddresses") { $0.blockedAddresses },
        .leaf("unlogged") { $0.unlogged },
        .object(
            "categories", of: { $0.categories },
            [
                .leaf("verified") { $0.verified },
                .leaf("outdated") { $0.outdated },
                .leaf("unknownOrigin") { $0.unknownOrigin },
                .leaf("invalid") { $0.invalid },
            ]),
        sums("kinds", of: { $0.callers.sums { $0.kind } }, [.leaf("kind") { $0.key.name }]),
        sums("browsers", of: { $0.callers.sums { $0.code.browser } }, [.leaf("browser") { $0.key.name }]),
        sums("devices", of: { $0.callers.sums { $0.code.device } }, [.leaf("device") { $0.key.name }]),
        sums(
            "versions", of: { $0.callers.versions },
            [
                .leaf("kind") { $0.key.kind.name },
                .leaf("app") { $0.key.version?.app },
                .leaf("version") { $0.key.version?.version },
                .leaf("os") { $0.key.version?.os },
            ]),
    ]

    private static func sums<Key>(
        _ name: String, of sums: @escaping @Sendable (WindowClients) -> [(key: Key, value: ClientSum)],
        _ key: [Field<(key: Key, value: ClientSum)>]
    ) -> Field<WindowClients> {
        .list(name, of: sums, key + [.leaf("admitted") { $0.value.admitted }, .leaf("blocked") { $0.value.blocked }])
    }

    /// 1 of none.
    private static func share(_ count: Int, of all: Int) -> Double { all > 0 ? Double(count) / Double(all) : 1 }

    private static func statuses<Subject>(
        _ count: @escaping @Sendable (Subject, TokenStatus) -> Int
    ) -> [Field<Subject>] {
        TokenStatus.allCases.map { status in .leaf(status.name) { count($0, status) } }
    }

    private static func rate(_ period: @escaping @Sendable (FunctionRow) -> Period) -> [Field<FunctionRow>] {
        [
            .leaf("admitted") { period($0).admitted },
            .leaf("blocked") { period($0).blocked },
            .leaf("blockedRate") { period($0).blockedRate },
            .leaf("blockedRateUpper") { period($0).upper },
            .leaf("blockedRateLower") { period($0).lower },
        ]
    }

    private var forecast: (day: Day, kind: Outlook.Kind)? {
        guard case .date(let day, let kind) = assessment.outlook else { return nil }
        return (day, kind)
    }

    /// The reasons in words; the first of them says where the policy lacks the function.
    private var reasons: [(Finding, Wording)] {
        assessment.reasons.map { reason in
            let wording = reason.statement(of: assessment).sentence
            let caution = [.enforced, .enforcedByLog].contains(reason.code) ? function.policyCaution : nil
            return (reason, caution.map { wording + " " + $0 } ?? wording)
        }
    }
}

/// A day of a function: what was counted, and what of it is judged.
private struct JudgedDay {
    let day: DaySum
    /// Nil where nothing is judged.
    let judged: DaySum?
    let admission: Admission
}

extension FunctionSummary {
    fileprivate var dayRows: [JudgedDay] {
        let admission = assessment.admission
        var judged = judgedDays[...]
        return days.map { day in
            let own = judged.first?.day == day.day ? judged.removeFirst() : nil
            return JudgedDay(day: day, judged: own, admission: admission)
        }
    }
}

/// A value that reports give to programs, before it is spelled for a format.
enum Leaf: Sendable {
    case number(Int)
    case decimal(Double)
    case flag(Bool)
    case text(String)
    case day(Day)
    case instant(Instant)
    case list([String])
    /// Not known, or it does not apply.
    case null
}

protocol LeafValue: Sendable {
    var leaf: Leaf { get }
}

extension Leaf: LeafValue { var leaf: Leaf { self } }
extension Int: LeafValue { var leaf: Leaf { .number(self) } }
extension Double: LeafValue { var leaf: Leaf { isFinite ? .decimal(self) : .null } }
extension Bool: LeafValue { var leaf: Leaf { .flag(self) } }
extension String: LeafValue { var leaf: Leaf { .text(self) } }
extension Day: LeafValue { var leaf: Leaf { .day(self) } }
extension Instant: LeafValue { var leaf: Leaf { .instant(self) } }
extension Array: LeafValue where Element == String { var leaf: Leaf { .list(self) } }
extension Optional: LeafValue where Wrapped: LeafValue { var leaf: Leaf { map(\.leaf) ?? .null } }

/// A part of what reports give to programs about a subject: nested in JSON, flat in CSV and in metrics.
struct Field<Subject>: Sendable {
    /// A leaf, under the names that lead to it: `readiness.signedIn.verdict`.
    struct Column: Sendable {
        let path: String
        let leaf: @Sendable (Subject) -> Leaf
    }

    let columns: [Column]
    /// Writes it as a member of a JSON object.
    let write: @Sendable (Subject, inout JSONWriter) -> Void
    private var layout = JSONWriter.Layout.lines

    static func leaf(_ name: String, _ value: @escaping @Sendable (Subject) -> some LeafValue) -> Field {
        Field(columns: [Column(path: name) { value($0).leaf }], write: { $1.member(name, value($0)) }, layout: .inline)
    }

    static func object(_ name: String, _ fields: [Field]) -> Field { object(name, of: { $0 }, fields) }

    /// Fields of a part that not every subject has; without it, the object is null and so are its leaves.
    static func object<Part>(
        _ name: String, of part: @escaping @Sendable (Subject) -> Part?, _ fields: [Field<Part>]
    ) -> Field {
        let columns = fields.flatMap(\.columns).map { column in
            Column(path: "\(name).\(column.path)") { part($0).map(column.leaf) ?? .null }
        }
        let layout = Field<Part>.layout(of: fields)
        return Field(columns: columns) { subject, json in
            guard let part = part(subject) else { return json.null(name) }
            json.object(layout, key: name) { for field in fields { field.write(part, &$0) } }
        }
    }

    /// An object for each of some elements, which have no separate columns.
    static func list<Element>(
        _ name: String, of elements: @escaping @Sendable (Subject) -> [Element], _ fields: [Field<Element>],
        columns: [Column] = []
    ) -> Field {
        Field(columns: columns) { subject, json in
            json.array(.lines, key: name) { json in
                for element in elements(subject) {
                    json.object(.inline) { for field in fields { field.write(element, &$0) } }
                }
            }
        }
    }

    /// Objects of nothing but leaves are on one line.
    private static func layout(of fields: [Field]) -> JSONWriter.Layout {
        fields.contains { $0.layout == .lines } ? .lines : .inline
    }
}
