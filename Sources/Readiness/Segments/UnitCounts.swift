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
    /// What shows how much the answers to persons differ; nil where requests count.
    private var persons: Persons?
    /// True where at least half of the requests have an address.
    private(set) var hasAddresses = false
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

    /// Requests of one person in one hour.
    private struct Record {
        let hour: Int
        /// Of the stint.
        let beginning: Int
        var served: Int
        var blocked: Int
        /// The address's number among all that were selected.
        let addressNumber: UInt32
        /// The person's number among all that were selected.
        let personNumber: UInt32
        let address: UInt16
        var isLastBlocked: Bool
    }

    private struct Persons {
        let records: [Record]
        /// By the numbers of addresses.
        let areShared: [Bool]
        let count: Int
        /// The requests without an address, by hour.
        let alone: (requests: [Int], blocked: [Int])
    }

    /// - Parameters:
    ///   - selected: The requests that count, of all units.
    ///   - days: The days that are looked at.
    ///   - end: The hours after it are not there.
    ///   - isOfUnit: True for the requests of a client, by its number, with an Auth token or without.
    init(
        _ selected: SelectedRequests, in days: ClosedRange<Day>, until end: Instant,
        of isOfUnit: (_ client: UInt32, _ isSignedIn: Bool) -> Bool
    ) {
        start = Instant(day: days.lowerBound, nanosecondOfDay: 0)
        let length = days.lowerBound.distance(to: end.day) * 24 + end.hour + 1
        requests = Array(repeating: 0, count: max(0, length))
        blocked = requests
        let shift = days.lowerBound.distance(to: selected.days.lowerBound) * 24
        var (all, withAddress) = (0, 0)
        var (alone, aloneBlocked) = (requests, requests)
        for part in selected.parts(from: -shift) where isOfUnit(part.client, part.isSignedIn) {
            let hour = part.hour + shift
            guard hour < length else { continue }
            let count = part.served + part.blocked
            requests[hour] += count
            blocked[hour] += part.blocked
            all += count
            if part.hasAddress {
                withAddress += count
            } else {
                alone[hour] += count
                aloneBlocked[hour] += part.blocked
            }
        }
        hasAddresses = 2 * withAddress >= all
        guard withAddress > 0 else { return }
        let records = UnitCounts.records(selected, shift, length, isOfUnit)
        let sums = UnitCounts.sums(records, addresses: selected.addressCount)
        hasFewAddresses = sums.count { $0.isThere } < UnitCounts.fewAddresses
        let areShared = sums.map { $0.served > UnitCounts.mostOfPerson * $0.hours }
        var each = all - withAddress
        for record in records where areShared[Int(record.addressNumber)] {
            each += record.served + record.blocked
            shared[record.address, default: []].append((record.hour, record.served + record.blocked))
        }
        countsPersons = 2 * each <= all
        guard countsPersons else {
            for record in records where record.blocked > 0 { blockedAddresses.append((record.hour, record.address)) }
            return
        }
        (requests, blocked) = (alone, aloneBlocked)
        for record in records {
            let (counted, bad) =
                areShared[Int(record.addressNumber)]
                ? (record.served + record.blocked, record.blocked) : (1, record.isLastBlocked ? 1 : 0)
            requests[record.hour] += counted
            blocked[record.hour] += bad
            if bad > 0 { blockedAddresses.append((record.hour, record.address)) }
        }
        persons = Persons(
            records: records, areShared: areShared, count: selected.personCount, alone: (alone, aloneBlocked))
    }

    /// φ, by the days before T's; finding it takes time.
    var dispersion: Double {
        let last = requests.isEmpty ? 0 : (requests.count - 1) / 24 * 24
        return persons.map { dispersion(of: $0, before: last) }
            ?? UnitCounts.dispersion(requests, blocked, before: last)
    }

    /// The hours of some days, as places.
    private func hours(of days: ClosedRange<Day>) -> Range<Int> {
        let first = start.day
        let begin = max(0, first.distance(to: days.lowerBound) * 24)
        return min(
            begin, requests.count)..<max(begin, min(requests.count, (first.distance(to: days.upperBound) + 1) * 24))
    }

    /// What counts of some days, by day, without some hours.
    func days(in days: ClosedRange<Day>, without hours: Range<Int>? = nil) -> [DayCount] {
        self.hours(of: days).reduce(into: []) { sums, hour in
            guard requests[hour] > 0, !(hours?.contains(hour) ?? false) else { return }
            let day = Int(start.day.number) + hour / 24
            if sums.last?.day != day { sums.append(DayCount(day: day, requests: 0, blocked: 0)) }
            sums[sums.count - 1].requests += Double(requests[hour])
            sums[sums.count - 1].blocked += Double(blocked[hour])
        }
    }

    /// The different hours of some days with something blocked, and the different addresses of that.
    func spread(in days: ClosedRange<Day>, without hours: Range<Int>? = nil) -> (hours: Int, addresses: Int) {
        let asked = self.hours(of: days).filter { !(hours?.contains($0) ?? false) }
        let places = Set(asked)
        return (
            asked.count { blocked[$0] > 0 },
            Set(blockedAddresses.lazy.filter { places.contains($0.hour) }.map(\.address)).count
        )
    }

    /// False where nothing raised can reach T that is of several and has at least a share.
    func mayFail(least share: Double) -> Bool {
        var (sum, bad) = (0, 0)
        for hour in requests.indices.reversed() {
            sum += requests[hour]
            bad += blocked[hour]
            if bad >= Alarm.fewestPeople, Double(bad) >= share * Double(sum) { return true }
        }
        return false
    }

    /// The requests of each address, by person; hours ascending, and of an hour addresses.
    private static func records(
        _ selected: SelectedRequests, _ shift: Int, _ length: Int,
        _ isOfUnit: (_ client: UInt32, _ isSignedIn: Bool) -> Bool
    ) -> [Record] {
        let visits = selected.visits(from: -shift)
        var records: [Record] = []
        records.reserveCapacity(visits.count)
        var start = 0
        for visit in visits where isOfUnit(visit.client, visit.isSignedIn) {
            let hour = visit.hour + shift
            guard hour < length else { break }
            if start < records.count, records[start].hour != hour || records[start].address != visit.address {
                start = records.count
            }
            var known: Int?
            for place in start..<records.count
            where records[place].personNumber == visit.personNumber && records[place].beginning == visit.beginning {
                known = place
            }
            if let known {
                records[known].served += visit.served
                records[known].blocked += visit.blocked
                records[known].isLastBlocked = visit.isLastBlocked
            } else {
                records.append(
                    Record(
                        hour: hour, beginning: visit.beginning, served: visit.served, blocked: visit.blocked,
                        addressNumber: visit.addressNumber, personNumber: visit.personNumber, address: visit.address,
                        isLastBlocked: visit.isLastBlocked))
            }
        }
        return records
    }

    /// Of each address, by its number, the requests that are not blocked, and the hours with any.
    private static func sums(
        _ records: [Record], addresses: Int
    ) -> [(isThere: Bool, served: Int, hours: Int, lastHour: Int)] {
        var sums = Array(repeating: (isThere: false, served: 0, hours: 0, lastHour: -1), count: addresses)
        for record in records {
            let number = Int(record.addressNumber)
            sums[number].isThere = true
            guard record.served > 0 else { continue }
            sums[number].served += record.served
            if sums[number].lastHour != record.hour { sums[number].hours += 1 }
            sums[number].lastHour = record.hour
        }
        return sums
    }

    /// By how much the answers to persons on a day differ more than chance would have them, before T's day.
    private func dispersion(of persons: Persons, before last: Int) -> Double {
        let (records, areShared, alone) = (persons.records, persons.areShared, persons.alone)
        var (squares, expected) = (0.0, 0.0)
        var place = 0
        // By the numbers of persons, then by those of shared addresses; and whose are not zero.
        var sums = Array(repeating: (requests: 0, blocked: 0), count: persons.count + areShared.count)
        var seen: [Int] = []
        for day in 0..<(last / 24) {
            let hours = day * 24..<day * 24 + 24
            let (all, bad) = (requests[hours].reduce(0, +), blocked[hours].reduce(0, +))
            while place < records.count, records[place].hour < hours.upperBound {
                let record = records[place]
                place += 1
                guard bad > 0, bad < all else { continue }
                let isShared = areShared[Int(record.addressNumber)]
                let number = isShared ? persons.count + Int(record.addressNumber) : Int(record.personNumber)
                let (counted, blocked) =
                    isShared ? (record.served + record.blocked, record.blocked) : (1, record.isLastBlocked ? 1 : 0)
                if sums[number].requests == 0 { seen.append(number) }
                sums[number].requests += counted
                sums[number].blocked += blocked
            }
            guard bad > 0, bad < all else { continue }
            let share = Double(bad) / Double(all)
            let (single, singleBlocked) = (
                Double(alone.requests[hours].reduce(0, +)), Double(alone.blocked[hours].reduce(0, +))
            )
            squares += singleBlocked * (1 - share) * (1 - share) + (single - singleBlocked) * share * share
            for number in seen {
                let residual = Double(sums[number].blocked) - Double(sums[number].requests) * share
                squares += residual * residual
                sums[number] = (0, 0)
            }
            seen.removeAll(keepingCapacity: true)
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
