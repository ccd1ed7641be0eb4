internal import GRDB
internal import Readiness
internal import Verifications

/// The 16 cells of a matrix as columns: `valid_missing` counts requests with App Check VALID and Auth MISSING.
enum MatrixCells {
    static let columns = TokenStatus.allCases.flatMap { app in
        TokenStatus.allCases.map { auth in "\(app.name)_\(auth.name)".lowercased() }
    }

    static func of(_ matrix: StatusMatrix) -> [DatabaseValue] {
        TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { matrix[app, $0].databaseValue } }
    }
}

extension CellReader {
    mutating func matrix() throws(DamagedRow) -> StatusMatrix {
        var matrix = StatusMatrix()
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases { matrix[app, auth] = try count() }
        }
        return matrix
    }

    mutating func blockedTimes() throws(DamagedRow) -> BlockedTimes {
        let hours = try integer(UInt32.self)
        let last = try optionalInteger(Int64.self)
        guard hours < 1 << 24, (hours == 0) == (last == nil),
            last.map({ (0..<86_400_000_000_000).contains($0) }) ?? true
        else { throw damage }
        return BlockedTimes(hours: hours, lastNanosecond: last)
    }
}
