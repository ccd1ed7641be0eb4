public import Verifications

/// Counts of verifications by App Check status and Auth status: 4 × 4 cells.
public struct StatusMatrix: Hashable, Sendable {
    private var cells: [16 of Int]

    public init() {
        cells = .init(repeating: 0)
    }

    public subscript(app: TokenStatus, auth: TokenStatus) -> Int {
        get { cells[StatusMatrix.cell(app, auth)] }
        set { cells[StatusMatrix.cell(app, auth)] = newValue }
    }

    /// All verifications.
    public var total: Int {
        var sum = 0
        for index in cells.indices { sum += cells[index] }
        return sum
    }

    /// Verifications with one App Check status, whatever their Auth status.
    public func total(app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + self[app, $1] }
    }

    public mutating func merge(_ other: StatusMatrix) {
        for index in cells.indices { cells[index] += other.cells[index] }
    }

    public static func == (left: StatusMatrix, right: StatusMatrix) -> Bool {
        left.cells.indices.allSatisfy { left.cells[$0] == right.cells[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        for index in cells.indices { hasher.combine(cells[index]) }
    }

    private static func cell(_ app: TokenStatus, _ auth: TokenStatus) -> Int {
        Int(app.rawValue) << 2 | Int(auth.rawValue)
    }
}
