import Verifications

/// The requests that are asked about, selected once for all units and for all nights.
struct SelectedRequests {
    /// Those of one cell.
    struct Part {
        /// From the first day's midnight on.
        let hour: Int
        let client: UInt32
        let isSignedIn: Bool
        let hasAddress: Bool
        let served: Int
        let blocked: Int
    }

    /// Those of one address, client and stint in one hour.
    struct Visit {
        let hour: Int
        /// Of the stint.
        let beginning: Int
        let served: Int
        let blocked: Int
        /// The address's number among all that were selected.
        let addressNumber: UInt32
        /// The number of the address with the client's kind and app, and the Auth status.
        let personNumber: UInt32
        let client: UInt32
        let address: UInt16
        let isSignedIn: Bool
        let isLastBlocked: Bool
    }

    let days: ClosedRange<Day>
    /// Days ascending.
    private var parts: [Part] = []
    /// Hours ascending, of an hour addresses, of these the last requests.
    private var visits: [Visit] = []
    /// The number of different addresses.
    private(set) var addressCount = 0
    /// The number of different persons: an address with a client's kind and app, and an Auth status.
    private(set) var personCount = 0

    init(
        _ table: CellTable, in days: ClosedRange<Day>, of isSelected: (Cell) -> Bool, blocked isBlocked: (Cell) -> Bool
    ) {
        self.days = days
        for cell in table.cells(in: days) where isSelected(cell) {
            let hour = days.lowerBound.distance(to: cell.day) * 24 + cell.hour
            let isBlocked = isBlocked(cell)
            parts.append(
                Part(
                    hour: hour, client: cell.row == .certain ? cell.client : 0, isSignedIn: cell.auth == .valid,
                    hasAddress: cell.hasAddress, served: isBlocked ? 0 : cell.count, blocked: isBlocked ? cell.count : 0
                ))
        }
        let kinds = table.personKinds
        var (addresses, persons) = (Numbering(), Numbering())
        let shown = table.visits.filter { days.contains($0.day) }
        visits.reserveCapacity(shown.reduce(0) { $0 + $1.visits.count })
        for day in shown {
            let first = days.lowerBound.distance(to: day.day) * 24
            let starts = table.stintStarts(on: day.day)
            for visit in day.visits {
                var (served, blocked, isLastBlocked) = (0, 0, false)
                let place = starts.partitioningIndex { $0.stint < visit.stint }
                let start = place < starts.count && starts[place].stint == visit.stint ? starts[place].first : 0
                for outcome in Readiness.Visit.Outcome.allCases where visit.count(outcome) > 0 {
                    let cell = Cell(visit, outcome, on: day.day, notBefore: start)
                    guard isSelected(cell) else { continue }
                    if isBlocked(cell) {
                        blocked += cell.count
                        isLastBlocked = visit.last == outcome || served == 0
                    } else {
                        served += cell.count
                        if visit.last == outcome { isLastBlocked = false }
                    }
                }
                guard served + blocked > 0 else { continue }
                let person = kinds[Int(visit.client)] << 2 | UInt32(visit.auth.rawValue)
                visits.append(
                    Visit(
                        hour: first + visit.hour, beginning: table.stints[visit.stint].beginning, served: served,
                        blocked: blocked, addressNumber: addresses.number(of: UInt64(visit.address)),
                        personNumber: persons.number(of: UInt64(visit.address) << 32 | UInt64(person)),
                        client: visit.client, address: visit.address, isSignedIn: visit.auth == .valid,
                        isLastBlocked: isLastBlocked))
            }
        }
        (addressCount, personCount) = (addresses.count, persons.count)
    }

    /// Numbers values in the order in which they come, so that sums of them are arrays.
    private struct Numbering {
        private var numbers: [UInt64: UInt32] = [:]
        var count: Int { numbers.count }

        mutating func number(of value: UInt64) -> UInt32 {
            if let known = numbers[value] { return known }
            let number = UInt32(count)
            numbers[value] = number
            return number
        }
    }

    /// True if a client that was refused in some hours was served after them.
    func hasReturned(refused hours: Range<Int>) -> Bool {
        var areRefused = Array(repeating: false, count: personCount)
        for visit in visits where hours.contains(visit.hour) && visit.blocked > 0 {
            areRefused[Int(visit.personNumber)] = true
        }
        return visits.contains { hours.upperBound <= $0.hour && $0.served > 0 && areRefused[Int($0.personNumber)] }
    }

    /// From an hour of the first day's midnight on.
    func parts(from hour: Int) -> ArraySlice<Part> {
        parts[parts.partitioningIndex { $0.hour / 24 < hour / 24 }...]
    }

    func visits(from hour: Int) -> ArraySlice<Visit> { visits[visits.partitioningIndex { $0.hour < hour }...] }
}

extension CellTable {
    /// Of each client the number of what stands for it in a person: its kind and app; by the numbers of clients, the
    /// first is none.
    fileprivate var personKinds: [UInt32] {
        var known: [Client: UInt32] = [:]
        return [0]
            + clients.map { client in
                let person = Client(
                    ClientCode(client.kind),
                    version: client.kind.isOfApple
                        ? client.version.map { ClientVersion(app: $0.app) } : nil)
                let number = known[person] ?? UInt32(known.count + 1)
                known[person] = number
                return number
            }
    }

    /// When the stints of a day began on it, in nanoseconds since midnight; in the order of stints, as cells are.
    fileprivate func stintStarts(on day: Day) -> [(stint: Int, first: Int64)] {
        cells(in: day...day).reduce(into: []) { starts, cell in
            if starts.last?.stint != cell.stint { starts.append((cell.stint, cell.first)) }
            starts[starts.count - 1].first = min(starts[starts.count - 1].first, cell.first)
        }
    }
}

extension Cell {
    /// Requests of a visit, as selections ask for them.
    fileprivate init(_ visit: Visit, _ outcome: Visit.Outcome, on day: Day, notBefore first: Int64) {
        var properties = Properties()
        (properties.app, properties.auth) = (outcome == .verified ? .valid : .missing, visit.auth)
        properties.answer = outcome == .unverified ? .unauthenticated : .success
        (properties.row, properties.isEarly) = (.certain, visit.isEarly)
        let start = max(first, Int64(visit.hour) * 3_600_000_000_000)
        self.init(
            properties, client: visit.client, day: day, stint: visit.stint, at: start...start,
            count: visit.count(outcome))
    }
}
