internal import Synchronization
internal import Verifications

/// The rows and lines of a run that are to be joined with verifications, shared by all its workers.
///
/// A verification may be read before or after its row, in another file and by another worker: so nothing is joined
/// before everything was read. Each row and each line takes 24 bytes. Those whose verification was read are closed;
/// of more than ``limit`` that are open the oldest are given up.
final class EvidenceStore: Sendable {
    /// How many rows, and how many lines, may be open.
    let limit: Int
    private let state = Mutex(State())
    private let settling = Mutex(())

    struct State {
        /// By the keyed hash of a service: the number that stands for it in rows and lines.
        var services: [UInt64: UInt32] = [:]
        var rows = OpenEntries<PackedRow>()
        var lines = OpenEntries<PackedLine>()

        /// The newest day with a row or a line that was given up; nil when all were kept.
        var givenUpThrough: Day? { [rows.givenUpThrough, lines.givenUpThrough].compactMap { $0 }.max() }

        /// The number of a service; nil when there are too many.
        mutating func number(of service: UInt64) -> UInt32? {
            if let known = services[service] { return known }
            let number = UInt32(services.count)
            guard number < PackedRow.serviceLimit else { return nil }
            services[service] = number
            return number
        }
    }

    init(limit: Int) { self.limit = limit }

    /// Takes what a worker has read, each with whether it lies in the time that counts.
    func add(_ rows: [(row: RequestRow, counts: Bool)], _ lines: [(line: SDKLine, counts: Bool)]) {
        state.withLock { state in
            for (row, counts) in rows {
                guard let service = state.number(of: row.service),
                    let packed = PackedRow(row, service: service, counts: counts)
                else { continue }
                state.rows.append(packed)
            }
            for (line, counts) in lines {
                guard let service = state.number(of: line.service),
                    let packed = PackedLine(line, service: service, counts: counts)
                else { continue }
                state.lines.append(packed)
            }
        }
    }

    /// Closes what belongs together so far, when more than the limit may be open.
    func settle(with seen: SeenVerifications) {
        func isFull() -> Bool {
            seen.mayBeFull || state.withLock { $0.rows.mayBeFull(limit) || $0.lines.mayBeFull(limit) }
        }
        guard isFull() else { return }
        settling.withLock { _ in
            // Another worker may just have done it.
            guard isFull() else { return }
            // Others go on reading meanwhile.
            var found = state.withLock { state in
                defer { (state.rows, state.lines) = (OpenEntries(), OpenEntries()) }
                return (rows: state.rows, lines: state.lines)
            }
            let requests = seen.openRequests
            lazy var closedRequests = seen.closedRequests
            let isSeenFull = seen.mayBeFull
            var rows = isSeenFull ? found.rows.open.map(\.request) : []
            rows.sort()
            found.rows.settle(limit) { row, isLast in
                row.request.hasSpan
                    && (requests.contains(sorted: row.request)
                        || isLast && closedRequests.contains(sorted: row.request))
            }
            found.lines.settle(limit) { line, _ in
                switch line.link {
                case .execution(let execution): seen.knows(execution: execution)
                case .request(let request):
                    requests.contains(sorted: request) || closedRequests.contains(sorted: request)
                case .function: false
                }
            }
            lazy var closedRows = found.rows.closed.map(\.request).sorted()
            if isSeenFull {
                seen.settle { request, isLast in
                    request.hasSpan
                        && (rows.contains(sorted: request) || isLast && closedRows.contains(sorted: request))
                }
            }
            state.withLock { state in
                state.rows.add(after: &found.rows)
                state.lines.add(after: &found.lines)
            }
        }
    }

    /// Takes what another store has.
    func add(_ other: consuming State) {
        state.withLock { [other] state in
            var numbers: [UInt32?] = Array(repeating: nil, count: other.services.count)
            for (service, number) in other.services { numbers[Int(number)] = state.number(of: service) }
            for row in other.rows.closed + other.rows.open {
                if let number = numbers[Int(row.service)] { state.rows.append(row.numbered(number)) }
            }
            for line in other.lines.closed + other.lines.open {
                if let number = numbers[Int(line.service)] { state.lines.append(line.numbered(number)) }
            }
        }
    }

    /// Hands over everything.
    func take() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

/// Rows or lines, in the order in which they were read.
struct OpenEntries<Element: DatedElement>: Sendable {
    /// Those whose verification was read.
    private(set) var closed: [Element] = []
    private(set) var open: [Element] = []
    /// How many were open when that was last looked at.
    private var settled = 0
    private(set) var givenUpThrough: Day?

    /// From so many on, room is reserved for ``mostElements``.
    private static var manyElements: Int { 1 << 16 }
    /// Beyond what is open at most by default.
    private static var mostElements: Int { 5 << 18 }

    /// Hands over the elements, so that nobody else holds them.
    mutating func takeElements() -> [Element] {
        defer { (closed, open) = ([], []) }
        guard !closed.isEmpty else { return open }
        closed += open
        return closed
    }

    mutating func append(_ element: Element) {
        // Growing holds the elements twice for a moment. Of what is reserved at once only the part that is used takes
        // memory.
        if open.capacity == open.count {
            let most = open.count < OpenEntries.manyElements ? 0 : OpenEntries.mostElements
            open.reserveCapacity(max(most, open.count + max(64, open.count / 8)))
        }
        open.append(element)
    }

    /// Puts what was read meanwhile behind what was there before, which is empty then: two owners would make a copy.
    mutating func add(after earlier: inout OpenEntries) {
        swap(&self, &earlier)
        open += earlier.open
        earlier = OpenEntries()
    }

    /// True when it is time to look how many are open: a look takes as long as they are many.
    func mayBeFull(_ limit: Int) -> Bool { open.count > limit && open.count - settled >= limit / 4 }

    /// Closes what has its verification, and gives up the oldest of what is too much.
    ///
    /// - Parameters:
    ///   - limit: So many may stay open.
    ///   - isClosed: Whether an entry has its verification; asked again, more thoroughly, before any is given up.
    mutating func settle(_ limit: Int, isClosed: (_ entry: Element, _ isLast: Bool) -> Bool) {
        guard mayBeFull(limit) else { return }
        for isLast in [false, true] where open.count > limit {
            // In place: a second list would take as much memory as the first.
            var kept = 0
            for index in open.indices {
                let entry = open[index]
                if isClosed(entry, isLast) {
                    closed.append(entry)
                } else {
                    open[kept] = entry
                    kept += 1
                }
            }
            open.removeLast(open.count - kept)
        }
        let excess = max(0, open.count - limit)
        for entry in open.prefix(excess) { givenUpThrough = max(givenUpThrough ?? entry.day, entry.day) }
        open.removeFirst(excess)
        settled = open.count
    }
}

extension [RequestKey] {
    /// True when a sorted array has the request.
    func contains(sorted request: RequestKey) -> Bool {
        let place = firstPlace { $0 < request }
        return place < count && self[place] == request
    }
}
