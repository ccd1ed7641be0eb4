import Readiness
import Verifications

/// A row per function for spreadsheets and scripts: RFC 4180 with a header line, `CRLF` line ends and UTF-8.
///
/// Columns are named as the leaves of the JSON report (`app.VALID`, `appByAuth.MISSING.VALID`); what is null there is
/// an empty cell here. Days, kinds of clients and app versions have no column; reasons and problems are listed by their
/// codes, with spaces between them. The last columns repeat in every row what all numbers are based on.
struct CSVReport {
    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        write(summary, columns: [], to: &sink)
    }

    /// Writes the rows with more columns after the verdict's.
    func write(_ summary: Summary, columns more: [CSVColumn], to sink: inout some TextOutputStream) {
        let columns = CSVColumn.counts + CSVColumn.readiness + CSVColumn.callers + more + CSVColumn.caveats
        let kinds = Set(summary.input.problems.entries.map(\.kind.rawValue)).sorted().joined(separator: " ")
        sink.write(CSVReport.line(columns.map { .word($0.name) }))
        for function in summary.functions {
            let row = CSVRow(
                function: function, totals: function.totals, policy: summary.policy, input: summary.input,
                problemKinds: kinds)
            sink.write(CSVReport.line(columns.map { $0.cell(row) }))
        }
    }

    private static func line(_ cells: [CSVCell]) -> String {
        cells.map(\.text).joined(separator: ",") + "\r\n"
    }
}

/// The rows of a summary, each with what the report adds about the function: what it is compared to, the codes of its
/// changes with spaces between them, and when it will be ready.
extension CSVReport {
    func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        let codes = report.changeCodes
        let columns: [CSVColumn] = [
            CSVColumn(name: "comparedTo") { _ in CSVCell(report.comparedTo?.description) },
            CSVColumn(name: "changes.code") { row in
                .word(codes[row.function.identity, default: []].joined(separator: " "))
            },
            CSVColumn(name: "ready.date") { CSVCell($0.function.assessment.readyDay?.description) },
        ]
        write(report.summary, columns: columns, to: &sink)
    }
}

extension NightlyReport {
    /// The codes of the changes that concern each function, in their order.
    fileprivate var changeCodes: [FunctionIdentity: [String]] {
        var codes: [FunctionIdentity: [String]] = [:]
        for change in changes {
            if let function = change.function { codes[function.identity, default: []].append(change.code) }
            guard case .missingExport(let missing) = change else { continue }
            for verdict in missing.verdicts { codes[verdict.function.identity, default: []].append(change.code) }
        }
        return codes
    }
}
