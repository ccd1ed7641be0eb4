import Verifications

/// A kind of client, an app or a site that people had and that sends nothing any more: its build may wait for a token,
/// and what it would send is unknown.
enum PlatformSilence {
    private static let fewestRequests = 50
    private static let fewestDays = 5
    private static let fewestAddresses = 3
    private static let leastShare = 0.1
    /// The shortest silence, in days; longer pauses before, three times as long.
    private static let leastSilence = 3
    private static let timesPause = 3
    /// After as many days it has gone.
    private static let gone = 14

    static func find(_ evaluation: Evaluation) -> [Finding] {
        guard let today = evaluation.asOf?.day else { return [] }
        if let lasting = evaluation.lasting?.silences {
            return lasting.filter { ($0.days.first?.distance(to: today) ?? gone) < gone }
        }
        return units(evaluation).filter { !$0.isPart }.map {
            Finding(
                code: .platformSilent, value: Double($0.last.distance(to: today)), days: [$0.last],
                names: [$0.name.text])
        }
    }

    /// Returns the advice on apps and sites whose other requests still come.
    static func advise(_ result: ConfirmedEvaluation) -> [Finding] {
        units(result.evaluation).filter(\.isPart).map {
            Finding(code: .partSilent, days: [$0.last], names: [$0.name.text])
        }
    }

    private typealias Unit = (name: PlatformName, last: Day, isPart: Bool)

    private static func units(_ evaluation: Evaluation) -> [Unit] {
        guard let window = evaluation.callerWindow, evaluation.showsPlatforms else { return [] }
        let (judgement, table) = (evaluation.history.judgement, evaluation.history.table)
        let days = window.days
        let (first, half) = (days.lowerBound, days.count / 2)
        // By client and day, as names take time to compare; the first client is none.
        var counts = Array(repeating: 0, count: (table.clients.count + 1) * days.count)
        var all = Array(repeating: 0, count: days.count)
        var hasAddresses = false
        for cell in table.cells(in: days) where cell.row == .certain && judgement.isJudged(cell, evaluation.counted) {
            let (day, client) = (first.distance(to: cell.day), Int(cell.client))
            counts[client * days.count + day] += cell.count
            all[day] += cell.count
            hasAddresses = hasAddresses || cell.hasAddress
        }
        var units: [PlatformName: (days: [Int], clients: Set<UInt32>)] = [:]
        func add(_ client: Int, to unit: inout (days: [Int], clients: Set<UInt32>)) {
            for day in all.indices { unit.days[day] += counts[client * all.count + day] }
            unit.clients.insert(UInt32(client))
        }
        let none = (days: Array(repeating: 0, count: days.count), clients: Set<UInt32>())
        for (client, number) in zip(table.clients, 1...) where client.kind.isOfPeople {
            let isThere = counts[number * all.count..<(number + 1) * all.count].contains { $0 > 0 }
            guard isThere else { continue }
            let app = client.kind.isOfApple ? client.version.map { PlatformName.app($0.app) } : nil
            for name in [.kind(client.kind), app, client.site.map { .site($0) }].compactMap(\.self) {
                add(number, to: &units[name, default: none])
            }
        }
        let early = all[..<half].reduce(0, +)
        let silent: [Unit] = units.compactMap { name, unit in
            let (seen, own) = (unit.days.indices.filter { unit.days[$0] > 0 }, unit.days[..<half].reduce(0, +))
            guard let last = seen.last, own >= fewestRequests, Double(own) >= leastShare * Double(early),
                seen.count(where: { $0 < half }) >= fewestDays
            else { return nil }
            let pause = zip(seen, seen.dropFirst()).map { $1 - $0 - 1 }.max() ?? 0
            let quiet = days.count - 1 - last
            guard quiet >= max(leastSilence, timesPause * pause), quiet < gone,
                !evaluation.numbers.acceptedPlatforms.contains(where: { $0.covers(name) })
            else { return nil }
            // The function goes on: with at least half of its daily requests.
            guard 2 * all[(last + 1)...].reduce(0, +) * half >= early * quiet else { return nil }
            let addresses = Set(
                table.visits.lazy.filter { days.contains($0.day) && first.distance(to: $0.day) < half }
                    .flatMap(\.visits).filter { unit.clients.contains($0.client) }.map(\.address))
            let isOfSeveral = !hasAddresses || addresses.count >= fewestAddresses
            return isOfSeveral ? (name, first.advanced(by: last), false) : nil
        }.sorted { $0.name < $1.name }
        let kinds = silent.filter { if case .kind = $0.name { true } else { false } }
        return kinds
            + silent.filter { unit in
                unit.name.dimension != .kind && !kinds.contains { $0.name.covers(unit.name) }
            }.map { ($0.name, $0.last, true) }
    }
}
