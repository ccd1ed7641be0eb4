package import Verifications

/// Writes a function's cells, one request after another.
package struct CellWriter: Sendable {
    package var table = CellTable()
    /// The numbers of clients, by the words of their codes.
    private var numbers: [UInt64: UInt32] = [:]
    private var clients: [Client: UInt32] = [:]
    /// Places of cells by the hashes of their keys, twice as many as there may be, each one more than the place; 0 for
    /// none.
    private var slots: [UInt32] = []
    /// The first cell that more requests may be added to.
    private var start = 0
    /// As many cells at the beginning are of folded days.
    private var foldedCount = 0
    private var stints: [CellTable.Stint: Int] = [:]
    private var visits: [Day: [DayVisits.Request]] = [:]
    private var lastStint: (stint: CellTable.Stint, place: Int)?
    package var versions: ClientVersions

    package init(_ versions: ClientVersions = ClientVersions()) { self.versions = versions }

    /// Adds requests of one hour; those of an instant in most cases.
    package mutating func add(
        _ properties: Cell.Properties, client: UInt32 = 0, stint: CellTable.Stint? = nil, day: Day,
        at nanoseconds: ClosedRange<Int64>, count: Int = 1
    ) {
        let cell = Cell(
            properties, client: client, day: day, stint: number(of: stint ?? CellTable.Stint(.none, beginning: 1)),
            at: nanoseconds, count: count)
        if 2 * (table.cells.count + 1 - start) > slots.count { growSlots() }
        var slot = Int(truncatingIfNeeded: cell.key.hash) & (slots.count - 1)
        while slots[slot] > 0 {
            let place = Int(slots[slot]) - 1
            if table.cells[place].key == cell.key { return table.cells[place].add(count, at: nanoseconds) }
            slot = (slot + 1) & (slots.count - 1)
        }
        table.cells.append(cell)
        slots[slot] = UInt32(table.cells.count)
    }

    /// Keeps the address that a request's row shows.
    package mutating func add(
        address: UInt16, _ properties: Cell.Properties, isServed: Bool, client: UInt32, stint: CellTable.Stint?,
        at instant: Instant, count: Int
    ) {
        let isVerified = properties.app == .valid
        let visit = Visit(
            address: address, client: client, auth: properties.auth, hour: instant.hour,
            stint: number(of: stint ?? CellTable.Stint(.none, beginning: 1)), isEarly: properties.isEarly,
            isVerified ? .verified : isServed ? .served : .unverified, count: count)
        visits[instant.day, default: []].append(DayVisits.Request(visit: visit, nanosecond: instant.nanosecondOfDay))
        guard !isVerified, !properties.isEarly else { return }
        let blocked = CellTable.Blocked(day: instant.day, isSignedIn: properties.auth == .valid, client: client)
        table.addresses[blocked, default: AddressSet()].insert(address)
    }

    package mutating func noteAllowing(on day: Day) { table.allowingDays.insert(day) }

    /// Ends a day: more of its requests would be further cells, which are merged in the end.
    ///
    /// Days ascend; of those before `first`, addresses are forgotten and hours are folded.
    package mutating func endDay(_ day: Day, hoursFrom first: Day) {
        if let requests = visits.removeValue(forKey: day) { table.visits.append(DayVisits(day, requests)) }
        table.visits.removeFirst(table.visits.partitioningIndex { $0.day < first })
        fold(before: first)
        start = table.cells.count
        for slot in slots.indices { slots[slot] = 0 }
    }

    /// Folds earlier days, many at a time: all later cells move.
    private mutating func fold(before first: Day) {
        guard foldedCount < table.cells.count, table.cells[foldedCount].day.distance(to: first) >= 14 else { return }
        // Rows without a verification come a day later.
        let end = table.cells[foldedCount...].firstIndex { $0.day >= first } ?? table.cells.count
        var early = Array(table.cells[foldedCount..<end])
        for place in early.indices { early[place].fold() }
        early.normalize()
        table.cells.replaceSubrange(foldedCount..<end, with: early)
        foldedCount += early.count
    }

    package mutating func finish() -> CellTable {
        for (day, requests) in visits.sorted(by: { $0.key < $1.key }) { table.visits.append(DayVisits(day, requests)) }
        visits = [:]
        table.normalize()
        return table
    }

    private mutating func growSlots() {
        slots = Array(repeating: 0, count: max(16, 2 * slots.count))
        for place in start..<table.cells.count {
            var slot = Int(truncatingIfNeeded: table.cells[place].key.hash) & (slots.count - 1)
            while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(place) + 1
        }
    }

    /// The number of a client in this table, made when it is new.
    package mutating func number(of client: ClientCode) -> UInt32 {
        if let number = numbers[client.word] { return number }
        let number = number(of: Client(client, in: versions))
        numbers[client.word] = number
        return number
    }

    package mutating func number(of client: Client) -> UInt32 {
        if let number = clients[client] { return number }
        table.clients.append(client)
        clients[client] = UInt32(table.clients.count)
        return UInt32(table.clients.count)
    }

    private mutating func number(of stint: CellTable.Stint) -> Int {
        if let number = lastStint, number.stint == stint { return number.place }
        let place = stints[stint] ?? table.stints.count
        if place == table.stints.count {
            table.stints.append(stint)
            stints[stint] = place
        }
        lastStint = (stint, place)
        return place
    }
}
