import Verifications

/// What rows show of a function, and of its callers.
extension Evaluation {
    /// Returns false where the rows that there are show nothing of platforms.
    func findRows() -> Bool {
        guard let callerWindow else { return true }
        return !rowsAreNameless
            && !history.table.cells(in: callerWindow.days).filter { history.judgement.isJudged($0, counted) }
                .areSelected { $0.isBlocked }
    }

    /// Returns true where nearly all rows have neither a user agent nor a referer: whoever reads them may not see these
    /// fields.
    func findNamelessRows() -> Bool {
        guard let callerWindow else { return false }
        let areNameless = [false] + history.table.clients.map { $0.kind == .none && !$0.code.hasReferer }
        let rows = history.table.cells(in: callerWindow.days).filter {
            $0.row == .certain && history.judgement.isAdmitted($0, admission)
        }
        return !rows.isEmpty && 20 * rows.filter { areNameless[Int($0.client)] }.requests >= 19 * rows.requests
    }

    /// False where too few requests are blocked for any platform to be refused.
    var mayRefusePlatforms: Bool {
        var all = counted
        all.programs = true
        return history.days.judged(all).within(callerWindow).reduce(0) { $0 + $1.blocked }
            >= Double(Platforms.fewestBlocked)
    }

    /// The window's days from the function's first verification on; nil without one.
    private var livedWindow: Window? {
        guard let window, let first = traffic.first?.day else { return nil }
        return Window(from: max(window.from, first), to: window.to)
    }

    /// Requests of the window, since the function was first seen, that were answered 2xx and left no verification.
    var unloggedSinceFirst: Int {
        guard let lived = livedWindow, let first = traffic.first?.start else { return 0 }
        return history.table.cells(in: lived.days).filter { $0.isUnlogged && first <= $0.end }.requests
    }

    /// True where rows show that the log has all of the function's requests: nearly all verifications of each day have
    /// one, and none that was answered has no verification.
    var isWholeByRows: Bool {
        guard let lived = livedWindow else { return false }
        let cells = history.table.cells(in: lived.days)
        if cells.contains(where: { !$0.isVerification && ($0.answer == .success || $0.answer == .redirect) }) {
            return false
        }
        let days = Dictionary(grouping: cells.filter(\.isCounted), by: \.day).values
        // Generation 1's rows are lines about its executions.
        return !days.isEmpty
            && days.allSatisfy { day in
                20 * day.filter { $0.row != .none || $0.answer != nil }.requests >= 19 * day.requests
            }
    }
}

extension [Cell] {
    /// True where valid requests have a row less than half or more than twice as often as blocked ones: a filter keeps
    /// the rows of failures, or blocked requests share their traces.
    func areSelected(blocked isBlocked: (Cell) -> Bool) -> Bool {
        func known(_ cells: [Cell]) -> Double? {
            cells.isEmpty ? nil : Double(cells.filter { $0.row == .certain }.requests) / Double(cells.requests)
        }
        guard let valid = known(filter { !isBlocked($0) }), let blocked = known(filter(isBlocked)) else { return false }
        return 2 * valid < blocked || valid > 2 * blocked
    }
}
