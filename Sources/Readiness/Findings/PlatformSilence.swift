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
            Finding(code: .platformSilent, value: Double($0.last.distance(to: today)), days: [$0.last], names: [$0.name.text])
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
        let middle = days.lowerBound.advanced(by: days.count / 2)
        var all: [Day: Int] = [:]
        var found: [PlatformName: (days: [Day: Int], clients: Set<UInt32>)] = [:]
        var hasAddresses = false
        for cell in table.cells(in: days) where cell.row == .certain && judgement.isJudged(cell, evaluation.counted) {
            all[cell.day, default: 0] += cell.count
            hasAddresses = hasAddresses || cell.hasAddress
            guard let client = table.client(of: cell), client.kind.isOfPeople else { continue }
            let app = client.kind.isOfApple ? client.version.map { PlatformName.app($0.app) } : nil
            for name in [.kind(client.kind), app, client.site.map { .site($0) }].compactMap(\.self) {
                found[name, default: ([:], [])].days[cell.day, default: 0] += cell.count
                found[name]?.clients.insert(cell.client)
            }
        }
        func sum(_ counts: [Day: Int], _ isMeant: (Day) -> Bool) -> Int {
            counts.reduce(0) { isMeant($1.key) ? $0 + $1.value : $0 }
        }
        let early = sum(all) { $0 < middle }
        let silent: [Unit] = found.sorted { $0.key < $1.key }.compactMap { name, unit in
            let (seen, own) = (unit.days.keys.sorted(), sum(unit.days) { $0 < middle })
            guard let last = seen.last, own >= fewestRequests, Double(own) >= leastShare * Double(early),
                seen.count(where: { $0 < middle }) >= fewestDays
            else { return nil }
            let pause = zip(seen, seen.dropFirst()).map { $0.distance(to: $1) - 1 }.max() ?? 0
            let quiet = last.distance(to: window.to)
            guard quiet >= max(leastSilence, timesPause * pause), quiet < gone,
                !evaluation.numbers.acceptedPlatforms.contains(where: { $0.covers(name) })
            else { return nil }
            // The function goes on: with at least half of its daily requests.
            let since = sum(all) { last < $0 }
            guard 2 * since * (days.count / 2) >= early * quiet else { return nil }
            let addresses = Set(
                table.visits.lazy.filter { days.lowerBound <= $0.day && $0.day < middle }.flatMap(\.visits)
                    .filter { unit.clients.contains($0.client) }.map(\.address))
            return !hasAddresses || addresses.count >= fewestAddresses ? (name, last, false) : nil
        }
        let kinds = silent.filter { if case .kind = $0.name { true } else { false } }
        return kinds
            + silent.filter { unit in
                unit.name.dimension != .kind && !kinds.contains { $0.name.covers(unit.name) }
            }.map { ($0.name, $0.last, true) }
    }
}
