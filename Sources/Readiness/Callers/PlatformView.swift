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

/// The clause on platforms: which of them, and which release of an app, is refused as a whole, by requests that have a
/// row.
///
/// People are hurt by platform: a website without App Check is all of its visitors, and may be few of the requests.
struct PlatformView {
    /// Requests of one client on one day.
    struct Requests: Sendable {
        let day: Day
        let client: Client
        private(set) var admitted = 0
        private(set) var blocked = 0
        /// The hours of the day with a verified, and with a blocked request: a bit each.
        private(set) var verifiedHours: UInt32 = 0
        private(set) var blockedHours: UInt32 = 0

        init(day: Day, client: Client) { (self.day, self.client) = (day, client) }

        mutating func add(_ cell: Cell, isBlocked: Bool) {
            admitted += cell.count
            if isBlocked {
                blocked += cell.count
                blockedHours |= cell.hours
            } else {
                verifiedHours |= cell.hours
            }
        }

        mutating func add(_ other: Requests) {
            admitted += other.admitted
            blocked += other.blocked
            verifiedHours |= other.verifiedHours
            blockedHours |= other.blockedHours
        }

        var verified: Int { admitted - blocked }
    }

    /// Sums up the selected requests of a table that have a row, by day and client, days ascending.
    static func requests(
        _ table: CellTable, in days: ClosedRange<Day>, where isSelected: (Cell) -> Bool,
        blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }
    ) -> [Requests] {
        var (requests, places) = ([Requests](), [UInt32: Int]())
        for cell in table.cells(in: days) where cell.row == .certain && isSelected(cell) {
            guard let client = table.client(of: cell) else { continue }
            if requests.last?.day != cell.day { places = [:] }
            let place = places[cell.client] ?? requests.count
            if place == requests.count {
                places[cell.client] = place
                requests.append(Requests(day: cell.day, client: client))
            }
            requests[place].add(cell, isBlocked: isBlocked(cell))
        }
        return requests
    }

    /// The criteria by which requests are judged.
    struct Options {
        /// True where signed-in requests alone are judged: then more than what people use is a platform, and fewer
        /// requests decide, as not everybody can send them.
        var isSignedIn = true
        /// Earlier days only show since when a platform is refused.
        var window: Window
        /// The last W days: what is refused no more, or has gone, holds nothing up.
        var recent: Window?
        var maxBlocked = 0.01
        /// γ, for the comparison of a release with other versions.
        var confidence = 0.95
        /// Platforms that may be refused: neither their blocked requests count nor the others.
        var accepted: [PlatformName] = []
        /// Where programs do not count, those of them that are asked nevertheless.
        var programs: Set<ClientKind>?

        /// The platforms of a client, each of another dimension.
        fileprivate func platforms(of client: Client) -> [PlatformName] {
            if let programs, client.kind.isProgram {
                return programs.contains(client.kind) ? [.kind(client.kind)] : []
            }
            return PlatformName.all(of: client, isSignedIn: isSignedIn)
        }

        /// True for a program that may speak for people: as much of it may be refused as of the function.
        fileprivate func isProgram(_ name: PlatformName) -> Bool {
            if case .kind(let kind) = name, let programs { programs.contains(kind) } else { false }
        }
    }

    private struct Entry {
        let requests: Requests
        let isAccepted: Bool
        /// Its platforms, as places in ``platforms``.
        let places: [Int]
    }

    private typealias Unit = (name: PlatformName, sum: Sum)

    private struct Sum {
        var admitted = 0
        var blocked = 0
        /// Counts of the last W days.
        var recentAdmitted = 0
        var recentBlocked = 0
        /// The days with a request, ascending.
        var days: [DayCount] = []
        var since: Day?
        var blockedDays: Int { days.count { $0.blocked > 0 } }

        /// False for a platform that was cured or has gone, by the share that is as many as are refused.
        func isRefusedRecently(_ share: Double) -> Bool {
            recentAdmitted > 0 && Double(recentBlocked) >= share * Double(recentAdmitted)
        }

        mutating func add(_ counts: Requests, isRecent: Bool) {
            admitted += counts.admitted
            blocked += counts.blocked
            let number = Int(counts.day.number)
            if days.last?.day != number { days.append(DayCount(day: number, requests: 0, blocked: 0)) }
            days[days.count - 1].requests += Double(counts.admitted)
            days[days.count - 1].blocked += Double(counts.blocked)
            if counts.blocked > 0, since == nil { since = counts.day }
            guard isRecent else { return }
            recentAdmitted += counts.admitted
            recentBlocked += counts.blocked
        }
    }

    private(set) var options: Options
    private let requests: [Requests]
    private let entries: [Entry]
    private let platforms: [PlatformName]

    /// Looks at the requests of some days, ascending.
    init(_ requests: [Requests], _ options: Options) {
        var entries: [Entry] = []
        var places: [PlatformName: Int] = [:]
        var known: [Client: (places: [Int], isAccepted: Bool)] = [:]
        for found in requests where options.window.days.contains(found.day) {
            let client =
                known[found.client]
                ?? (
                    options.platforms(of: found.client).map { name in
                        let place = places[name] ?? places.count
                        places[name] = place
                        return place
                    }, options.accepted.contains { $0.covers(found.client) }
                )
            known[found.client] = client
            entries.append(Entry(requests: found, isAccepted: client.isAccepted, places: client.places))
        }
        (self.requests, self.options, self.entries) = (requests, options, entries)
        platforms = places.sorted { $0.value < $1.value }.map(\.key)
    }

    private func accepting(_ accepted: [PlatformName]) -> PlatformView {
        var options = options
        options.accepted = accepted
        return PlatformView(requests, options)
    }

    // MARK: The rule

    /// The lower bound of the blocked rate of a platform that is refused as a whole exceeds this.
    var limit: Double { max(0.5, options.maxBlocked) }

    /// The lower bound of the blocked rate of a release that is refused exceeds this.
    var releaseLimit: Double { max(0.1, options.maxBlocked) }

    /// Platforms with fewer requests are asked together.
    private static let fewest = 20

    /// Above the usual confidence, as several platforms are asked about at once.
    private static func lower(_ name: PlatformName, _ sum: Sum) -> Double {
        let dispersion = name.isRelease ? Dispersion.ofDays(sum.days) : 1
        return ClopperPearson.lower(
            blocked: Double(sum.blocked) / dispersion, requests: Double(sum.admitted) / dispersion, confidence: 0.99)
    }

    private func limit(of name: PlatformName) -> Double {
        name.isRelease ? releaseLimit : options.isProgram(name) ? options.maxBlocked : limit
    }

    private func isRefused(_ name: PlatformName, _ sum: Sum) -> Bool {
        let limit = limit(of: name)
        guard name.isRelease || isLarge(sum), Double(sum.blocked) > limit * Double(sum.admitted) else { return false }
        return PlatformView.lower(name, sum) > limit
    }

    /// True for a platform with enough blocked requests to be asked about; what is not signed in anybody can send.
    private func isLarge(_ sum: Sum) -> Bool {
        options.isSignedIn ? sum.blocked >= 10 : sum.blocked >= 20 && sum.blockedDays >= 3
    }

    /// Returns the refused platforms to name, where one is a part of another: the fewest whose acceptance lets
    /// all pass, and of several that do so the most certain, then the widest; extensions by their names.
    func smallestCover(of refused: [PlatformCount]) -> [PlatformCount] {
        guard refused.count > 1 else { return refused }
        let names = Set(refused.map(\.name))
        let leastCertainFirst = refused.sorted { left, right in
            let areExtensions = [left, right].map { $0.name == .kind(.iosExtension) }
            if areExtensions[0] != areExtensions[1] { return areExtensions[0] }
            return left.lower == right.lower ? left.name.isNarrower(than: right.name) : left.lower < right.lower
        }
        return leastCertainFirst.reduce(refused) { kept, platform in
            let others = kept.filter { $0.name != platform.name }
            let view = accepting(options.accepted + others.map(\.name))
            return view.refusedUnits.contains { names.contains($0.name) } ? kept : others
        }
    }

    /// The platforms and releases that would be refused if they were not accepted, most blocked first.
    var acceptedRefusals: [PlatformCount] {
        guard !options.accepted.isEmpty else { return [] }
        let view = accepting([])
        func isAccepted(_ refusal: PlatformCount) -> Bool { options.accepted.contains { $0.covers(refusal.name) } }
        return inOrder(
            view.smallestCover(of: view.refused.filter(isAccepted)) + view.refusedReleases.filter(isAccepted))
    }

    // MARK: Platforms

    private func sum(where isWanted: (Entry) -> Bool) -> Sum {
        entries.reduce(into: Sum()) { if isWanted($1) { add($1, to: &$0) } }
    }

    private func add(_ entry: Entry, to sum: inout Sum) {
        sum.add(entry.requests, isRecent: options.recent?.days.contains(entry.requests.day) ?? false)
    }

    /// All platforms that have requests, and of each dimension the small ones together that are not refused by
    /// themselves.
    private var units: [Unit] {
        var sums = platforms.map { (name: $0, sum: Sum()) }
        for entry in entries where !entry.isAccepted {
            for place in entry.places { add(entry, to: &sums[place].sum) }
        }
        let small = sums.map { name, sum in
            let isSmall = sum.admitted > 0 && sum.admitted < PlatformView.fewest && !options.isProgram(name)
            return isSmall && !isRefusedNow(name, sum) ? name.dimension : nil
        }
        var together: [PlatformName.Dimension: Sum] = [:]
        for dimension in PlatformName.Dimension.allCases where small.count(where: { $0 == dimension }) > 1 {
            together[dimension] = sum { entry in !entry.isAccepted && entry.places.contains { small[$0] == dimension } }
        }
        return sums + together.map { (.small($0.key), $0.value) }
    }

    private var refusedUnits: [Unit] { units.filter { isRefusedNow($0.name, $0.sum) } }

    private func isRefusedNow(_ name: PlatformName, _ sum: Sum) -> Bool {
        isRefused(name, sum) && sum.isRefusedRecently(options.isProgram(name) ? options.maxBlocked : 0.5)
    }

    /// The platforms that are refused as a whole, most blocked first.
    ///
    /// Acceptance may leave others alone in a platform; if nothing was refused before it, nothing is refused after it.
    var refused: [PlatformCount] {
        let refused = refusedUnits
        guard !refused.isEmpty, options.accepted.isEmpty || !accepting([]).refusedUnits.isEmpty else { return [] }
        return inOrder(refused)
    }

    /// All that have a blocked request, most blocked first, the release that is asked about among them.
    var all: [PlatformCount] { inOrder((units + releases).filter { $0.sum.blocked > 0 }) }

    private func inOrder(_ units: [Unit]) -> [PlatformCount] {
        inOrder(
            units.compactMap { name, sum in
                start(of: name, sum).map {
                    PlatformCount(
                        name: name, admitted: sum.admitted, blocked: sum.blocked,
                        lower: PlatformView.lower(name, sum), since: $0)
                }
            })
    }

    private func inOrder(_ counts: [PlatformCount]) -> [PlatformCount] {
        counts.sorted { ($1.blocked, $0.name) < ($0.blocked, $1.name) }
    }

    /// The first day of the window's blocked ones; of the days before, where these were the first to have requests.
    private func start(of name: PlatformName, _ sum: Sum) -> Day? {
        guard var start = sum.since, sum.days.first?.day == Int(start.number) else { return sum.since }
        var (day, isBlocked) = (start, true)
        for found in requests.reversed() where found.day < options.window.from && name.covers(found.client) {
            if found.day != day {
                guard isBlocked else { break }
                (day, isBlocked) = (found.day, false)
            }
            guard found.blocked > 0 else { continue }
            (start, isBlocked) = (day, true)
        }
        return start
    }

    // MARK: Turns

    /// A platform that is not accepted, or a version of an app, by day.
    typealias Course = (name: PlatformName, days: [Requests])

    /// The course of each platform and release.
    var courses: [Course] {
        var courses: [PlatformName: [Requests]] = [:]
        for entry in entries where !entry.isAccepted {
            let release = PlatformView.release(of: entry.requests.client).map {
                PlatformName.release($0.app, version: $0.version)
            }
            for name in entry.places.map({ platforms[$0] }) + [release].compactMap(\.self) {
                var days = courses[name] ?? []
                if days.last?.day == entry.requests.day {
                    days[days.count - 1].add(entry.requests)
                } else {
                    days.append(entry.requests)
                }
                courses[name] = days
            }
        }
        return courses.map { ($0.key, $0.value) }
    }

    /// True for a platform, or a release, that the rule would not have let pass.
    func wasRefused(
        _ name: PlatformName, _ days: some Collection<Requests>
    ) -> Bool {
        var sum = Sum()
        for day in days { sum.add(day, isRecent: false) }
        return isRefused(name, sum)
    }

    /// The versions of Apple's apps with a blocked request since a day.
    func refusedVersions(of name: PlatformName, since day: Day) -> Set<String> {
        let refused = entries.filter {
            day <= $0.requests.day && $0.requests.blocked > 0 && name.covers($0.requests.client)
        }
        return Set(refused.compactMap { PlatformView.release(of: $0.requests.client)?.version })
    }

    /// True for the last three days.
    func isRecent(_ day: Day) -> Bool { options.window.to.advanced(by: -2) <= day }

    // MARK: Releases

    private static func release(of client: Client) -> ClientVersion? {
        client.kind.isOfApple ? client.version : nil
    }

    /// The newest release of each app that some have by now, where others have an older one, by the last three days.
    ///
    /// Accepted requests do not count for it, but no other release takes its place.
    private var releases: [Unit] {
        typealias Seen = (text: String, requests: Int)
        var recent: [String: [ReleaseNumber: Seen]] = [:]
        for entry in entries where isRecent(entry.requests.day) {
            guard let release = PlatformView.release(of: entry.requests.client) else { continue }
            let seen = recent[release.app]?[ReleaseNumber(release.version)] ?? (release.version, 0)
            recent[release.app, default: [:]][ReleaseNumber(release.version)] = (
                min(ExactName(seen.text), ExactName(release.version)).text, seen.requests + entry.requests.admitted
            )
        }
        return recent.compactMap { app, versions in
            let all = versions.values.reduce(0) { $0 + $1.requests }
            guard let newest = versions.filter({ 20 * $0.value.requests >= all }).max(by: { $0.key < $1.key }),
                versions.contains(where: { !$0.value.text.isEmpty && $0.key < newest.key })
            else { return nil }
            let name = PlatformName.release(app, version: newest.value.text)
            return (name, sum { !$0.isAccepted && name.covers($0.requests.client) })
        }
    }

    /// The newest releases that are refused, most blocked first.
    var refusedReleases: [PlatformCount] {
        let refused = releases.filter { isRefused($0.name, $0.sum) && isWorse($0.name, $0.sum) }
        guard !refused.isEmpty, options.accepted.isEmpty || !accepting([]).refusedReleases.isEmpty else { return [] }
        return inOrder(refused)
    }

    /// True for a release beside versions that pass, on the days on which it was seen: where these fail as well, it is
    /// an outage.
    private func isWorse(_ name: PlatformName, _ release: Sum) -> Bool {
        guard case .release(let app, _) = name else { return false }
        let days = Set(release.days.map(\.day))
        let others = sum {
            PlatformView.release(of: $0.requests.client)?.app == app && !name.covers($0.requests.client)
                && days.contains(Int($0.requests.day.number))
        }
        return others.admitted == 0
            || Proportions.exceeds(
                Double(release.blocked), of: Double(release.admitted), than: Double(others.blocked),
                of: Double(others.admitted), confidence: options.confidence)
    }
}

// MARK: Which requests are looked at

extension PlatformView {
    /// As few addresses send what nobody misses.
    private static let fewAddresses = 3

    /// The requests of some days that count, and those of programs that may speak for people.
    init(
        _ judgement: Judgement, _ counted: Counted, in days: ClosedRange<Day>,
        where isSelected: (Cell, Counted) -> Bool, blocked isBlocked: (Cell) -> Bool = { $0.isBlocked },
        _ options: Options
    ) {
        var (options, counted) = (options, counted)
        if options.isSignedIn { counted.admission = .signedIn }
        if !counted.programs {
            counted.programs = true
            options.programs = PlatformView.programs(judgement, in: options.window.days, counted.admission) {
                isSelected($0, counted)
            }
        }
        self.init(
            PlatformView.requests(
                judgement.table, in: days, where: { isSelected($0, counted) }, blocked: isBlocked), options)
    }

    /// The kinds of programs that may speak for people; not where next to nobody sends them, and mostly without a
    /// token.
    private static func programs(
        _ judgement: Judgement, in days: ClosedRange<Day>, _ admission: Admission, where isSelected: (Cell) -> Bool
    ) -> Set<ClientKind> {
        var sums: [ClientKind: (requests: Int, valid: Int)] = [:]
        for cell in judgement.table.cells(in: days) where isSelected(cell) {
            guard let kind = judgement.kind(of: cell), kind.mayHidePeople else { continue }
            sums[kind, default: (0, 0)].requests += cell.count
            if !cell.isBlocked { sums[kind, default: (0, 0)].valid += cell.count }
        }
        return Set(
            sums.filter { kind, sum in
                let addresses = judgement.table.blockedAddresses(in: days, admission) { $0 == kind }
                return 2 * sum.valid >= sum.requests || addresses ?? .max > fewAddresses
            }.keys)
    }

    /// The requests of the last `max-window` days; nil where callers are unknown, or where rows are a selection.
    ///
    /// A busy function is judged by a week, in which a website with one visitor a day does not show. Where `isSignedIn`
    /// is nil, the function's requests decide.
    init?(_ evaluation: Evaluation, isSignedIn wanted: Bool? = nil) {
        guard let window = evaluation.callerWindow, !evaluation.rowsAreSelected else { return nil }
        let (judgement, numbers) = (evaluation.history.judgement, evaluation.numbers)
        let days = evaluation.isNow ? evaluation.stretch ?? window : window
        self.init(
            judgement, evaluation.counted, in: days.days, where: judgement.isJudged,
            Options(
                isSignedIn: wanted ?? (evaluation.judgedAdmission == .signedIn), window: window,
                recent: evaluation.recentStretch, maxBlocked: numbers.maxBlocked, confidence: numbers.confidence,
                accepted: numbers.acceptedPlatforms))
    }

    /// The requests of the last 28 days that enforcement concerns; nil where rows are a selection.
    init?(_ after: AfterSwitch, _ numbers: VerdictPolicy) {
        let (judgement, days) = (after.judgement, after.month.days)
        let isRefused = judgement.history.isRefused
        guard
            !PlatformView.areSelected(
                judgement.table.cells(in: days).filter { judgement.isEnforced($0, after.counted) }, blocked: isRefused)
        else { return nil }
        self.init(
            judgement, after.counted, in: days, where: judgement.isEnforced, blocked: isRefused,
            Options(
                isSignedIn: after.isSignedIn, window: after.month, recent: after.recent,
                maxBlocked: numbers.maxBlocked, accepted: numbers.acceptedPlatforms))
    }
}

extension Evaluation {
    /// The last `max-window` days, as far as log and policy reach back.
    var callerWindow: Window? {
        asOf.flatMap { Window(length: numbers.maxWindow, asOf: $0, since: policy.since) }
            .flatMap { project?.stretch(of: $0) }
    }

    /// True where the rows that there are show nothing of platforms.
    var rowsAreSelected: Bool {
        guard let window = callerWindow else { return false }
        let judgement = history.judgement
        return PlatformView.areSelected(
            history.table.cells(in: window.days).filter { judgement.isJudged($0, counted) })
    }
}

extension PlatformView {
    /// True where valid requests have a row less than half or more than twice as often as blocked ones: a filter keeps
    /// the rows of failures, or blocked requests share their traces.
    static func areSelected(_ cells: some Collection<Cell>, blocked isBlocked: (Cell) -> Bool = { $0.isBlocked })
        -> Bool
    {
        var (valid, blocked, knownValid, knownBlocked) = (0.0, 0.0, 0.0, 0.0)
        for cell in cells {
            let (count, known) = (Double(cell.count), cell.row == .certain ? Double(cell.count) : 0)
            if isBlocked(cell) {
                (blocked, knownBlocked) = (blocked + count, knownBlocked + known)
            } else {
                (valid, knownValid) = (valid + count, knownValid + known)
            }
        }
        guard blocked > 0, valid > 0 else { return false }
        let (validShare, blockedShare) = (knownValid / valid, knownBlocked / blocked)
        return 2 * validShare < blockedShare || validShare > 2 * blockedShare
    }
}
