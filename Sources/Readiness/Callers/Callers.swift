package import Verifications

/// The requests of a selection by client, and what else rows and lines show of them.
package struct Callers: Hashable, Sendable {
    /// Requests with a row, by the client that it shows.
    package private(set) var clients: [Client: ClientSum] = [:]

    package init() {}

    /// Sums up the selected requests of a table.
    init(
        _ table: CellTable, in days: ClosedRange<Day>, where isSelected: (Cell) -> Bool,
        blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }
    ) {
        var sums = [ClientSum](repeating: ClientSum(), count: table.clients.count)
        for cell in table.cells(in: days) where cell.row == .certain && cell.client > 0 && isSelected(cell) {
            sums[Int(cell.client) - 1].add(cell, isBlocked: isBlocked(cell))
        }
        for (client, sum) in zip(table.clients, sums) where sum.admitted > 0 {
            clients[client, default: ClientSum()].merge(sum)
        }
    }

    package func sum(where isSelected: (Client) -> Bool) -> ClientSum {
        clients.reduce(into: ClientSum()) { if isSelected($1.key) { $0.merge($1.value) } }
    }

    /// Requests with a row that shows the client.
    package var joined: Int { clients.values.reduce(0) { $0 + $1.admitted } }
    package var blockedJoined: Int { clients.values.reduce(0) { $0 + $1.blocked } }

    /// The kinds of clients that have requests, in the order of the enumeration.
    package var kinds: [(kind: ClientKind, admitted: Int, blocked: Int)] {
        ClientKind.allCases.compactMap { kind in count { $0.kind == kind }.map { (kind, $0, $1) } }
    }

    /// Requests of some clients; nil without one.
    fileprivate func count(_ isWanted: (ClientCode) -> Bool) -> (admitted: Int, blocked: Int)? {
        let counts = sum { isWanted($0.code) }
        return counts.admitted > 0 ? (counts.admitted, counts.blocked) : nil
    }
}

/// Why tokens of admitted requests were refused.
package struct RefusalCauses: Hashable, Sendable {
    /// By ``RefusalCause``; together they are the admitted requests with a refused token.
    package let counts: [Int]
    /// The first day of the run of days, up to the newest, on which the largest count is the largest.
    package let since: Day?

    package subscript(_ cause: RefusalCause) -> Int { counts[Int(cause.rawValue)] }

    /// Nil without a refused token in the window; the first day of the stretch is how far the run of days goes back.
    init?(_ table: CellTable, in window: Window, since stretch: Day, _ admission: Admission) {
        var days: [(day: Day, counts: [Int])] = []
        guard stretch <= window.to else { return nil }
        for cell in table.cells(in: stretch...window.to)
        where cell.isCounted && cell.app == .invalid && admission.admits(auth: cell.auth) {
            if days.last?.day != cell.day {
                days.append((cell.day, [Int](repeating: 0, count: RefusalCause.allCases.count)))
            }
            days[days.count - 1].counts[Int((cell.cause ?? .unexplained).rawValue)] += cell.count
        }
        guard let newest = days.last, window.from <= newest.day else { return nil }
        let sums = days.reduce(into: [Int](repeating: 0, count: RefusalCause.allCases.count)) { sums, day in
            guard window.from <= day.day else { return }
            for (index, count) in day.counts.enumerated() { sums[index] += count }
        }
        counts = sums
        let largest = sums.indices.first { sums[$0] == sums.max() } ?? 0
        since = days.reversed().prefix { $0.counts[largest] == $0.counts.max() }.last?.day
    }
}

/// The clients of a function's window, as far as rows show them.
package struct WindowClients: Hashable, Sendable {
    package let requests: Int
    package let blocked: Int
    package let callers: Callers
    /// Programs, where they do not count.
    package let programs: Callers
    /// The number of addresses that blocked requests came from, at most one more than ``AddressSet/limit``; nil where
    /// no row shows one.
    package let blockedAddresses: Int?
    /// Nil while enforcement is on.
    package let alreadyFailing: Int?
    package let unlogged: Int

    /// Fewer requests show nothing of their clients.
    package static let minimumBlocked = 5

    /// Requests without a row that shows their client.
    package var unknown: (admitted: Int, blocked: Int) { (requests - callers.joined, blocked - callers.blockedJoined) }

    init?(_ evaluation: Evaluation, isEnforced: Bool) {
        let (history, period) = (evaluation.history, evaluation.period)
        guard let judged = period.window else { return nil }
        let window = evaluation.project?.stretch(of: judged) ?? judged
        let (judgement, table) = (history.judgement, history.table)
        let counted = evaluation.counted
        // What revisions that are on have refused is not among the requests.
        callers = Callers(table, in: window.days) { judgement.isJudged($0, counted) }
        programs =
            counted.programs
            ? Callers()
            : Callers(table, in: window.days) {
                $0.isCounted && judgement.isAdmitted($0, counted.admission) && judgement.isProgram($0)
            }
        (requests, blocked) = (period.admitted, period.blocked)
        blockedAddresses = judgement.table.blockedAddresses(in: window.days, counted.admission) { kind in
            !judgement.ignored.contains(kind) && (counted.programs || !kind.isProgram)
        }
        let cells = table.cells(in: window.days)
        alreadyFailing =
            isEnforced
            ? nil
            : cells.reduce(0) { sum, cell in
                let isFailing =
                    cell.row == .certain && cell.isBlocked && cell.answer.map { $0.isError } ?? false
                    && judgement.isJudged(cell, counted)
                return isFailing ? sum + cell.count : sum
            }
        unlogged = cells.reduce(0) { $1.isUnlogged ? $0 + $1.count : $0 }
    }

    /// The four categories of Firebase's console.
    package var categories: (verified: Int, outdated: Int, unknownOrigin: Int, invalid: Int) {
        var categories = (verified: 0, outdated: 0, unknownOrigin: 0, invalid: 0)
        for (client, counts) in callers.clients {
            categories.verified += counts[.valid]
            categories.invalid += counts[.invalid]
            if client.kind.isOfSDK {
                categories.outdated += counts[.missing]
            } else {
                categories.unknownOrigin += counts[.missing]
            }
        }
        return categories
    }

    package var kinds: [(kind: ClientKind, admitted: Int, blocked: Int)] { callers.kinds }

    /// The versions of apps, and the sites, that have requests, most blocked first, at most 20.
    package var versions: [(client: ClientKind, version: ClientVersion, admitted: Int, blocked: Int)] {
        var known: [Client: ClientSum] = [:]
        for (client, counts) in callers.clients where client.version != nil {
            let code = ClientCode(client.kind, nameHash: client.code.nameHash)
            let anyDevice = Client(code, version: client.version)
            known[anyDevice, default: ClientSum()].merge(counts)
        }
        let sorted = known.sorted { left, right in
            let (mine, theirs) = (left.value, right.value)
            if mine.blocked != theirs.blocked { return mine.blocked > theirs.blocked }
            if mine.admitted != theirs.admitted { return mine.admitted > theirs.admitted }
            return left.key < right.key
        }
        return sorted.prefix(20).compactMap { client, counts in
            client.version.map { (client.kind, $0, counts.admitted, counts.blocked) }
        }
    }

    /// How the versions of iOS differ, and those of the iOS app with most blocked requests; nil where fewer than
    /// two have requests.
    package var systems: VersionShares? { VersionShares(callers.clients) { $0.os } }
    package var appVersions: VersionShares? {
        let apps = Dictionary(grouping: callers.clients.filter { $0.key.kind.isIOSApp }) {
            $0.key.version?.app ?? ""
        }
        let blocked = apps.mapValues { $0.reduce(0) { $0 + $1.value.blocked } }
        let app = blocked.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return VersionShares(callers.clients) { $0.app == app ? $0.version : "" }
    }

    /// The families of browsers that have requests, in the order of the enumeration.
    package var browsers: [(browser: Browser, admitted: Int, blocked: Int)] {
        Browser.allCases.compactMap { browser in callers.count { $0.browser == browser }.map { (browser, $0, $1) } }
    }

    /// The families of Apple's devices that have requests, of one kind of client or of all, in the order of the
    /// enumeration.
    package func devices(of kind: ClientKind? = nil) -> [(device: Device, admitted: Int, blocked: Int)] {
        Device.allCases.compactMap { device in
            callers.count { $0.device == device && (kind == nil || $0.kind == kind) }.map { (device, $0, $1) }
        }
    }
}

/// Requests of iOS apps by version.
package struct VersionShares: Hashable, Sendable {
    package struct Share: Hashable, Sendable {
        package let version: String
        package var admitted = 0
        package var blocked = 0
    }

    /// The newest first.
    package let shares: [Share]
    /// True if more is refused of some versions than of others, beyond chance; nil if too few are refused to tell.
    package let differ: Bool?

    init?(
        _ clients: [Client: ClientSum], version: (ClientVersion) -> String
    ) {
        var shares: [ReleaseNumber: Share] = [:]
        for (client, counts) in clients where client.kind.isIOSApp {
            guard let name = client.version.map(version), !name.isEmpty else { continue }
            shares[ReleaseNumber(name), default: Share(version: name)].admitted += counts.admitted
            shares[ReleaseNumber(name), default: Share(version: name)].blocked += counts.blocked
        }
        self.shares = shares.sorted { $1.key < $0.key }.map(\.value)
        guard shares.count > 1, self.shares.contains(where: { $0.blocked > 0 }) else { return nil }
        differ = Proportions.differ(among: self.shares.map { ($0.blocked, $0.admitted) })
    }
}

extension Assessment {
    /// True if refused platforms look like App Attest that is rolled out: of the version of an iOS app with most
    /// refused requests some requests are verified, and most tokens that were refused are placeholders.
    package var looksLikeRollout: Bool {
        guard !refusedPlatforms.isEmpty, refusedPlatforms.allSatisfy(\.name.isOfIOSApps), let causes,
            2 * causes[.placeholder] > causes.counts.reduce(0, +),
            let version = clients?.versions.first(where: \.client.isIOSApp)
        else { return false }
        return version.admitted - version.blocked >= WindowClients.minimumBlocked
    }
}

extension PlatformName {
    fileprivate var isOfIOSApps: Bool {
        switch self {
        case .kind(let kind): kind.isIOSApp
        case .device, .app, .unnamedApp: true
        default: false
        }
    }
}
