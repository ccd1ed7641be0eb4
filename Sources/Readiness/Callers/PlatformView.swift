package import Verifications

/// Requests of one platform, or of one release, that a verdict looks at.
package struct PlatformCount: Hashable, Sendable {
    package let name: PlatformName
    package let admitted: Int
    package let blocked: Int
    /// Lower bound of the blocked rate.
    package let lower: Double
    /// The first day on which one was blocked, of the run of such days that reaches into the window.
    package let since: Day
}

/// A function's requests of a window by platform: the joined ones of days on which nearly all have a row.
struct PlatformView {
    /// Requests of one client on one day.
    private struct Entry {
        let day: Day
        let client: AdmittedCallers.Client
        let counts: AdmittedCallers.Counts
        /// Its platforms, as places in ``platforms``.
        let places: [Int]
    }

    private struct Sum {
        var admitted = 0
        var blocked = 0
        /// Those with a request, ascending.
        var days: [DayCount] = []
        var since: Day?
        var blockedDays: Int { days.count { $0.blocked > 0 } }

        mutating func add(_ entry: Entry) {
            let (day, counts) = (Int(entry.day.number), entry.counts)
            admitted += counts.admitted
            blocked += counts.blocked
            if days.last?.day != day { days.append(DayCount(day: day, requests: 0, blocked: 0)) }
            days[days.count - 1].requests += Double(counts.admitted)
            days[days.count - 1].blocked += Double(counts.blocked)
            if counts.blocked > 0, since == nil { since = entry.day }
        }
    }

    /// True when signed-in requests alone are judged.
    let isSignedIn: Bool
    private let entries: [Entry]
    private let platforms: [PlatformName]
    /// The requests judged, whoever sent them.
    private let requests: Int
    private let window: Window
    private let maxBlocked: Double
    private let accepted: [PlatformName]
    private let callers: FunctionCallers
    /// Those of the stretch before the window, ascending.
    private let daysBefore: [Day]

    /// Nil where there is nothing to look at; `isSignedIn` is nil for what the function's requests say.
    init?(_ evaluation: Evaluation, isSignedIn wanted: Bool? = nil) {
        guard let callers = evaluation.history.callers,
            let window = evaluation.window.flatMap({ evaluation.project?.stretch(of: $0) })
        else { return nil }
        let days = evaluation.days.within(window)
        let signedIn = days.reduce(0) { $0 + $1.signedIn }
        let isSignedIn = wanted ?? (2 * signedIn >= evaluation.period.admitted)
        let ignored = evaluation.numbers.ignoredClients
        var entries: [Entry] = []
        var (places, placesOfClients) = ([PlatformName: Int](), [AdmittedCallers.Client: [Int]]())
        func place(_ name: PlatformName) -> Int {
            let place = places[name] ?? places.count
            places[name] = place
            return place
        }
        for day in days where evaluation.history.givenUpThrough.map({ $0 < day.day }) ?? true {
            guard let found = callers.days[day.day] else { continue }
            let withRow = Double(found.withRow)
            guard withRow >= day.verifications - 1 || 20 * withRow >= 19 * day.verifications else { continue }
            for (client, counts) in found.admitted(isSignedIn ? .signedIn : .notRefused).clients
            where !ignored.contains(client.kind) {
                let places = placesOfClients[client] ?? PlatformView.names(of: client).map(place)
                placesOfClients[client] = places
                entries.append(Entry(day: day.day, client: client, counts: counts, places: places))
            }
        }
        guard !entries.isEmpty else { return nil }
        self.isSignedIn = isSignedIn
        self.entries = entries
        self.callers = callers
        daysBefore = evaluation.days.prefix { $0.day < window.from }.map(\.day)
        platforms = places.sorted { $0.value < $1.value }.map(\.key)
        self.window = window
        requests = entries.reduce(0) { $0 + $1.counts.admitted }
        maxBlocked = evaluation.numbers.maxBlocked
        accepted = evaluation.numbers.acceptedPlatforms
    }

    private func isAccepted(_ entry: Entry) -> Bool { accepted.contains { $0.covers(entry.client) } }

    /// Above the usual confidence, as several platforms are asked about at once.
    private static func lower(_ sum: Sum, dispersion: Double = 1) -> Double {
        ClopperPearson.lower(
            blocked: Double(sum.blocked) / dispersion, requests: Double(sum.admitted) / dispersion, confidence: 0.99)
    }

    private static func inOrder(_ counts: [PlatformCount]) -> [PlatformCount] {
        counts.sorted { ($1.blocked, $0.name) < ($0.blocked, $1.name) }
    }

    // MARK: Platforms

    private static func names(of client: AdmittedCallers.Client) -> [PlatformName] {
        guard client.kind.isOfPeople else { return [] }
        let part =
            client.browser.map { PlatformName.browser($0) }
            ?? client.version.flatMap { version in
                client.kind.isOfApple ? .app(version.app) : nil
            }
        return [.kind(client.kind)] + (part.map { [$0] } ?? [])
    }

    private func sums(_ entries: [Entry]) -> [(name: PlatformName, sum: Sum)] {
        var sums = platforms.map { (name: $0, sum: Sum()) }
        for entry in entries { for place in entry.places { sums[place].sum.add(entry) } }
        return sums
    }

    /// True for a platform with so many blocked requests that it is asked about.
    private func isLarge(_ sum: Sum) -> Bool {
        guard isSignedIn else {
            return sum.blocked >= 20 && sum.blockedDays >= 3 && Double(sum.blocked) >= maxBlocked / 4 * Double(requests)
        }
        return sum.blocked >= 10 && sum.blockedDays >= 2
    }

    /// The lower bound of the blocked rate of a platform that is refused as a whole exceeds this.
    var limit: Double { PlatformView.limit(maxBlocked) }

    static func limit(_ maxBlocked: Double) -> Double { max(0.5, maxBlocked) }

    /// The platforms that are refused as a whole, most blocked first.
    var refused: [PlatformCount] {
        PlatformView.inOrder(
            sums(entries.filter { !isAccepted($0) }).compactMap { name, sum in
                guard isLarge(sum) else { return nil }
                let lower = PlatformView.lower(sum)
                return lower > limit ? count(name, sum, lower) : nil
            })
    }

    /// All that have a blocked request, most blocked first, the release that is asked about among them.
    var all: [PlatformCount] {
        let platforms = sums(entries).filter { $0.sum.blocked > 0 }.compactMap { name, sum in
            count(name, sum, PlatformView.lower(sum))
        }
        return PlatformView.inOrder(
            platforms + releases.compactMap { name, sum in count(name, sum, PlatformView.lower(release: sum)) })
    }

    private func count(_ name: PlatformName, _ sum: Sum, _ lower: Double) -> PlatformCount? {
        guard let since = start(of: name, sum) else { return nil }
        return PlatformCount(name: name, admitted: sum.admitted, blocked: sum.blocked, lower: lower, since: since)
    }

    /// The first day of the window's blocked ones; of the days before, where these were the first to have requests.
    private func start(of name: PlatformName, _ sum: Sum) -> Day? {
        guard var start = sum.since, sum.days.first?.day == Int(start.number) else { return sum.since }
        for day in daysBefore.reversed() {
            let clients = callers.days[day]?.admitted(isSignedIn ? .signedIn : .notRefused).clients ?? [:]
            let found = clients.filter { name.covers($0.key) && $0.value.admitted > 0 }.values
            if found.isEmpty { continue }
            guard found.contains(where: { $0.blocked > 0 }) else { break }
            start = day
        }
        return start
    }

    // MARK: Releases

    /// The newest release of each app that some have by now, where others have an older one.
    private var releases: [(name: PlatformName, sum: Sum)] {
        struct App {
            var versions: [String: Sum] = [:]
            var recent: [String: Int] = [:]
        }
        let lastDays = window.to.advanced(by: -2)...window.to
        var apps: [String: App] = [:]
        for entry in entries where entry.client.kind.isOfApple {
            guard let version = entry.client.version else { continue }
            apps[version.app, default: App()].versions[version.version, default: Sum()].add(entry)
            if lastDays.contains(entry.day) {
                apps[version.app, default: App()].recent[version.version, default: 0] += entry.counts.admitted
            }
        }
        return apps.compactMap { name, app in
            let all = app.recent.values.reduce(0, +)
            let newest = app.recent.filter { $0.value > 0 && 20 * $0.value >= all }.keys.map(ReleaseNumber.init).max()
            guard let newest, let sum = app.versions[newest.text],
                app.versions.keys.contains(where: { ReleaseNumber($0) < newest })
            else { return nil }
            return (.release(name, version: newest.text), sum)
        }
    }

    private static func lower(release sum: Sum) -> Double { lower(sum, dispersion: Dispersion.ofDays(sum.days)) }

    /// The lower bound of the blocked rate of a release that is refused exceeds this.
    var releaseLimit: Double { PlatformView.releaseLimit(maxBlocked) }

    static func releaseLimit(_ maxBlocked: Double) -> Double { max(0.1, maxBlocked) }

    /// The newest releases that are refused, most blocked first.
    var refusedReleases: [PlatformCount] {
        let refused = releases.compactMap { name, _ -> PlatformCount? in
            guard case .release(let app, _) = name, !accepted.contains(name), !accepted.contains(.app(app)) else {
                return nil
            }
            var sum = Sum()
            for entry in entries where name.covers(entry.client) && !isAccepted(entry) { sum.add(entry) }
            guard sum.blocked >= 5, sum.blockedDays >= 2 else { return nil }
            let lower = PlatformView.lower(release: sum)
            return lower > releaseLimit ? count(name, sum, lower) : nil
        }
        return PlatformView.inOrder(refused)
    }
}
