package import Verifications

/// All that is known of one function: its requests as cells, and what no request has.
///
/// Tables form a commutative monoid under ``merge(_:)``; a new table is its identity.
package struct CellTable: Hashable, Sendable {
    /// In the order of their keys, each key once.
    package internal(set) var cells: [Cell] = []
    /// The clients that rows show, in order.
    package internal(set) var clients: [Client] = []
    /// The runs of requests of one revision, as cells number them.
    package internal(set) var stints: [Stint] = []
    /// Days with one of the SDK's lines "Allowing request…", whichever request it is about.
    package internal(set) var allowingDays: Set<Day> = []
    /// The addresses behind blocked requests.
    package internal(set) var addresses: [Blocked: AddressSet] = [:]
    /// The requests whose rows show an address, of the last weeks, days ascending; ignored by ==.
    package internal(set) var visits: [DayVisits] = []
    /// Verifications without a time, and those of days beyond ``dayLimit``; empty while there are none, as nearly
    /// always: a log may have very many functions.
    private var dayless: [Dayless] = []
    /// The basis of the counts: labels, or text alone if any part of them is.
    package private(set) var provenance = Provenance.labelled
    /// Verifications that were not counted, as the function's own code may have written them.
    package private(set) var discarded = Discarded()
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package var label: ExactName?
    /// The name in the URLs of rows, with its capitals; ignored by ==.
    package var urlName: ExactName?
    /// True where the cells are counts of hours, and nothing is known of single requests.
    package var isByHour = false
    /// Times of which nothing was read, where hours are counted; ignored by ==.
    package var gaps: [Range<Instant>] = []
    /// What says whether enforcement is on, regardless of requests; nil if nothing does.
    package var mode: StatedMode?
    /// The days on which revisions were gone, by the numbers of their beginnings; the others are still there.
    package var departures: [Int: Day] = [:]
    /// The first row without a verification of each beginning of a revision that has one: the revision answered.
    package var openings: [Stint: Instant] = [:]

    /// The requests of a revision from where it began or returned, or a part of them between instants that matter.
    package struct Stint: Hashable, Comparable, Sendable {
        package let revision: Revision
        /// The number, from 1 on, of the beginning of the revision: one that answers again after requests of others
        /// begins anew.
        package let beginning: Int
        /// The number of the instants that matter, of those of a day, that have passed.
        package let piece: Int

        package init(_ revision: Revision, beginning: Int, piece: Int = 0) {
            (self.revision, self.beginning, self.piece) = (revision, beginning, piece)
        }

        package static func < (left: Stint, right: Stint) -> Bool {
            (left.beginning, left.piece, left.revision) < (right.beginning, right.piece, right.revision)
        }
    }

    /// The blocked requests of one client on one day.
    package struct Blocked: Hashable, Sendable {
        let day: Day
        let isSignedIn: Bool
        var client: UInt32
    }

    private struct Dayless: Hashable, Sendable {
        var undated = StatusMatrix()
        var pooled = StatusMatrix()
        var severities = PassSeverity()
        var first: Instant?
    }

    /// The most days that one function keeps.
    ///
    /// Logs live for weeks or months; only forged timestamps have more days, and the latest stay.
    package static let dayLimit = 4000

    package init() {}

    /// Verifications without a time: in totals, never in days.
    package var undated: StatusMatrix { dayless.first?.undated ?? StatusMatrix() }
    /// Verifications of days beyond ``dayLimit``: in totals, never in days.
    package var pooledDays: StatusMatrix { dayless.first?.pooled ?? StatusMatrix() }

    package func client(of cell: Cell) -> Client? { cell.client == 0 ? nil : clients[Int(cell.client) - 1] }
    package func stint(of cell: Cell) -> Stint { stints[cell.stint] }

    /// The first and the last dated verification.
    package var first: Instant? {
        ([dayless.first?.first] + [cells.lazy.filter(\.isCounted).map(\.start).min()]).compactMap(\.self).min()
    }
    package var last: Instant? { last(through: Day(number: .max)) }

    /// The last dated verification up to a day.
    func last(through day: Day) -> Instant? {
        var last: Instant?
        for cell in cells(in: Day(number: .min)...day).reversed() where cell.isCounted {
            if let last, cell.day < last.day { break }
            last = max(last ?? cell.end, cell.end)
        }
        return last
    }

    /// The severities at which passed verifications were seen.
    package var passSeverities: PassSeverity {
        cells.reduce(dayless.first?.severities ?? []) { $1.isCounted ? $0.union($1.severity) : $0 }
    }

    var hasAddresses: Bool { cells.contains(where: \.hasAddress) }
    var hasRows: Bool { cells.contains { $0.row != .none } }
    /// True where anything is known beside verifications.
    var hasEvidence: Bool {
        !allowingDays.isEmpty || cells.contains { $0.row != .none || !$0.isVerification || $0.cause != nil }
    }

    /// The part of some days; earlier ones count no more, but show enforcement, and what has no day is left out.
    func part(of days: ClosedRange<Day>, keepsEarlier: Bool) -> CellTable {
        var part = self
        part.dayless = []
        let first = keepsEarlier ? Day(number: .min) : days.lowerBound
        part.cells = cells(in: first...days.upperBound).map { cell in
            var cell = cell
            if cell.day < days.lowerBound { cell.markEarly() }
            return cell
        }
        part.cells.normalize()
        part.visits = visits.filter { first <= $0.day && $0.day <= days.upperBound }
        for place in part.visits.indices where part.visits[place].day < days.lowerBound {
            part.visits[place].change { $0.markEarly() }
        }
        return part
    }

    /// The part before an instant that matters.
    func part(before end: Instant) -> CellTable {
        var part = self
        part.cells.removeAll { end <= $0.start }
        return part
    }

    /// The same without the requests and the rows of some clients; nil is a request of which no row shows one.
    func without(_ isLeftOut: (Client?) -> Bool) -> CellTable {
        let numbers = [isLeftOut(nil)] + clients.map(isLeftOut)
        func isGone(_ cell: Cell) -> Bool {
            let client = cell.row == .certain ? Int(cell.client) : 0
            return numbers[client] && (client > 0 || cell.isVerification)
        }
        var part = self
        part.cells.removeAll(where: isGone)
        part.addresses = addresses.filter { !numbers[Int($0.key.client)] }
        part.visits = visits.map { $0.without { numbers[Int($0.client)] } }
        return part
    }

    package mutating func addUndated(_ properties: Cell.Properties, count: Int) {
        updateDayless {
            $0.undated[properties.app, properties.auth] += count
            $0.severities.formUnion(properties.severity)
        }
    }

    private mutating func updateDayless(_ change: (inout Dayless) -> Void) {
        if dayless.isEmpty { dayless = [Dayless()] }
        change(&dayless[0])
    }

    /// Notes that the counts are based on text alone.
    package mutating func markUnlabelled() { provenance = .unlabelled }

    /// Notes what was not counted.
    package mutating func discard(_ discarded: Discarded) { self.discarded.merge(discarded) }

    /// Adds another part of the input.
    package mutating func merge(_ other: CellTable) {
        if !other.dayless.isEmpty {
            updateDayless { mine in
                mine.undated.merge(other.undated)
                mine.pooled.merge(other.pooledDays)
                mine.severities.formUnion(other.dayless[0].severities)
                mine.first = [mine.first, other.dayless[0].first].compactMap(\.self).min()
            }
        }
        if other.provenance == .unlabelled { markUnlabelled() }
        discard(other.discarded)
        label = [label, other.label].compactMap(\.self).min()
        urlName = [urlName, other.urlName].compactMap(\.self).min()
        isByHour = isByHour || other.isByHour
        if gaps.isEmpty { gaps = other.gaps }
        mode = mode ?? other.mode
        departures.merge(other.departures, uniquingKeysWith: max)
        openings.merge(other.openings, uniquingKeysWith: min)
        allowingDays.formUnion(other.allowingDays)
        // Most often there was nothing: the cells are shared then, not copied.
        guard !cells.isEmpty else {
            (cells, clients, stints) = (other.cells, other.clients, other.stints)
            return (addresses, visits) = (other.addresses, other.visits)
        }
        let (clientCount, stintCount) = (UInt32(clients.count), stints.count)
        clients += other.clients
        stints += other.stints
        cells += other.cells.map { cell in
            var cell = cell
            if cell.client > 0 { cell.change(client: cell.client + clientCount) }
            cell.change(stint: cell.stint + stintCount)
            return cell
        }
        for (blocked, set) in other.addresses {
            var blocked = blocked
            blocked.client += clientCount
            addresses[blocked, default: AddressSet()].merge(set)
        }
        for var day in other.visits {
            day.change { visit in
                visit.change(client: visit.client + clientCount)
                visit.change(stint: visit.stint + stintCount)
            }
            let place = visits.partitioningIndex { $0.day < day.day }
            if place < visits.count, visits[place].day == day.day {
                visits[place].merge(day)
            } else {
                visits.insert(day, at: place)
            }
        }
        normalize()
    }

    package static func == (left: CellTable, right: CellTable) -> Bool {
        left.cells == right.cells && left.clients == right.clients && left.stints == right.stints
            && left.dayless == right.dayless && left.label == right.label && left.provenance == right.provenance
            && left.discarded == right.discarded && left.addresses == right.addresses
            && left.departures == right.departures && left.openings == right.openings
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(cells)
        hasher.combine(provenance)
        hasher.combine(label)
    }
}

// MARK: Order, and room

extension CellTable {
    /// Brings clients, stints and cells into their order, equal ones together; the days that there is no room for go.
    mutating func normalize() {
        let sortedClients = Set(clients).sorted()
        if sortedClients != clients {
            let places = Dictionary(
                uniqueKeysWithValues: sortedClients.enumerated().map { ($1, UInt32($0) + 1) })
            renumber(clients.map { places[$0] ?? 0 })
            clients = sortedClients
        }
        let sortedStints = Set(stints).sorted()
        if sortedStints != stints {
            let places = Dictionary(uniqueKeysWithValues: sortedStints.enumerated().map { ($1, $0) })
            for place in cells.indices {
                cells[place].change(stint: places[stint(of: cells[place])] ?? 0)
            }
            for day in visits.indices { visits[day].change { $0.change(stint: places[stints[$0.stint]] ?? 0) } }
            stints = sortedStints
        }
        cells.normalize()
        poolDays()
    }

    /// Changes the numbers of clients, which are one more than their places.
    private mutating func renumber(_ numbers: [UInt32]) {
        for place in cells.indices where cells[place].client > 0 {
            cells[place].change(client: numbers[Int(cells[place].client) - 1])
        }
        for day in visits.indices { visits[day].change { $0.change(client: numbers[Int($0.client) - 1]) } }
        addresses = addresses.reduce(into: [:]) { addresses, found in
            var blocked = found.key
            blocked.client = numbers[Int(blocked.client) - 1]
            addresses[blocked, default: AddressSet()].merge(found.value)
        }
    }

    private mutating func poolDays() {
        var days: [Day] = []
        for cell in cells where days.last != cell.day { days.append(cell.day) }
        guard days.count > CellTable.dayLimit else { return }
        let first = days[days.count - CellTable.dayLimit]
        let end = cells.partitioningIndex { $0.day < first }
        let old = cells[..<end]
        updateDayless { dayless in
            for cell in old where cell.isCounted {
                dayless.pooled[cell.app, cell.auth] += cell.count
                dayless.severities.formUnion(cell.severity)
                dayless.first = min(dayless.first ?? cell.start, cell.start)
            }
        }
        cells.removeFirst(end)
    }

    /// Leaves out rows without a verification up to a day.
    mutating func giveUpOpenRows(through last: Day) { cells.removeAll { !$0.isVerification && $0.day <= last } }

    /// The apps that sent a valid token and have an identifier of at least three pieces: a forged `com` would make
    /// every app an extension.
    var apps: Set<String> {
        var areVerified = Array(repeating: false, count: clients.count + 1)
        for cell in cells where cell.isVerification && cell.app == .valid && cell.auth != .invalid {
            areVerified[Int(cell.client)] = true
        }
        var apps: Set<String> = []
        for (place, client) in clients.enumerated() where areVerified[place + 1] && !client.kind.hasSite {
            guard let app = client.version?.app, app.utf8.count(where: { $0 == UInt8(ascii: ".") }) >= 2 else {
                continue
            }
            apps.insert(app)
        }
        return apps
    }

    /// Tells extensions from apps, where only those of other requests show that they are.
    mutating func tellExtensions(of apps: Set<String>) {
        for place in clients.indices where clients[place].kind == .ios {
            let client = clients[place]
            guard client.version?.isExtension(of: apps) ?? false else { continue }
            clients[place] = Client(client.code.with(.iosExtension), version: client.version)
        }
    }

    // MARK: Names of clients

    /// The most combinations of kind, app or site, version and system that one day keeps.
    package static let clientLimit = 2000

    /// The combinations of each day that have a name, by what is the same in all of their browsers, and in which order
    /// they stay.
    var clientRanks: [Day: [UInt64: UInt64]] {
        guard clients.contains(where: { $0.version != nil }) else { return [:] }
        return cells.reduce(into: [:]) { ranks, cell in
            guard let client = client(of: cell), client.version != nil else { return }
            let (name, rank) = (client.rank(isSignedIn: true), client.rank(isSignedIn: cell.auth == .valid))
            ranks[cell.day, default: [:]][name] = min(ranks[cell.day]?[name] ?? rank, rank)
        }
    }

    /// At least the number of ranks of all days, without looking at each cell.
    var mostClientRanks: Int {
        guard let first = cells.first, let last = cells.last else { return 0 }
        return clients.count { $0.version != nil } * (first.day.distance(to: last.day) + 1)
    }

    /// Keeps of each day as many names of clients as a day may have, those below a rank if there is one.
    mutating func trimClients(below limit: UInt64?) {
        guard limit != nil || clients.count > CellTable.clientLimit else { return }
        let ranks = clientRanks
        let limits = ranks.compactMapValues { ranks in
            let own = ranks.count > CellTable.clientLimit ? ranks.values.sorted()[CellTable.clientLimit] : nil
            return [own, limit].compactMap(\.self).min()
        }
        guard !limits.isEmpty else { return }
        pool { day, client in
            limits[day].map { limit in ranks[day]?[client.rank(isSignedIn: true)].map { limit <= $0 } ?? true } ?? false
        }
    }

    /// Folds the hours of earlier days, and the names of their clients.
    mutating func fold(before first: Day) {
        let end = cells.partitioningIndex { $0.day < first }
        guard end > 0 else { return }
        for place in 0..<end { cells[place].fold() }
        visits.removeFirst(visits.partitioningIndex { $0.day < first })
        pool { day, _ in day < first }
    }

    /// Forgets the apps and sites of some clients.
    private mutating func pool(where isTooMuch: (Day, Client) -> Bool) {
        var numbers: [Client: UInt32] = [:]
        let areNamed = clients.map { $0.version != nil }
        // By the numbers of clients: there are fewer of them than cells.
        var pooled: [UInt32?] = Array(repeating: nil, count: clients.count)
        for place in cells.indices where cells[place].client > 0 {
            let number = Int(cells[place].client) - 1
            guard areNamed[number], isTooMuch(cells[place].day, clients[number]) else { continue }
            let known = pooled[number] ?? pool(number, &numbers)
            pooled[number] = known
            cells[place].change(client: known)
        }
        for day in visits.indices {
            let date = visits[day].day
            visits[day].change { visit in
                let client = clients[Int(visit.client) - 1]
                if client.version != nil, isTooMuch(date, client), let number = numbers[client.pooled] {
                    visit.change(client: number)
                }
            }
        }
        normalize()
    }

    /// Returns the number of a client without its app or site.
    private mutating func pool(_ number: Int, _ numbers: inout [Client: UInt32]) -> UInt32 {
        let client = clients[number].pooled
        if let known = numbers[client] { return known }
        clients.append(client)
        numbers[client] = UInt32(clients.count)
        return UInt32(clients.count)
    }
}
