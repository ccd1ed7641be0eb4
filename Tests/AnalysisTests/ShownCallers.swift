import Readiness
import Verifications

/// What a table shows of callers: by the rows and lines of one day, or of all.
struct ShownCallers: Equatable {
    private let table: CellTable
    private let cells: [Cell]
    /// True with one of the SDK's lines "Allowing request…".
    let isAllowing: Bool

    init(_ table: CellTable?, on day: Day? = nil) {
        self.table = table ?? CellTable()
        cells = self.table.cells.filter { cell in !cell.isEarly && day.map { $0 == cell.day } ?? true }
        isAllowing = day.map(self.table.allowingDays.contains) ?? !self.table.allowingDays.isEmpty
    }

    private func count(_ isSelected: (Cell) -> Bool) -> Int { cells.reduce(0) { isSelected($1) ? $0 + $1.count : $0 } }

    private static func isJoined(_ cell: Cell) -> Bool {
        cell.isCounted && cell.row == .certain && cell.auth != .invalid
    }

    /// Verifications with a row, also where nobody knows which.
    var withRow: Int { count { $0.isCounted && $0.row != .none } }
    /// Rows that no verification belongs to, and those of them that were answered 2xx.
    var openRows: Int { count { !$0.isVerification && $0.row == .certain } }
    var unlogged: Int { count(\.isUnlogged) }
    /// Admitted requests of which the row shows the client.
    var joined: Int { count(ShownCallers.isJoined) }
    var signedIn: Int { count { ShownCallers.isJoined($0) && $0.auth == .valid } }
    var blocked: Int { count { ShownCallers.isJoined($0) && $0.isBlocked } }
    var failing: Int { count { ShownCallers.isJoined($0) && $0.isBlocked && $0.answer?.isError ?? false } }

    func clients(blocked isBlocked: Bool = false) -> [Client: Int] {
        cells.reduce(into: [:]) { clients, cell in
            guard ShownCallers.isJoined(cell), !isBlocked || cell.isBlocked, let client = table.client(of: cell) else {
                return
            }
            clients[client, default: 0] += cell.count
        }
    }

    /// Admitted requests by the cause that a line tells.
    var causes: [Int] {
        RefusalCause.allCases.map { cause in count { $0.isCounted && $0.auth != .invalid && $0.cause == cause } }
    }
}

extension Tally {
    /// The number of addresses that a function's blocked requests came from.
    func blockedAddresses(of function: FunctionIdentity) -> Int? {
        Evaluator(tally: self, rules: PolicyRules(), asOf: newest).assess(function).clients?.blockedAddresses
    }
}
