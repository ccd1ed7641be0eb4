import Foundation

/// A table beside the script that computed it, in the folder `Fixtures`.
struct ReferenceTable {
    /// The lines below the header, each cut at its commas.
    let rows: [[String]]

    init(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "Fixtures/\(name)"), encoding: .utf8)
        rows = text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The rows of a table that holds nothing but numbers.
    func numbers() throws -> [[Double]] {
        try rows.map { row in
            try row.map { field in
                guard let number = Double(field) else { throw NotANumber(field: field) }
                return number
            }
        }
    }

    struct NotANumber: Error {
        let field: String
    }
}

/// The distance of a value from the true one, in parts of the true one.
///
/// Below 1e-300 a double has fewer digits than elsewhere; such values only have to be as small.
func relativeError(_ value: Double, _ truth: Double) -> Double {
    if truth.magnitude < 1e-300 { return value.magnitude < 2e-300 ? 0 : .infinity }
    let error = ((value - truth) / truth).magnitude
    return error.isNaN ? .infinity : error
}
