package import Verifications

/// The newest requests of a function: as many of each sort as the rule looks at.
///
/// They are of the entries that were read; sums of a day, and counts made by a query, have none.
package struct NewestRequests: Hashable, Sendable {
    package struct Request: Hashable, Comparable, Sendable {
        package let instant: Instant
        package let app: TokenStatus
        /// Tells requests of one instant apart, the same way in any order.
        let order: UInt64

        package static func < (left: Request, right: Request) -> Bool {
            left.instant == right.instant ? left.order < right.order : left.instant < right.instant
        }
    }

    /// How many of each sort are kept.
    package static let limit = 20

    /// By whether they are signed in and by the kind of client, where a policy may leave it out; newest first.
    private var lists: [[Request]] = []
    /// Days of which there are sums, and not all of the requests.
    private var sums: Set<Day> = []

    package init() {}

    init(sumsOf days: some Sequence<Day>) { sums = Set(days) }

    mutating func addSums(of day: Day) { sums.insert(day) }

    func isIncomplete(from first: Day, to last: Day) -> Bool { !sums.isDisjoint(with: [first, last]) }

    /// Adds an admitted request; the kind of its client is nil where no row shows it.
    package mutating func add(
        _ instant: Instant, app: TokenStatus, isSignedIn: Bool, client: ClientKind?, order: UInt64
    ) {
        if lists.isEmpty { lists = Array(repeating: [], count: 2 * NewestRequests.sorts) }
        let list = (isSignedIn ? NewestRequests.sorts : 0) + NewestRequests.sort(client)
        if lists[list].count == NewestRequests.limit, let last = lists[list].last, instant < last.instant { return }
        insert(Request(instant: instant, app: app, order: order), list)
    }

    private mutating func insert(_ request: Request, _ list: Int) {
        lists[list].insert(request, at: lists[list].firstIndex { $0 < request } ?? lists[list].count)
        if lists[list].count > NewestRequests.limit { lists[list].removeLast() }
    }

    package mutating func merge(_ other: NewestRequests) {
        sums.formUnion(other.sums)
        guard !lists.isEmpty else { return lists = other.lists }
        for list in other.lists.indices { for request in other.lists[list] { insert(request, list) } }
    }

    /// Those that a policy admits, newest first.
    func admitted(_ admission: Admission, leavingOut ignored: Set<ClientKind>) -> [Request] {
        let first = admission == .signedIn ? NewestRequests.sorts : 0
        let leftOut = Set(ignored.map { NewestRequests.sort($0) })
        return lists.indices.dropFirst(first).filter { !leftOut.contains($0 % NewestRequests.sorts) }
            .flatMap { lists[$0] }.sorted(by: >)
    }

    /// One for what is never left out, and one for each kind of client that may be.
    private static let sorts = 1 + ClientKind.allCases.count
    private static func sort(_ client: ClientKind?) -> Int {
        client.map { $0.isOfPeople ? 0 : 1 + Int($0.rawValue) } ?? 0
    }
}
