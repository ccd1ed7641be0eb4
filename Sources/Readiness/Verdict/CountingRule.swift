import Verifications

/// Whom the rule counts.
package struct CountingRule: Hashable, Sendable {
    package var admission: Admission
    /// True with the requests of programs.
    var programs = true
    /// True with requests that the function itself refuses, as they have no valid token.
    var tokenless = true

    package init(admission: Admission) { self.admission = admission }

    func admitting(_ admission: Admission) -> CountingRule {
        var counted = self
        counted.admission = admission
        return counted
    }
}

/// The answers to some requests.
private struct Answers {
    private var requests = 0
    private var days = 0
    private var lastDay: Day?
    private var (answered, refused, served) = (0, 0, 0)

    private static let (fewestRequests, fewestDays) = (20, 3)

    /// Adds requests of cells in their order.
    mutating func add(_ cell: Cell) {
        requests += cell.count
        if lastDay != cell.day { days += 1 }
        lastDay = cell.day
        guard let answer = cell.answer else { return }
        answered += cell.count
        if answer.isRefused { refused += cell.count }
        if answer.isServed { served += cell.count }
    }

    private var areMany: Bool { requests >= Answers.fewestRequests && days >= Answers.fewestDays }
    /// True where the function refuses all of them: enforcement takes nothing from anybody.
    var areAllRefused: Bool { areMany && 20 * answered >= 19 * requests && refused == answered }
    var areMostlyServed: Bool { areMany && 2 * served > answered }
    var isHalfServed: Bool { answered > 0 && 2 * served >= answered }
}

extension Judgement {
    /// Enough people's requests, or one in a hundred.
    private static let (enoughPeople, fewestPeople) = (300, 100)

    /// Returns whom the rule counts, by the requests of the last `max-window` days; those that `--since` leaves out are
    /// among them where enforcement is on.
    func counted(_ admission: Admission, in window: Window?, isSeen: (Cell) -> Bool = { $0.isCounted }) -> CountingRule
    {
        var counted = CountingRule(admission: admission)
        guard let window else { return counted }
        if admission == .notRefused, signedOut(in: window, isSeen).areAllRefused { counted.admission = .signedIn }
        var (tokenless, valid) = (Answers(), Answers())
        var (known, people) = (0, 0)
        for cell in table.cells(in: window.days) where isSeen(cell) && isAdmitted(cell, counted.admission) {
            if cell.row == .certain, let client = table.client(of: cell) {
                known += cell.count
                if !client.kind.isProgram { people += cell.count }
            }
            guard !history.isOn(enforcement, cell) else { continue }
            if cell.isBlocked { tokenless.add(cell) } else { valid.add(cell) }
        }
        counted.programs =
            !leavesPrograms || known == people
            || people < Judgement.enoughPeople && Judgement.fewestPeople * people < known
        counted.tokenless = !(tokenless.areAllRefused && valid.isHalfServed)
        return counted
    }

    /// All whom the rule may count on some night.
    func possible(_ admission: Admission) -> [CountingRule] {
        func has(_ isSelected: (Cell) -> Bool) -> [Bool] {
            table.cells.contains { isSelected($0) } ? [true, false] : [true]
        }
        let guests = admission == .notRefused ? has { isSignedOut($0) && $0.answer != nil } : [true]
        let programs = leavesPrograms ? has(isProgram) : [true]
        let tokenless = has(isTokenless)
        return guests.flatMap { hasGuests in
            programs.flatMap { programs in
                tokenless.map { tokenless in
                    var counted = CountingRule(admission: hasGuests ? admission : .signedIn)
                    (counted.programs, counted.tokenless) = (programs, tokenless)
                    return counted
                }
            }
        }
    }

    private func signedOut(in window: Window, _ isSeen: (Cell) -> Bool) -> Answers {
        table.cells(in: window.days).reduce(into: Answers()) { if isSeen($1) && isSignedOut($1) { $0.add($1) } }
    }

    /// True where most requests are served that `requires-auth` says are refused.
    func servesSignedOut(in window: Window?) -> Bool {
        window.map { signedOut(in: $0) { $0.isCounted }.areMostlyServed } ?? false
    }
}
