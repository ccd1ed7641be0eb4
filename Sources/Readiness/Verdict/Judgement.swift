import Verifications

/// The selections of a function's requests that a policy makes: the one place that knows who counts.
struct Judgement: Sendable {
    let table: CellTable
    let history: EnforcementHistory
    let enforcement: Enforcement
    /// The owner's kinds of clients, whose requests are not admitted.
    let ignored: Set<ClientKind>

    private func kind(of cell: Cell) -> ClientKind? { cell.row == .certain ? table.client(of: cell)?.kind : nil }

    /// True for requests of clients that the policy leaves out.
    func isLeftOut(_ cell: Cell) -> Bool { !ignored.isEmpty && kind(of: cell).map(ignored.contains) ?? false }

    /// True for a valid token of a program, which proves nothing about people: a debug token gives such.
    func isMachine(_ cell: Cell) -> Bool { cell.app == .valid && kind(of: cell)?.isMachine ?? false }

    /// True for a request that reaches the function's code, and may count.
    func isAdmitted(_ cell: Cell, _ admission: Admission) -> Bool {
        cell.isCounted && admission.admits(auth: cell.auth)
    }

    /// True for requests that the rule counts if all revisions are alike.
    func isActive(_ cell: Cell, _ counted: Counted) -> Bool {
        isAdmitted(cell, counted.admission) && !isLeftOut(cell) && (counted.machines || !isMachine(cell))
    }

    /// True for all but the requests of clients that do not count, and of revisions that are on while others are not.
    func concerns(_ cell: Cell, machines: Bool) -> Bool {
        guard cell.isCounted, isRest(cell) else { return false }
        return cell.auth == .invalid || !isLeftOut(cell) && (machines || !isMachine(cell))
    }

    /// True for requests that the rule counts.
    func isJudged(_ cell: Cell, _ counted: Counted) -> Bool { isActive(cell, counted) && isRest(cell) }

    /// True for a request without an Auth token, of a revision that is not known to be on.
    func isSignedOut(_ cell: Cell) -> Bool {
        // By policy alone no revision is known to be on.
        let isKnown = if case .since = enforcement.scope { false } else { true }
        return cell.isCounted && cell.auth == .missing && !(isKnown && history.concerns(enforcement, cell))
    }

    /// The number of addresses that blocked requests of some days came from, at most one more than
    /// ``AddressSet/limit``; nil where no row shows one.
    func blockedAddresses(in days: ClosedRange<Day>, _ counted: Counted) -> Int? {
        guard table.hasAddresses else { return nil }
        return table.addresses.reduce(into: AddressSet()) { sum, found in
            let blocked = found.key
            if days.contains(blocked.day), blocked.isSignedIn || counted.admission == .notRefused,
                !ignored.contains(table.clients[Int(blocked.client) - 1].kind)
            {
                sum.merge(found.value)
            }
        }.count
    }

    func isRest(_ cell: Cell) -> Bool { history.isRest(enforcement, cell) }
}
