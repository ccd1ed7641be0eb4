package import Verifications

/// Counts of verifications by App Check status and Auth status: 4 × 4 cells.
package struct StatusMatrix: Hashable, Sendable {
    private var cells: [16 of Int]

    package init() {
        cells = .init(repeating: 0)
    }

    package subscript(app: TokenStatus, auth: TokenStatus) -> Int {
        get { cells[StatusMatrix.cell(app, auth)] }
        set { cells[StatusMatrix.cell(app, auth)] = newValue }
    }

    package var total: Int {
        var sum = 0
        for index in cells.indices { sum += cells[index] }
        return sum
    }

    package func total(app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + self[app, $1] }
    }

    func total(auth: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + self[$1, auth] }
    }

    package mutating func merge(_ other: StatusMatrix) {
        for index in cells.indices { cells[index] += other.cells[index] }
    }

    package static func == (left: StatusMatrix, right: StatusMatrix) -> Bool {
        left.cells.indices.allSatisfy { left.cells[$0] == right.cells[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for index in cells.indices { hasher.combine(cells[index]) }
    }

    private static func cell(_ app: TokenStatus, _ auth: TokenStatus) -> Int {
        Int(app.rawValue) << 2 | Int(auth.rawValue)
    }
}

/// The requests that reach a function's code, so that enforcement could newly refuse them.
package enum Admission: Sendable {
    /// Auth is not INVALID: those are refused with 401 regardless of App Check.
    case notRefused
    /// Auth is VALID: the function itself refuses everybody else.
    case signedIn

    package func admits(auth: TokenStatus) -> Bool {
        switch self {
        case .notRefused: auth != .invalid
        case .signedIn: auth == .valid
        }
    }
}

extension StatusMatrix {
    package func admitted(_ admission: Admission) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + admitted(admission, app: $1) }
    }

    package func admitted(_ admission: Admission, app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { admission.admits(auth: $1) ? $0 + self[app, $1] : $0 }
    }

    /// Admitted requests without a valid App Check token: what enforcement would newly refuse.
    package func blocked(_ admission: Admission) -> Int {
        admitted(admission) - admitted(admission, app: .valid)
    }

    /// Verifications with neither token INVALID; MISSING passes, in the SDK's words.
    package var passed: Int {
        total - total(app: .invalid)
            - TokenStatus.allCases.reduce(0) { $1 == .invalid ? $0 : $0 + self[$1, .invalid] }
    }
}
