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

/// A function's requests of the last four weeks by platform: the joined ones of days on which nearly all have a row.
///
/// A busy function is judged by a week, in which a website with one visitor a day does not show.
struct PlatformView {
    /// Requests of one client on one day.
    private struct Entry {
        let day: Day
        let client: AdmittedCallers.Client
        let counts: AdmittedCallers.Counts
        /// True in the last W days.
        let isRecent: Bool
        /// Its platforms, as places in ``platforms``.
        let places: [Int]
    }

    private struct Sum {
        var admitted = 0
        var blocked = 0
        /// Those of the last W days.
        var recentAdmitted = 0
        var recentBlocked = 0
        /// Those with a request, ascending.
        var days: [DayCount] = []
        var since: Day?
        var blockedDays: Int { days.count { $0.blocked > 0 } }

        /// False for a platform that was cured or has gone.
        var isRefusedRecently: Bool { recentAdmitted > 0 && 2 * recentBlocked >= recentAdmitted }

        mutating func add(_ entry: Entry) {
            add(entry.day, entry.counts)
            guard entry.isRecent else { return }
            recentAdmitted += entry.counts.admitted
            recentBlocked += entry.counts.blocked
        }

        mutating func add(_ day: Day, _ counts: AdmittedCallers.Counts) {
            admitted += counts.admitted
            blocked += counts.blocked
            let number = Int(day.number)
            if days.last?.day != number { days.append(DayCount(day: number, requests: 0, blocked: 0)) }
            days[days.count - 1].requests += Double(counts.admitted)
            days[days.count - 1].blocked += Double(counts.blocked)
            if counts.blocked > 0, since == nil { since = day }
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
    private let confidence: Double
    private var accepted: [PlatformName]
    private let callers: FunctionCallers
    /// Those of the stretch before the window, ascending.
    private let daysBefore: [Day]

    /// Nil where there is nothing to look at; `isSignedIn` is nil for what the function's requests say.
    init?(_ evaluation: Evaluation, isSignedIn wanted: Bool? = nil) {
        guard let callers = evaluation.history.callers,
            let window = PlatformView.window(of: evaluation)
        else { return nil }
        let days = evaluation.days.within(window)
        let signedIn = evaluation.period.days.reduce(0) { $0 + $1.signedIn }
        let isSignedIn = wanted ?? (2 * signedIn >= evaluation.period.admitted)
        let recentDays = evaluation.recentStretch?.days
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
                let places =
                    placesOfClients[client] ?? PlatformView.names(of: client, isSignedIn: isSignedIn).map(place)
                placesOfClients[client] = places
                let isRecent = recentDays?.contains(day.day) ?? false
                entries.append(
                    Entry(day: day.day, client: client, counts: counts, isRecent: isRecent, places: places))
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
        confidence = evaluation.numbers.confidence
        accepted = evaluation.numbers.acceptedPlatforms
    }

    /// The last `max-window` days, as far as log and policy reach back.
    static func window(of evaluation: Evaluation) -> Window? {
        evaluation.asOf.flatMap {
            Window(length: evaluation.numbers.maxWindow, asOf: $0, since: evaluation.policy.since)
        }.flatMap { evaluation.project?.stretch(of: $0) }
    }

    private func isAccepted(_ entry: Entry) -> Bool { accepted.contains { $0.covers(entry.client) } }

    /// Above the usual confidence, as several platforms are asked about at once.
    private static func lower(_ name: PlatformName, _ sum: Sum) -> Double {
        let dispersion = name.isRelease ? Dispersion.ofDays(sum.days) : 1
        return ClopperPearson.lower(
            blocked: Double(sum.blocked) / dispersion, requests: Double(sum.admitted) / dispersion, confidence: 0.99)
    }

    private static func inOrder(_ counts: [PlatformCount]) -> [PlatformCount] {
        counts.sorted { ($1.blocked, $0.name) < ($0.blocked, $1.name) }
    }

    // MARK: The rule

    /// The lower bound of the blocked rate of a platform that is refused as a whole exceeds this.
    var limit: Double { max(0.5, maxBlocked) }

    /// The lower bound of the blocked rate of a release that is refused exceeds this.
    var releaseLimit: Double { max(0.1, maxBlocked) }

    /// The lower bound of the blocked rate of a platform, or of a release; nil where the rule lets it pass.
    private func refusal(of name: PlatformName, _ sum: Sum) -> Double? {
        guard name.isRelease ? sum.blocked >= 5 && sum.blockedDays >= 2 : isLarge(sum) else { return nil }
        let lower = PlatformView.lower(name, sum)
        return lower > (name.isRelease ? releaseLimit : limit) ? lower : nil
    }

    /// True for a platform with enough blocked requests to be asked about.
    private func isLarge(_ sum: Sum) -> Bool {
        guard isSignedIn else {
            return sum.blocked >= 20 && sum.blockedDays >= 3 && Double(sum.blocked) >= maxBlocked / 4 * Double(requests)
        }
        return sum.blocked >= 10 && sum.blockedDays >= 2
    }

    /// Those of some refused platforms that are meant, where one is a part of another: the fewest whose acceptance lets
    /// all pass, and of several that do so the most certain, then the widest.
    func meant(of refused: [PlatformCount]) -> [PlatformCount] {
        guard refused.count > 1 else { return refused }
        let names = Set(refused.map(\.name))
        let leastCertainFirst = refused.sorted { left, right in
            left.lower == right.lower ? left.name.isNarrower(than: right.name) : left.lower < right.lower
        }
        return leastCertainFirst.reduce(refused) { kept, platform in
            var view = self
            let others = kept.filter { $0.name != platform.name }
            view.accepted += others.map(\.name)
            return view.refused.contains { names.contains($0.name) } ? kept : others
        }
    }

    /// What would be refused if it were not accepted, most blocked first.
    var acceptedRefusals: [PlatformCount] {
        guard !accepted.isEmpty else { return [] }
        var view = self
        view.accepted = []
        func isAccepted(_ refusal: PlatformCount) -> Bool { accepted.contains { $0.covers(refusal.name) } }
        return PlatformView.inOrder(
            view.meant(of: view.refused.filter(isAccepted)) + view.refusedReleases.filter(isAccepted))
    }

    // MARK: Platforms

    /// The platforms of a client: of what signs in, more than what people use is one.
    static func names(of client: AdmittedCallers.Client, isSignedIn: Bool) -> [PlatformName] {
        guard isSignedIn ? client.kind.isPlatform : client.kind.isOfPeople else { return [] }
        let app = client.kind.isOfApple ? client.version?.app : nil
        return [.kind(client.kind)]
            + [client.browser.map { .browser($0) }, client.site.map { .site($0) }, app.map { .app($0) }]
            .compactMap(\.self)
    }

    /// The names of a client with the release of its app.
    static func names(withReleaseOf client: AdmittedCallers.Client, isSignedIn: Bool) -> [PlatformName] {
        let version = client.kind.isOfApple ? client.version : nil
        return names(of: client, isSignedIn: isSignedIn)
            + (version.map { [.release($0.app, version: $0.version)] } ?? [])
    }

    private func sums(_ entries: [Entry]) -> [(name: PlatformName, sum: Sum)] {
        var sums = platforms.map { (name: $0, sum: Sum()) }
        for entry in entries { for place in entry.places { sums[place].sum.add(entry) } }
        return sums
    }

    /// The platforms that are refused as a whole, most blocked first.
    var refused: [PlatformCount] {
        PlatformView.inOrder(
            sums(entries.filter { !isAccepted($0) }).compactMap { name, sum in
                guard sum.isRefusedRecently, let lower = refusal(of: name, sum) else { return nil }
                return count(name, sum, lower)
            })
    }

    /// All that have a blocked request, most blocked first, the release that is asked about among them.
    var all: [PlatformCount] {
        PlatformView.inOrder(
            (sums(entries) + releases).filter { $0.sum.blocked > 0 }.compactMap { name, sum in
                count(name, sum, PlatformView.lower(name, sum))
            })
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

    // MARK: Turns

    /// A platform that is not accepted, or a version of an app, by day.
    typealias Course = (name: PlatformName, days: [(day: Day, counts: AdmittedCallers.Counts)])

    /// What became of each.
    var courses: [Course] {
        var courses: [PlatformName: [(day: Day, counts: AdmittedCallers.Counts)]] = [:]
        for entry in entries where !isAccepted(entry) {
            for name in PlatformView.names(withReleaseOf: entry.client, isSignedIn: isSignedIn) {
                var days = courses[name] ?? []
                if days.last?.day != entry.day { days.append((entry.day, AdmittedCallers.Counts())) }
                days[days.count - 1].counts.merge(entry.counts)
                courses[name] = days
            }
        }
        return courses.map { ($0.key, $0.value) }
    }

    /// True for a platform, or a release, that the rule would not have let pass.
    func wasRefused(
        _ name: PlatformName, _ days: some Collection<(day: Day, counts: AdmittedCallers.Counts)>
    ) -> Bool {
        var sum = Sum()
        for (day, counts) in days { sum.add(day, counts) }
        return refusal(of: name, sum) != nil
    }

    /// The versions of Apple's apps with a blocked request since a day.
    func refusedVersions(of name: PlatformName, since day: Day) -> Set<String> {
        let refused = entries.filter { day <= $0.day && $0.counts.blocked > 0 && name.covers($0.client) }
        return Set(refused.compactMap { $0.client.kind.isOfApple ? $0.client.version?.version : nil })
    }

    /// True for the last three days.
    func isRecent(_ day: Day) -> Bool { window.to.advanced(by: -2) <= day }

    // MARK: Releases

    /// The newest release of each app that some have by now, where others have an older one, by the last three days.
    private var releases: [(name: PlatformName, sum: Sum)] {
        var (versions, recent) = ([PlatformName: Sum](), [String: [String: Int]]())
        for entry in entries where entry.client.kind.isOfApple {
            guard let version = entry.client.version else { continue }
            versions[.release(version.app, version: version.version), default: Sum()].add(entry)
            if isRecent(entry.day), entry.counts.admitted > 0 {
                recent[version.app, default: [:]][version.version, default: 0] += entry.counts.admitted
            }
        }
        return recent.compactMap { app, recent in
            let all = recent.values.reduce(0, +)
            guard let newest = recent.filter({ 20 * $0.value >= all }).keys.map(ReleaseNumber.init).max(),
                recent.keys.contains(where: { !$0.isEmpty && ReleaseNumber($0) < newest })
            else { return nil }
            let name = PlatformName.release(app, version: newest.text)
            return versions[name].map { (name, $0) }
        }
    }

    /// The newest releases that are refused, most blocked first.
    var refusedReleases: [PlatformCount] {
        let refused = releases.compactMap { name, _ -> PlatformCount? in
            guard case .release(let app, _) = name else { return nil }
            let sum = sum { name.covers($0.client) && !isAccepted($0) }
            guard let lower = refusal(of: name, sum) else { return nil }
            let days = Set(sum.days.map(\.day))
            let others = self.sum {
                $0.client.kind.isOfApple && $0.client.version?.app == app && !name.covers($0.client) && !isAccepted($0)
                    && days.contains(Int($0.day.number))
            }
            return isWorse(sum, than: others) ? count(name, sum, lower) : nil
        }
        return PlatformView.inOrder(refused)
    }

    private func sum(where isWanted: (Entry) -> Bool) -> Sum {
        entries.reduce(into: Sum()) { if isWanted($1) { $0.add($1) } }
    }

    /// True for a release beside versions that pass, on the days on which it was seen: where these fail as well, it is
    /// an outage.
    private func isWorse(_ release: Sum, than others: Sum) -> Bool {
        others.admitted == 0
            || Proportions.exceeds(
                Double(release.blocked), of: Double(release.admitted), than: Double(others.blocked),
                of: Double(others.admitted), confidence: confidence)
    }
}
