package import Verifications

/// Requests of one platform, or of one release, that a verdict looks at.
package struct PlatformCount: Hashable, Sendable {
    package let name: PlatformName
    package let admitted: Int
    package let blocked: Int
    /// Lower bound of the blocked rate.
    package let lower: Double
    /// The beginning of the raised segments that reach T, else the first day on which one was blocked, of the run of
    /// such days that reaches into the window.
    package let since: Instant
    /// The requests by stretches of constant share, where it is refused; empty for several platforms together.
    package let segments: [Segments.Segment]
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
        /// Blocked requests whose row shows an address, and these addresses.
        private(set) var blockedWithAddress = 0
        private(set) var addresses = AddressSet()

        init(day: Day, client: Client) { (self.day, self.client) = (day, client) }

        mutating func add(_ cell: Cell, isBlocked: Bool, of table: CellTable) {
            admitted += cell.count
            guard isBlocked else { return }
            blocked += cell.count
            guard cell.hasAddress else { return }
            blockedWithAddress += cell.count
            let key = CellTable.Blocked(day: day, isSignedIn: cell.auth == .valid, client: cell.client)
            if let found = table.addresses[key] { addresses.merge(found) }
        }
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
            requests[place].add(cell, isBlocked: isBlocked(cell), of: table)
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
        /// Platforms that may be refused: neither their blocked requests count nor the others.
        var accepted: [PlatformName] = []
        /// Returns the requests of one platform by stretches of constant share.
        var segments: (PlatformName) -> Segments? = { _ in nil }
        /// Where programs do not count, those of them that are asked nevertheless.
        var programs: Set<ClientKind>?
        /// True where most web requests name a site, so that those without one are a site, too.
        fileprivate var namesSites = false

        /// The platforms of a client, each of another dimension.
        fileprivate func platforms(of client: Client) -> [PlatformName] {
            guard let programs, client.kind.isProgram else {
                let isUnnamed = namesSites && PlatformName.noSite.covers(client)
                return PlatformName.all(of: client, isSignedIn: isSignedIn) + (isUnnamed ? [.noSite] : [])
            }
            return programs.contains(client.kind) ? [.kind(client.kind)] : []
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
        var blockedWithAddress = 0
        var addresses = AddressSet()
        /// The days with a blocked request, ascending.
        var blockedDays: [Day] = []
        /// The last day with a request.
        var lastDay: Day?

        /// False for a platform that was cured or has gone, by the share that is as many as are refused.
        func isRefusedRecently(_ share: Double) -> Bool {
            recentAdmitted > 0 && Double(recentBlocked) >= share * Double(recentAdmitted)
        }

        mutating func add(_ counts: Requests, isRecent: Bool) {
            admitted += counts.admitted
            blocked += counts.blocked
            lastDay = counts.day
            if counts.blocked > 0, blockedDays.last != counts.day { blockedDays.append(counts.day) }
            blockedWithAddress += counts.blockedWithAddress
            addresses.merge(counts.addresses)
            guard isRecent else { return }
            recentAdmitted += counts.admitted
            recentBlocked += counts.blocked
        }
    }

    private(set) var options: Options
    private let requests: [Requests]
    /// Those of the days before the window.
    private var earlier: ArraySlice<Requests> { requests.prefix { $0.day < options.window.from } }
    private let entries: [Entry]
    private let platforms: [PlatformName]

    /// Looks at the requests of some days, ascending.
    init(_ requests: [Requests], _ options: Options) {
        var (options, entries) = (options, [Entry]())
        let web = requests.filter { $0.client.kind == .web && options.window.days.contains($0.day) }
        let (all, named) = web.reduce((0, 0)) {
            ($0.0 + $1.admitted, $0.1 + ($1.client.version == nil ? 0 : $1.admitted))
        }
        options.namesSites = all > 0 && 2 * named >= all
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
    private static let poolingThreshold = 20
    private static let fewestAddresses = 3
    /// Fewer blocked requests make no platform.
    private static let fewestBlocked = 10

    /// Above the usual confidence, as several platforms are asked about at once.
    private static func lower(_ sum: Sum) -> Double {
        ClopperPearson.lower(blocked: Double(sum.blocked), requests: Double(sum.admitted), confidence: 0.99)
    }

    private func limit(of name: PlatformName) -> Double {
        name.isRelease ? releaseLimit : options.isProgram(name) ? options.maxBlocked : limit
    }

    private func isRefused(_ name: PlatformName, _ sum: Sum) -> Bool {
        let limit = limit(of: name)
        guard isLarge(sum), isOfSeveral(sum), Double(sum.blocked) > limit * Double(sum.admitted) else { return false }
        return PlatformView.lower(sum) > limit
    }

    /// True for a platform with enough blocked requests to be asked about; what is not signed in anybody can send.
    private func isLarge(_ sum: Sum) -> Bool {
        options.isSignedIn
            ? sum.blocked >= 10 : sum.blocked >= 20 && (sum.blockedDays.count >= 3 || sum.addresses.count >= 10)
    }

    /// False for the blocked requests of one or two addresses: a person, or somebody's claim.
    private func isOfSeveral(_ sum: Sum) -> Bool {
        2 * sum.blockedWithAddress < sum.blocked || sum.addresses.count >= PlatformView.fewestAddresses
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
            let isSmall = sum.admitted > 0 && sum.admitted < PlatformView.poolingThreshold && !options.isProgram(name)
            return isSmall && !isRefusedNow(name, sum) ? name.dimension : nil
        }
        var together: [PlatformName.Dimension: Sum] = [:]
        for dimension in PlatformName.Dimension.allCases where small.count(where: { $0 == dimension }) > 1 {
            together[dimension] = sum { entry in !entry.isAccepted && entry.places.contains { small[$0] == dimension } }
        }
        return sums + together.map { (.small($0.key), $0.value) }
    }

    private var refusedUnits: [Unit] { units.filter { isRefusedNow($0.name, $0.sum) && !isCured($0.name) } }

    private func isRefusedNow(_ name: PlatformName, _ sum: Sum) -> Bool {
        isRefused(name, sum) && sum.isRefusedRecently(options.isProgram(name) ? options.maxBlocked : 0.5)
    }

    /// True for a platform whose last segment is clean; those together have none.
    private func isCured(_ name: PlatformName) -> Bool { options.segments(name)?.isClean ?? false }

    /// The platform, with most blocked requests, that would be refused if it were not cured.
    var cured: PlatformCount? {
        inOrder(units.filter { isRefused($0.name, $0.sum) && isCured($0.name) }).first
    }

    /// Platforms of which every request was refused, but which have gone, or have too few requests to hold anything up:
    /// a job of each month, a site in the holidays; with the day of the last one.
    var aside: [(platform: PlatformCount, last: Day)] {
        let found = units.filter { name, sum in
            sum.admitted > 0 && sum.blocked == sum.admitted && sum.addresses.count >= PlatformView.fewestAddresses
                && (sum.recentAdmitted == 0 || sum.blocked < PlatformView.fewestBlocked) && name.isAcceptable
        }
        // A site or an app that is all of its kind says more than the kind.
        let widest = found.filter { unit in
            !found.contains { other in
                other.name != unit.name && other.sum.blocked == unit.sum.blocked
                    && (other.name.isNamedByOwner
                        ? unit.name.covers(other.name) : !unit.name.isNamedByOwner && other.name.covers(unit.name))
            }
        }
        let days = Dictionary(uniqueKeysWithValues: widest.map { ($0.name, $0.sum.lastDay) })
        return inOrder(widest).compactMap { platform in (days[platform.name] ?? nil).map { (platform, $0) } }
    }

    /// The platforms that are refused as a whole, most blocked first.
    ///
    /// Acceptance may leave others alone in a platform; if nothing was refused before it, nothing is refused after it.
    var refused: [PlatformCount] {
        let refused = refusedUnits
        guard !refused.isEmpty, options.accepted.isEmpty || !accepting([]).refusedUnits.isEmpty else { return [] }
        return inOrder(refused)
    }

    /// Those that have a blocked request, most blocked first, the release that is asked about among them.
    func blocked(most: Int) -> [PlatformCount] {
        inOrder((units + releases).filter { $0.sum.blocked > 0 }, most: most)
    }

    private func inOrder(_ units: [Unit], most: Int = .max) -> [PlatformCount] {
        units.sorted { ($1.sum.blocked, $0.name) < ($0.sum.blocked, $1.name) }.prefix(most).compactMap { name, sum in
            start(of: name, sum).map { day in
                let segments = isRefused(name, sum) ? options.segments(name) : nil
                return PlatformCount(
                    name: name, admitted: sum.admitted, blocked: sum.blocked, lower: PlatformView.lower(sum),
                    since: segments?.since ?? Instant(day: day, nanosecondOfDay: 0), segments: segments?.all ?? [])
            }
        }
    }

    private func inOrder(_ counts: [PlatformCount]) -> [PlatformCount] {
        counts.sorted { ($1.blocked, $0.name) < ($0.blocked, $1.name) }
    }

    /// The first day of the window's blocked ones; of the days before, where these were the first to have requests.
    private func start(of name: PlatformName, _ sum: Sum) -> Day? {
        guard var start = sum.blockedDays.first else { return nil }
        var (day, isBlocked) = (start, true)
        for found in earlier.reversed() where name.covers(found.client) {
            if found.day != day {
                guard isBlocked else { break }
                (day, isBlocked) = (found.day, false)
            }
            guard found.blocked > 0 else { continue }
            (start, isBlocked) = (day, true)
        }
        return start
    }

    /// True for the last three days.
    func isRecent(_ day: Day) -> Bool { options.window.to.advanced(by: -2) <= day }

    // MARK: Releases

    private static func release(of client: Client) -> ClientVersion? {
        client.kind.isOfApple ? client.version : nil
    }

    /// The highest version of each app, where some have it by now and others have a lower one, by the last three days.
    ///
    /// Accepted requests do not count for it, but no other release takes its place.
    private var releases: [Unit] {
        typealias Seen = (text: String, recent: Int)
        var apps: [String: [ReleaseNumber: Seen]] = [:]
        for entry in entries {
            guard let release = PlatformView.release(of: entry.requests.client) else { continue }
            let number = ReleaseNumber(release.version)
            let seen = apps[release.app]?[number] ?? (release.version, 0)
            apps[release.app, default: [:]][number] = (
                min(ExactName(seen.text), ExactName(release.version)).text,
                seen.recent + (isRecent(entry.requests.day) ? entry.requests.admitted : 0)
            )
        }
        return apps.compactMap { app, versions in
            let all = versions.values.reduce(0) { $0 + $1.recent }
            guard let newest = versions.max(by: { $0.key < $1.key }), newest.value.recent > 0,
                20 * newest.value.recent >= all,
                versions.contains(where: { !$0.value.text.isEmpty && $0.key < newest.key && $0.value.recent > 0 })
            else { return nil }
            let name = PlatformName.release(app, version: newest.value.text)
            return (name, sum { !$0.isAccepted && name.covers($0.requests.client) })
        }
    }

    /// The newest releases that are refused, most blocked first.
    var refusedReleases: [PlatformCount] {
        let refused = releases.filter { isRefusedNow($0.name, $0.sum) && !isCured($0.name) }
        guard !refused.isEmpty, options.accepted.isEmpty || !accepting([]).refusedReleases.isEmpty else { return [] }
        return inOrder(refused)
    }
}

// MARK: Which requests are looked at

extension PlatformView {
    /// As few addresses send what nobody misses.
    private static let fewAddresses = 3

    /// The requests of some days that count, and those of programs that may speak for people.
    init(
        _ judgement: Judgement, _ counted: CountingRule, in days: ClosedRange<Day>,
        where isSelected: (Cell, CountingRule) -> Bool,
        blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }, _ options: Options
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

    /// The kinds of programs that may speak for people: not where next to nobody sends them, mostly without a token.
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
        guard let window = evaluation.callerWindow, evaluation.showsPlatforms else { return nil }
        let (judgement, numbers) = (evaluation.history.judgement, evaluation.numbers)
        let days = evaluation.isNow ? evaluation.stretch ?? window : window
        let isSignedIn = wanted ?? (evaluation.judgedAdmission == .signedIn)
        self.init(
            judgement, evaluation.counted, in: days.days, where: judgement.isJudged,
            Options(
                isSignedIn: isSignedIn, window: window, recent: evaluation.recentStretch,
                maxBlocked: numbers.maxBlocked, accepted: numbers.acceptedPlatforms,
                segments: { [unowned evaluation] in evaluation.segments(of: $0, isSignedIn: isSignedIn) }))
    }

    /// The requests of the last 28 days that enforcement concerns; nil where rows are a selection.
    init?(_ after: AfterSwitch, _ evaluation: Evaluation, isSignedIn: Bool) {
        let (judgement, days, numbers) = (after.judgement, after.month.days, evaluation.numbers)
        let isRefused = judgement.history.isRefused
        guard
            !PlatformView.areSelected(after.cells(in: after.month), blocked: isRefused)
        else { return nil }
        self.init(
            judgement, after.counted, in: days, where: judgement.isEnforced, blocked: isRefused,
            Options(
                isSignedIn: isSignedIn, window: after.month, recent: after.recent,
                maxBlocked: numbers.maxBlocked, accepted: numbers.acceptedPlatforms,
                segments: { [unowned evaluation] in evaluation.segments(of: $0, sinceSwitch: isSignedIn) }))
    }
}

extension Evaluation {
    /// The last `max-window` days, as far as log and policy reach back.
    var callerWindow: Window? {
        asOf.flatMap { Window(length: numbers.maxWindow, asOf: $0, since: policy.since) }
            .flatMap { project?.stretch(of: $0) }
    }

    /// Blocked requests that have a row, programs among them.
    var blockedCallers: Int {
        guard let window = callerWindow else { return 0 }
        return history.table.cells(in: window.days).reduce(0) { sum, cell in
            cell.isBlocked && cell.row == .certain && history.judgement.isAdmitted(cell, admission)
                ? sum + cell.count : sum
        }
    }

    /// Returns false where the rows that there are show nothing of platforms.
    func findRows() -> Bool {
        guard let window = callerWindow else { return true }
        let judgement = history.judgement
        return !rowsAreNameless
            && !PlatformView.areSelected(
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

// MARK: What rows show of a whole window

extension Evaluation {
    /// The window's days from the function's first verification on; nil without one.
    private var livedWindow: Window? {
        guard let window, let first = traffic.first?.day else { return nil }
        return Window(from: max(window.from, first), to: window.to)
    }

    /// Requests of the window, since the function was first seen, that were answered 2xx and left no verification.
    var unloggedSinceFirst: Int {
        guard let lived = livedWindow, let first = traffic.first?.start else { return 0 }
        return history.table.cells(in: lived.days).reduce(0) {
            $1.isUnlogged && first <= $1.end ? $0 + $1.count : $0
        }
    }

    /// True where rows show that the log has all of the function's requests: nearly all verifications of each day have
    /// one, and none that was answered has no verification.
    var isWholeByRows: Bool {
        guard let lived = livedWindow else { return false }
        var days: [Day: (all: Int, withRow: Int)] = [:]
        for cell in history.table.cells(in: lived.days) {
            guard cell.isCounted else {
                if !cell.isVerification, cell.answer == .success || cell.answer == .redirect { return false }
                continue
            }
            days[cell.day, default: (0, 0)].all += cell.count
            // Generation 1's rows are lines about its executions.
            if cell.row != .none || cell.answer != nil { days[cell.day, default: (0, 0)].withRow += cell.count }
        }
        return !days.isEmpty && days.values.allSatisfy { 20 * $0.withRow >= 19 * $0.all }
    }

    /// Returns true where nearly all rows have neither a user agent nor a referer: whoever reads them may not see these
    /// fields.
    func findNamelessRows() -> Bool {
        guard let window = callerWindow else { return false }
        let judgement = history.judgement
        let areNameless = history.table.clients.map { $0.kind == .none && !$0.code.hasReferer }
        var (all, nameless) = (0, 0)
        for cell in history.table.cells(in: window.days)
        where cell.row == .certain && judgement.isAdmitted(cell, counted.admission) {
            all += cell.count
            if cell.client > 0, areNameless[Int(cell.client) - 1] { nameless += cell.count }
        }
        return all > 0 && 20 * nameless >= 19 * all
    }
}
