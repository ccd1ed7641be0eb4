public import Readiness
import Verifications

/// A row per function for spreadsheets and scripts: RFC 4180 with a header line, `CRLF` line ends and UTF-8.
///
/// Columns are named as the leaves of the JSON report (`app.VALID`, `appByAuth.MISSING.VALID`); what is null there is an
/// empty cell here. Lists have no column, days among them.
public struct CSVReport: Report {
    public init() {}

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let columns = CSVColumn.all
        sink.write(CSVReport.line(columns.map { .word($0.name) }))
        for function in summary.functions {
            let row = CSVRow(function: function)
            sink.write(CSVReport.line(columns.map { $0.cell(row) }))
        }
    }

    private static func line(_ cells: [CSVCell]) -> String {
        cells.map(\.text).joined(separator: ",") + "\r\n"
    }
}

/// What the cells of one row are taken from.
struct CSVRow {
    let function: FunctionSummary
    let totals: StatusMatrix

    init(function: FunctionSummary) {
        self.function = function
        self.totals = function.tally.totals
    }
}

/// A column: its name, and its cell in a row.
struct CSVColumn {
    let name: String
    let cell: @Sendable (CSVRow) -> CSVCell

    static let all: [CSVColumn] = identity + counts

    private static let identity = [
        CSVColumn(name: "project") { .name($0.function.identity.project) },
        CSVColumn(name: "region") { .name($0.function.identity.region) },
        CSVColumn(name: "function") { .name($0.function.name) },
        CSVColumn(name: "generation") { CSVCell($0.function.generationNumber) },
        CSVColumn(name: "verifications") { .number($0.totals.total) },
        CSVColumn(name: "first") { CSVCell($0.function.tally.first?.description) },
        CSVColumn(name: "last") { CSVCell($0.function.tally.last?.description) },
    ]

    private static let counts: [CSVColumn] =
        TokenStatus.allCases.map { app in
            CSVColumn(name: "app.\(app.name)") { .number($0.totals.total(app: app)) }
        }
        + TokenStatus.allCases.flatMap { app in
            TokenStatus.allCases.map { auth in
                CSVColumn(name: "appByAuth.\(app.name).\(auth.name)") { .number($0.totals[app, auth]) }
            }
        }
}
