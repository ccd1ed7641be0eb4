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

    /// Keeps the larger count of each cell: two counts of the same verifications.
    package mutating func mergeLarger(_ other: StatusMatrix) {
        for index in cells.indices { cells[index] = max(cells[index], other.cells[index]) }
    }

    /// Takes away requests of some clients, as far as rows show them.
    mutating func remove(
        _ callers: CallerDay,
        _ part: (AdmittedCallers.Client, AdmittedCallers.Counts) -> AdmittedCallers.Counts?
    ) {
        _ = remove(callers.signedIn.sum(part), auth: .valid)
        // For the others, a row shows the client, but not whether the Auth status was MISSING or OTHER.
        let rest = remove(callers.signedOut.sum(part), auth: .missing)
        _ = remove(rest, auth: .other)
    }

    /// Takes away requests of one Auth status; none is counted below 0.
    ///
    /// - Returns: What was not there to take.
    private mutating func remove(_ counts: AdmittedCallers.Counts, auth: TokenStatus) -> AdmittedCallers.Counts {
        var rest = counts
        func take(_ count: inout Int, _ app: TokenStatus) {
            let taken = min(count, self[app, auth])
            self[app, auth] -= taken
            count -= taken
        }
        take(&rest.verified, .valid)
        take(&rest.missing, .missing)
        take(&rest.invalid, .invalid)
        take(&rest.other, .other)
        return rest
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
