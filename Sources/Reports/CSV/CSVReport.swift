public import Readiness
import Verifications

/// A row per function for spreadsheets and scripts: RFC 4180 with a header line, `CRLF` line ends and UTF-8.
///
/// Columns are named as the leaves of the JSON report (`app.VALID`, `appByAuth.MISSING.VALID`); what is null there is
/// an empty cell here. Days have no column; of reasons and problems there are the codes, with spaces between them. The
/// last columns repeat in every row what all numbers rest on.
public struct CSVReport: Report {
    public init() {}

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        write(summary, columns: [], to: &sink)
    }

    /// Writes the rows with more columns behind the verdict's.
    func write(_ summary: Summary, columns more: [CSVColumn], to sink: inout some TextOutputStream) {
        let columns = CSVColumn.counts + CSVColumn.readiness + more + CSVColumn.caveats
        let kinds = Set(summary.input.problems.entries.map(\.kind.rawValue)).sorted().joined(separator: " ")
        sink.write(CSVReport.line(columns.map { .word($0.name) }))
        for function in summary.functions {
            let row = CSVRow(
                function: function, totals: function.tally.totals, policy: summary.policy, input: summary.input,
                problemKinds: kinds)
            sink.write(CSVReport.line(columns.map { $0.cell(row) }))
        }
    }

    private static func line(_ cells: [CSVCell]) -> String {
        cells.map(\.text).joined(separator: ",") + "\r\n"
    }
}
