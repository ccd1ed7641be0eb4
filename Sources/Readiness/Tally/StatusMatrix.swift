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

/// Which requests reach a function's code, so that enforcement could newly refuse them.
public enum Admission: Sendable {
    /// Auth is not INVALID: those are refused with 401 whatever App Check says.
    case notRefused
    /// Auth is VALID: the function itself refuses everybody else.
    case signedIn

    public func admits(auth: TokenStatus) -> Bool {
        switch self {
        case .notRefused: auth != .invalid
        case .signedIn: auth == .valid
        }
    }
}

extension StatusMatrix {
    /// Admitted requests.
    public func admitted(_ admission: Admission) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + admitted(admission, app: $1) }
    }

    /// Admitted requests with one App Check status.
    public func admitted(_ admission: Admission, app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { admission.admits(auth: $1) ? $0 + self[app, $1] : $0 }
    }

    /// Admitted requests without a valid App Check token: what enforcement would newly refuse.
    public func blocked(_ admission: Admission) -> Int {
        admitted(admission) - admitted(admission, app: .valid)
    }

    /// Verifications with neither token INVALID; MISSING passes, in the SDK's words.
    public var passed: Int {
        total - total(app: .invalid)
            - TokenStatus.allCases.reduce(0) { $1 == .invalid ? $0 : $0 + self[$1, .invalid] }
    }
}
