import Verifications

/// The selections of a function's requests that a policy makes: the one place that knows who counts.
struct Judgement: Sendable {
    let table: CellTable
    let history: EnforcementHistory
    let enforcement: Enforcement
    /// The owner's kinds of clients, whose requests are not admitted.
    let ignored: Set<ClientKind>
    /// False where programs count like people.
    let leavesPrograms: Bool

    func kind(of cell: Cell) -> ClientKind? { cell.row == .certain ? table.client(of: cell)?.kind : nil }

    func isLeftOut(_ cell: Cell) -> Bool { !ignored.isEmpty && kind(of: cell).map(ignored.contains) ?? false }

    func isProgram(_ cell: Cell) -> Bool { kind(of: cell)?.isProgram ?? false }

    /// True for a request without a valid token that the function itself refused, or enforcement did.
    func isTokenless(_ cell: Cell) -> Bool { cell.isBlocked && cell.answer?.isRefused ?? false }

    /// True for a request that reaches the function's code, and may count.
    func isAdmitted(_ cell: Cell, _ admission: Admission) -> Bool {
        cell.isVerification && admission.admits(auth: cell.auth) && !isLeftOut(cell)
    }

    /// True for requests that count if all revisions are alike, also for those that `--since` leaves out.
    func counts(_ cell: Cell, _ counted: CountingRule) -> Bool {
        isAdmitted(cell, counted.admission) && (counted.programs || !isProgram(cell))
            && (counted.tokenless || !isTokenless(cell))
    }

    /// True for requests that the rule counts.
    func isJudged(_ cell: Cell, _ counted: CountingRule) -> Bool {
        cell.isCounted && counts(cell, counted) && isRest(cell)
    }

    /// True for all but the requests of clients that do not count, and of revisions that are on while others are not.
    func concerns(_ cell: Cell, _ counted: CountingRule) -> Bool {
        cell.isCounted && isRest(cell) && (cell.auth == .invalid || counts(cell, counted.admitting(.notRefused)))
    }

    /// True for requests that enforcement refuses without a valid token, of those who count.
    func isEnforced(_ cell: Cell, _ counted: CountingRule) -> Bool {
        counts(cell, counted) && history.concerns(enforcement, cell)
    }

    /// True for a request without an Auth token, of a revision that is not known to be on.
    func isSignedOut(_ cell: Cell) -> Bool {
        cell.isVerification && cell.auth == .missing && !history.isOn(enforcement, cell)
    }

    func isRest(_ cell: Cell) -> Bool { history.isRest(enforcement, cell) }
}
