package import Verifications

/// The requests of a selection that have a row, by the client that it shows.
package struct Callers: Hashable, Sendable {
    package private(set) var clients: [Client: ClientSum] = [:]

    init(_ cells: some Sequence<Cell>, of table: CellTable, blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }) {
        var sums = [ClientSum](repeating: ClientSum(), count: table.clients.count)
        for cell in cells where cell.row == .certain && cell.client > 0 {
            sums[Int(cell.client) - 1].add(cell, isBlocked: isBlocked(cell))
        }
        for (client, sum) in zip(table.clients, sums) where sum.admitted > 0 {
            clients[client, default: ClientSum()].merge(sum)
        }
    }

    package func sum(where isSelected: (Client) -> Bool = { _ in true }) -> ClientSum {
        clients.reduce(into: ClientSum()) { if isSelected($1.key) { $0.merge($1.value) } }
    }

    /// The requests by a property of their clients, in its order.
    package func sums<Property: Hashable & Comparable>(
        by property: (Client) -> Property?
    ) -> [(key: Property, value: ClientSum)] {
        clients.reduce(into: [Property: ClientSum]()) { sums, client in
            if let key = property(client.key) { sums[key, default: ClientSum()].merge(client.value) }
        }.sorted { $0.key < $1.key }
    }

    /// Those of them that have blocked ones, most blocked first.
    package func refused<Property: Hashable & Comparable>(
        by property: (Client) -> Property?
    ) -> [(key: Property, value: ClientSum)] {
        // Sorting is stable.
        sums(by: property).filter { $0.value.blocked > 0 }.sorted { $1.value.blocked < $0.value.blocked }
    }

    /// The versions of apps, and the sites, most blocked first, at most 20.
    package var versions: [(key: Client, value: ClientSum)] {
        let onAnyDevice = sums { client in
            client.version.map { Client(ClientCode(client.kind, nameHash: client.code.nameHash), version: $0) }
        }
        return Array(
            onAnyDevice.sorted { left, right in
                (right.value.blocked, right.value.admitted) < (left.value.blocked, left.value.admitted)
            }.prefix(20))
    }

    /// The versions of iOS, and those of the iOS app with most blocked requests, the newest first.
    package var systems: [(key: String, value: ClientSum)] { iOS { $0.os } }
    package var appVersions: [(key: String, value: ClientSum)] {
        let apps = sums { $0.kind.isIOSApp ? $0.version?.app ?? "" : nil }
        let app = apps.max { ($0.value.blocked, $1.key) < ($1.value.blocked, $0.key) }?.key
        return iOS { $0.app == app ? $0.version : "" }
    }

    /// None where fewer than two have requests, and where none is blocked.
    private func iOS(by version: (ClientVersion) -> String) -> [(key: String, value: ClientSum)] {
        let names = sums { $0.kind.isIOSApp ? $0.version.map(version) : nil }.filter { !$0.key.isEmpty }
        let versions = Dictionary(grouping: names) { ReleaseNumber($0.key) }.sorted { $1.key < $0.key }.map(\.value)
            .map { alike in (key: alike[0].key, value: alike.reduce(into: ClientSum()) { $0.merge($1.value) }) }
        return versions.count > 1 && versions.contains { $0.value.blocked > 0 } ? versions : []
    }
}

extension Sequence<Client> {
    /// The apps of Apple's systems and their versions, ascending; equal ones are one, with the first of their names.
    var releases: [(app: String, versions: [(version: String, clients: [Client])])] {
        Dictionary(grouping: filter { $0.kind.isOfApple && $0.version != nil }) { ExactName($0.version?.app ?? "") }
            .sorted { $0.key < $1.key }.map { app, clients in
                let versions = Dictionary(grouping: clients) { ReleaseNumber($0.version?.version ?? "") }
                let named = versions.sorted { $0.key < $1.key }.map { _, clients in
                    (version: clients.map { ExactName($0.version?.version ?? "") }.min()?.text ?? "", clients: clients)
                }
                return (app: app.text, versions: named)
            }
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
        guard stretch <= window.to else { return nil }
        let refused = table.cells(in: stretch...window.to).filter {
            $0.isCounted && $0.app == .invalid && admission.admits(auth: $0.auth)
        }
        func counts(_ cells: some Sequence<Cell>) -> [Int] {
            cells.reduce(into: [Int](repeating: 0, count: RefusalCause.allCases.count)) { counts, cell in
                counts[Int((cell.cause ?? .unexplained).rawValue)] += cell.count
            }
        }
        let sums = counts(refused.filter { window.from <= $0.day })
        guard let most = sums.max(), most > 0, let largest = sums.firstIndex(of: most) else { return nil }
        let days = Dictionary(grouping: refused, by: \.day).mapValues(counts).sorted { $1.key < $0.key }
        (self.counts, since) = (sums, days.prefix { $0.value[largest] == $0.value.max() }.last?.key)
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
    package var unknown: ClientSum {
        ClientSum(admitted: requests - callers.sum().admitted, blocked: blocked - callers.sum().blocked)
    }

    init?(_ evaluation: Evaluation, isEnforced: Bool) {
        let (history, period, counted) = (evaluation.history, evaluation.period, evaluation.counted)
        guard let judged = period.window else { return nil }
        let window = evaluation.project?.stretch(of: judged) ?? judged
        let (judgement, cells) = (history.judgement, history.table.cells(in: window.days))
        // What revisions that are on have refused is not among the requests.
        let requests = cells.filter { judgement.isJudged($0, counted) }
        callers = Callers(requests, of: history.table)
        programs = Callers(
            cells.lazy.filter {
                !counted.programs && $0.isCounted && judgement.isAdmitted($0, counted.admission)
                    && judgement.isProgram($0)
            }, of: history.table)
        (self.requests, blocked) = (period.admitted, period.blocked)
        blockedAddresses = history.table.blockedAddresses(in: window.days, counted.admission) { kind in
            !judgement.ignored.contains(kind) && (counted.programs || !kind.isProgram)
        }
        let failing = requests.filter { $0.row == .certain && $0.isBlocked && $0.answer?.isError ?? false }
        alreadyFailing = isEnforced ? nil : failing.requests
        unlogged = cells.filter(\.isUnlogged).requests
    }

    /// The four categories of Firebase's console.
    package var categories: (verified: Int, outdated: Int, unknownOrigin: Int, invalid: Int) {
        let (ofSDK, others) = (callers.sum { $0.kind.isOfSDK }, callers.sum { !$0.kind.isOfSDK })
        return (ofSDK[.valid] + others[.valid], ofSDK[.missing], others[.missing], ofSDK[.invalid] + others[.invalid])
    }
}

extension Assessment {
    /// True if refused platforms look like App Attest that is rolled out: of the version of an iOS app with most
    /// refused requests some requests are verified, and most tokens that were refused are placeholders.
    package var looksLikeRollout: Bool {
        guard !refusedPlatforms.isEmpty, refusedPlatforms.allSatisfy(\.name.isOfIOSApps), let causes,
            2 * causes[.placeholder] > causes.counts.reduce(0, +),
            let version = clients?.callers.versions.first(where: \.key.kind.isIOSApp)?.value
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
