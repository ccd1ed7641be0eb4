import Foundation

/// Whether DuckDB's query and the program count the same: a peer that does less is none.
enum Agreement {
    /// What both count.
    private struct Cell: Hashable {
        var function: [String]
        var day: String
        var app: String
    }

    /// Compares the counts of every function, day and App Check status, and of every pair of statuses.
    ///
    /// - Parameters:
    ///   - peer: The rows that DuckDB printed.
    ///   - ours: What the program printed as JSON.
    /// - Throws: When they differ.
    static func check(peer: Data, ours: Data) throws {
        let (theirCells, theirPairs) = try cells(ofRows: peer)
        let (ourCells, ourPairs) = try cells(ofSummary: ours)
        guard theirCells == ourCells, theirPairs == ourPairs else {
            let differing = Set(theirCells.keys).union(ourCells.keys).filter { theirCells[$0] != ourCells[$0] }
            throw Failure("DuckDB and callcheck count differently, in \(differing.count) cells of function and day")
        }
    }

    private static func status(_ text: String?) -> String {
        text.map { ["VALID", "INVALID", "MISSING"].contains($0) ? $0 : "OTHER" } ?? "OTHER"
    }

    private static func cells(ofRows data: Data) throws -> ([Cell: Int], [[String]: Int]) {
        guard let rows = try JSONSerialization.jsonObject(with: data) as? [[Any]] else {
            throw Failure("DuckDB printed no rows")
        }
        var cells: [Cell: Int] = [:]
        var pairs: [[String]: Int] = [:]
        for row in rows {
            guard row.count == 8, let count = row[7] as? Int else { throw Failure("DuckDB printed another row") }
            let function = (0..<3).map { row[$0] as? String ?? "-" } + ["\(row[3])"]
            let (app, auth) = (status(row[5] as? String), status(row[6] as? String))
            cells[Cell(function: function, day: row[4] as? String ?? "", app: app), default: 0] += count
            pairs[[app, auth], default: 0] += count
        }
        return (cells, pairs)
    }

    private static func cells(ofSummary data: Data) throws -> ([Cell: Int], [[String]: Int]) {
        guard let summary = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let functions = summary["functions"] as? [[String: Any]]
        else { throw Failure("callcheck printed no summary") }
        var cells: [Cell: Int] = [:]
        var pairs: [[String]: Int] = [:]
        for function in functions {
            let name = (function["function"] as? String ?? "").lowercased().replacing("_", with: "-")
            let generation = function["generation"] as? Int ?? 0
            let identity = ["project", "region"].map { function[$0] as? String ?? "" }
            // A function of generation 2 is shown by its name where one is known; DuckDB groups it by its service.
            let shown = generation == 2 ? name : function["function"] as? String ?? ""
            for day in function["daily"] as? [[String: Any]] ?? [] {
                for status in ["VALID", "INVALID", "MISSING", "OTHER"] {
                    guard let count = day[status] as? Int, count > 0 else { continue }
                    let date = day["date"] as? String ?? ""
                    cells[Cell(function: identity + [shown, "\(generation)"], day: date, app: status), default: 0] +=
                        count
                }
            }
            for (app, row) in function["appByAuth"] as? [String: [String: Int]] ?? [:] {
                for (auth, count) in row where count > 0 { pairs[[app, auth], default: 0] += count }
            }
        }
        return (cells, pairs)
    }
}
