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
        CSVColumn(name: "generation") { CSVCell($0.function.generationNumber) },
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

    /// What every row's numbers rest on: a row that is cut out of the file still says so.
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
