import Verifications

/// The requests of a unit by UTC hour: a function, a service, a platform.
///
/// Persons are counted where addresses show them: an address with a client and an Auth status counts once in an hour,
/// by its last answer. An address that averages more than three requests an hour that are not blocked is shared, by an
/// office or a proxy: each of its requests counts. Where most requests would count one by one anyway, all do.
struct UnitCounts {
    /// The first hour.
    let start: Instant
    private(set) var requests: [Int]
    private(set) var blocked: [Int]
    private(set) var countsPersons = false
    /// φ.
    private(set) var dispersion = 1.0
    /// True where at least half of the requests have an address.
    private(set) var hasAddresses = false
    /// True where they have few different ones.
    private(set) var hasFewAddresses = false
    /// What is blocked, by hour and address; requests that count one by one may be there several times.
    private(set) var blockedAddresses: [(hour: Int, address: UInt16)] = []
    /// The requests of shared addresses, which count one by one.
    private(set) var shared: [UInt16: [(hour: Int, requests: Int)]] = [:]

    /// Requests that are not blocked, an hour with any: more than this is not one person.
    private static let mostOfPerson = 3
    private static let fewAddresses = 16
    private static let mostDispersionOfPersons = 12.0
    private static let dispersionOfRequests = 8.0...50.0
    private static let coarseDispersion = 20.0

    /// Requests of one address in one hour.
    private struct Record {
        let hour: Int
        let address: UInt16
        let person: UInt32
        let served: Int
        let blocked: Int
        let isLastBlocked: Bool
    }

    private struct PersonSum {
        let person: UInt32
        let beginning: Int
        var served = 0
        var blocked = 0
        var isLastBlocked = false
    }

    /// - Parameters:
    ///   - days: The days that are looked at.
    ///   - end: The hours after it are not there.
    init(
        _ table: CellTable, in days: ClosedRange<Day>, until end: Instant, of isSelected: (Cell) -> Bool,
        blocked isBlocked: (Cell) -> Bool
    ) {
        start = Instant(day: days.lowerBound, nanosecondOfDay: 0)
        let length = days.lowerBound.distance(to: end.day) * 24 + end.hour + 1
        requests = Array(repeating: 0, count: max(0, length))
        blocked = requests
        var (all, withAddress) = (0, 0)
        var (alone, aloneBlocked) = (requests, requests)
        for cell in table.cells(in: days) where isSelected(cell) {
            let hour = days.lowerBound.distance(to: cell.day) * 24 + cell.hour
            guard requests.indices.contains(hour) else { continue }
            requests[hour] += cell.count
            all += cell.count
            let isBlocked = isBlocked(cell)
            if isBlocked { blocked[hour] += cell.count }
            if cell.hasAddress {
                withAddress += cell.count
            } else {
                alone[hour] += cell.count
                if isBlocked { aloneBlocked[hour] += cell.count }
            }
        }
        hasAddresses = 2 * withAddress >= all
        let last = length > 0 ? (length - 1) / 24 * 24 : 0
        guard withAddress > 0 else {
            dispersion = UnitCounts.dispersion(requests, blocked, before: last)
            return
        }
        let records = UnitCounts.records(table, in: days, length, isSelected, isBlocked)
        let sums = UnitCounts.sums(records)
        hasFewAddresses = sums.count < UnitCounts.fewAddresses
        let sharedAddresses = Set(
            sums.lazy.filter { $0.value.served > UnitCounts.mostOfPerson * $0.value.hours }.map(\.key))
        let each = records.reduce(all - withAddress) {
            sharedAddresses.contains($1.address) ? $0 + $1.served + $1.blocked : $0
        }
        countsPersons = 2 * each <= all
        for record in records where sharedAddresses.contains(record.address) {
            shared[record.address, default: []].append((record.hour, record.served + record.blocked))
        }
        guard countsPersons else {
            for record in records where record.blocked > 0 { blockedAddresses.append((record.hour, record.address)) }
            dispersion = UnitCounts.dispersion(requests, blocked, before: last)
            return
        }
        (requests, blocked) = (alone, aloneBlocked)
        for record in records {
            let isShared = sharedAddresses.contains(record.address)
            let (counted, bad) =
                isShared ? (record.served + record.blocked, record.blocked) : (1, record.isLastBlocked ? 1 : 0)
            requests[record.hour] += counted
            blocked[record.hour] += bad
            if bad > 0 { blockedAddresses.append((record.hour, record.address)) }
        }
        dispersion = dispersionOfPersons(records, sharedAddresses, alone: (alone, aloneBlocked), before: last)
    }

    /// The requests of each address, by person; hours ascending, and of an hour addresses.
    private static func records(
        _ table: CellTable, in days: ClosedRange<Day>, _ length: Int, _ isSelected: (Cell) -> Bool,
        _ isBlocked: (Cell) -> Bool
    ) -> [Record] {
        let kinds = table.personKinds
        var records: [Record] = []
        for day in table.visits where days.contains(day.day) {
            let first = days.lowerBound.distance(to: day.day) * 24
            let starts = table.stintStarts(on: day.day)
            day.forEachAddress { visits in
                let hour = first + visits[visits.startIndex].hour
                guard hour < length else { return }
                var persons: [PersonSum] = []
                for visit in visits {
                    let person = kinds[Int(visit.client)] << 2 | UInt32(visit.auth.rawValue)
                    let beginning = table.stints[visit.stint].beginning
                    let known = persons.firstIndex { $0.person == person && $0.beginning == beginning }
                    var sum = known.map { persons[$0] } ?? PersonSum(person: person, beginning: beginning)
                    for outcome in Visit.Outcome.allCases {
                        let count = visit.count(outcome)
                        guard count > 0 else { continue }
                        let cell = Cell(visit, outcome, on: day.day, notBefore: starts[visit.stint] ?? 0)
                        guard isSelected(cell) else { continue }
                        if isBlocked(cell) {
                            sum.blocked += count
                            sum.isLastBlocked = visit.last == outcome || sum.served == 0
                        } else {
                            sum.served += count
                            if visit.last == outcome { sum.isLastBlocked = false }
                        }
                    }
                    if let known {
                        persons[known] = sum
                    } else if sum.served + sum.blocked > 0 {
                        persons.append(sum)
                    }
                }
                for sum in persons {
                    records.append(
                        Record(
                            hour: hour, address: visits[visits.startIndex].address, person: sum.person,
                            served: sum.served, blocked: sum.blocked, isLastBlocked: sum.isLastBlocked))
                }
            }
        }
        return records
    }

    /// Of each address the requests that are not blocked, and the hours with any.
    private static func sums(_ records: [Record]) -> [UInt16: (served: Int, hours: Int)] {
        var sums: [UInt16: (served: Int, hours: Int)] = [:]
        var last: (hour: Int, address: UInt16)?
        for record in records {
            sums[record.address, default: (0, 0)].served += record.served
            guard record.served > 0, last.map({ $0 != (record.hour, record.address) }) ?? true else { continue }
            last = (record.hour, record.address)
            sums[record.address, default: (0, 0)].hours += 1
        }
        return sums
    }

    /// By how much the answers to persons on a day differ more than chance would have them, before T's day.
    private func dispersionOfPersons(
        _ records: [Record], _ shared: Set<UInt16>, alone: (requests: [Int], blocked: [Int]), before last: Int
    ) -> Double {
        var (squares, expected) = (0.0, 0.0)
        var place = 0
        for day in 0..<(last / 24) {
            let hours = day * 24..<day * 24 + 24
            let (all, bad) = (requests[hours].reduce(0, +), blocked[hours].reduce(0, +))
            var persons: [UInt64: (requests: Int, blocked: Int)] = [:]
            while place < records.count, records[place].hour < hours.upperBound {
                let record = records[place]
                place += 1
                guard bad > 0, bad < all else { continue }
                let isShared = shared.contains(record.address)
                let key = UInt64(record.address) << 32 | (isShared ? 1 << 63 : UInt64(record.person))
                let (counted, blocked) =
                    isShared ? (record.served + record.blocked, record.blocked) : (1, record.isLastBlocked ? 1 : 0)
                persons[key, default: (0, 0)].requests += counted
                persons[key, default: (0, 0)].blocked += blocked
            }
            guard bad > 0, bad < all else { continue }
            let share = Double(bad) / Double(all)
            let (single, singleBlocked) = (
                Double(alone.requests[hours].reduce(0, +)), Double(alone.blocked[hours].reduce(0, +))
            )
            squares += singleBlocked * (1 - share) * (1 - share) + (single - singleBlocked) * share * share
            for (_, sum) in persons {
                let residual = Double(sum.blocked) - Double(sum.requests) * share
                squares += residual * residual
            }
            expected += Double(all) * share * (1 - share)
        }
        guard expected > 0 else { return 1 }
        return min(UnitCounts.mostDispersionOfPersons, max(1, squares / expected))
    }

    /// The same of requests: Pearson's statistic by stretch and day, in a coarse cut.
    private static func dispersion(_ requests: [Int], _ blocked: [Int], before last: Int) -> Double {
        let (requests, blocked) = (Array(requests.prefix(last)), Array(blocked.prefix(last)))
        let runs = Segmentation.cut(requests, blocked, dispersion: coarseDispersion)
        var (parts, statistic) = (0, 0.0)
        for run in runs {
            let share = run.share
            for day in run.begin / 24...(run.end - 1) / 24 {
                let hours = max(run.begin, day * 24)..<min(run.end, day * 24 + 24)
                let count = Double(requests[hours].reduce(0, +))
                guard count > 0 else { continue }
                parts += 1
                guard share > 0, share < 1 else { continue }
                let residual = Double(blocked[hours].reduce(0, +)) - count * share
                statistic += residual * residual / (count * share * (1 - share))
            }
        }
        let ratio = statistic / Double(max(1, parts - runs.count))
        return min(dispersionOfRequests.upperBound, max(dispersionOfRequests.lowerBound, ratio))
    }
}

extension CellTable {
    /// Of each client the number of what stands for it in a person: its kind and app; by the numbers of clients, the
    /// first is none.
    fileprivate var personKinds: [UInt32] {
        var known: [Client: UInt32] = [:]
        return [0]
            + clients.map { client in
                let person = Client(
                    ClientCode(client.kind), version: client.kind.isOfApple
                        ? client.version.map { ClientVersion(app: $0.app) } : nil)
                let number = known[person] ?? UInt32(known.count + 1)
                known[person] = number
                return number
            }
    }

    /// When the stints of a day began on it, in nanoseconds since midnight, by their places.
    fileprivate func stintStarts(on day: Day) -> [Int: Int64] {
        cells(in: day...day).reduce(into: [:]) { starts, cell in
            starts[cell.stint] = min(starts[cell.stint] ?? cell.first, cell.first)
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
