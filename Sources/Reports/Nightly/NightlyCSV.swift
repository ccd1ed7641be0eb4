public import Readiness
import Verifications

/// The rows of ``CSVReport``, and with each what the report says of the function beside: what it is compared to, the
/// codes of its changes with spaces between them, and when it will be ready.
public struct NightlyCSV: NightlyPage {
    public init() {}

    public func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        let codes = report.changeCodes
        let columns: [CSVColumn] = [
            CSVColumn(name: "comparedTo") { _ in CSVCell(report.comparedTo?.description) },
            CSVColumn(name: "changes.code") { row in
                .word(codes[row.function.identity, default: []].joined(separator: " "))
            },
            CSVColumn(name: "ready.date") { row in
                switch report.readyDay(of: row.function) {
                case .since(let day), .expected(let day): .word(day.description)
                case .notFalling, .noRequests, nil: .empty
                }
            },
        ]
        CSVReport().write(report.summary, columns: columns, to: &sink)
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
