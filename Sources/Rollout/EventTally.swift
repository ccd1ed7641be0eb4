package import Verifications

/// The users who had App Attest events, by event and day.
///
/// Users count, not events: the app writes an event for each token it fetches, which is many a day.
package struct EventTally: Sendable {
    /// The most users that are counted: more are refused, because counting some of them would be a sample.
    package static let userLimit = 10_000_000

    /// The kinds of a user's events: App Attest succeeded, failed, or there was any other event.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let success = Kinds(rawValue: 1)
        package static let failure = Kinds(rawValue: 2)
        /// Any other event of an iOS app.
        package static let other = Kinds(rawValue: 4)

        package static let attestation: Kinds = [.success, .failure]
    }

    private(set) var users = UserDays()
    /// The newest day of any row, other platforms included, that is not after the horizon.
    package private(set) var newestDay: Day?
    /// The newest time of a row, not after the horizon's end.
    package private(set) var newest: Instant?
    /// The apps' versions by number.
    package var clients: [ClientVersion] = []
    /// App Attest events with a day and a user.
    package private(set) var attestations = 0
    /// The indices of ``clients`` that had App Attest events.
    private(set) var attesting: Set<UInt16> = []
    /// App Attest events of nobody: they have no `user_pseudo_id`.
    package private(set) var withoutUser = 0
    /// App Attest events without a date.
    package private(set) var undated = 0
    /// Entries of functions' logs, which are not read.
    package var logEntries = 0
    /// True when there were more users than ``userLimit``: counts are wrong then.
    package private(set) var hasTooManyUsers = false

    private let horizon: Day
    private let userLimit: Int

    /// Days after the horizon are counted and do not decide which days are judged: a clock is wrong.
    package init(horizon: Day, userLimit: Int = EventTally.userLimit) {
        self.horizon = horizon
        self.userLimit = userLimit
    }

    package mutating func widen(day: Day?, instant: Instant?) {
        if let day, day <= horizon { newestDay = max(newestDay ?? day, day) }
        if let instant, instant.day <= horizon { newest = max(newest ?? instant, instant) }
    }

    /// Counts an event of an iOS app: the user is nil where the row has none, the client a number in ``clients``.
    package mutating func count(_ kind: Kinds, user: UInt64?, day: Day?, client: UInt16) {
        let isAttestation = !kind.isDisjoint(with: .attestation)
        guard let day, let number = UInt16(exactly: day.number) else {
            if isAttestation { undated += 1 }
            return
        }
        guard let user else {
            if isAttestation { withoutUser += 1 }
            return
        }
        if isAttestation {
            attestations += 1
            attesting.insert(client)
        }
        guard !hasTooManyUsers else { return }
        users.insert(kind, user: user, day: number, client: client)
        hasTooManyUsers = users.userCount > userLimit
    }
}

/// The events of each user by day and by version of an app.
///
/// 16 bytes hold three weeks of a user. Users lie in buckets by the first bits of their hashes, in ascending order: no
/// slot of a table is empty, and growing copies one bucket at a time.
struct UserDays: Sendable {
    struct Fact {
        let day: Day
        let client: Int
        let kinds: EventTally.Kinds
    }

    private(set) var userCount = 0
    private var buckets = ContiguousArray(repeating: ContiguousArray<Stretch>(), count: 1 << UserDays.bucketBits)
    /// How far days are moved so that the first row's is the first of a stretch: an export of three weeks that is read
    /// from its oldest day on takes one stretch for each user.
    private var shift: Int?

    private static let bucketBits = 16

    /// Takes note of one event.
    ///
    /// `user` is a keyed hash, of which the first 52 bits count: with ten million users, two are taken for one
    /// with a probability of 1%.
    mutating func insert(_ kinds: EventTally.Kinds, user: UInt64, day: UInt16, client: UInt16) {
        let shift = shift ?? Stretch.length - Int(day) % Stretch.length
        self.shift = shift
        let (number, offset) = (Int(day) + shift).quotientAndRemainder(dividingBy: Stretch.length)
        let stretch = Stretch(user: user << UserDays.bucketBits, number: number, client: client)
        let isNew = buckets[Int(user >> (64 - UserDays.bucketBits))].insert(kinds, on: offset, of: stretch)
        if isNew { userCount += 1 }
    }

    /// Hands over the users one by one, the days of each in ascending order.
    func forEachUser(_ body: (ContiguousArray<Fact>) -> Void) {
        var facts: ContiguousArray<Fact> = []
        for bucket in buckets {
            for index in bucket.indices {
                let stretch = bucket[index]
                let first = stretch.number * Stretch.length - (shift ?? 0)
                for offset in 0..<Stretch.length {
                    let kinds = stretch.kinds(on: offset)
                    guard !kinds.isEmpty else { continue }
                    let day = Day(number: Int32(first + offset))
                    facts.append(Fact(day: day, client: stretch.client, kinds: kinds))
                }
                if index + 1 < bucket.count, bucket[index + 1].isOfSameUser(as: stretch) { continue }
                if facts.count > 1 { facts.sort { $0.day < $1.day } }
                body(facts)
                facts.removeAll(keepingCapacity: true)
            }
        }
    }
}

/// The days of one user with one version of an app, within three weeks.
private struct Stretch {
    /// 36 bits of the user's hash, 12 for which three weeks, 16 for the version.
    let key: UInt64
    /// Three bits a day.
    private var days: UInt64 = 0

    static let length = 21

    init(user: UInt64, number: Int, client: UInt16) {
        key = user & ~0 << 28 | UInt64(number) << 16 | UInt64(client)
    }

    var number: Int { Int(key >> 16 & 0xFFF) }
    var client: Int { Int(key & 0xFFFF) }

    func isOfSameUser(as other: Stretch) -> Bool { (key ^ other.key) >> 28 == 0 }

    func kinds(on offset: Int) -> EventTally.Kinds { EventTally.Kinds(rawValue: UInt8(days >> (3 * offset) & 7)) }

    mutating func add(_ kinds: EventTally.Kinds, on offset: Int) { days |= UInt64(kinds.rawValue) << (3 * offset) }
}

extension ContiguousArray<Stretch> {
    /// Adds what happened on a day to the stretch that it is of, which takes its place when it is a new one; true when
    /// nothing was known of the user.
    fileprivate mutating func insert(_ kinds: EventTally.Kinds, on offset: Int, of stretch: Stretch) -> Bool {
        let place = partitioningIndex { $0.key < stretch.key }
        if place < count, self[place].key == stretch.key {
            self[place].add(kinds, on: offset)
            return false
        }
        let isKnown =
            (place > 0 && self[place - 1].isOfSameUser(as: stretch))
            || (place < count && self[place].isOfSameUser(as: stretch))
        // Doubling would leave a quarter of the memory empty.
        if count == capacity { reserveCapacity(count + Swift.max(4, count / 32)) }
        var stretch = stretch
        stretch.add(kinds, on: offset)
        insert(stretch, at: place)
        return !isKnown
    }
}
