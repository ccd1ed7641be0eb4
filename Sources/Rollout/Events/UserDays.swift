import Verifications

/// What each user did on which days, with which version of an app.
///
/// 16 bytes hold three weeks of a user. Users lie in buckets by the first bits of their hashes, in ascending order: no
/// slot of a table stands empty, and growing copies one bucket at a time.
struct UserDays: Sendable {
    /// What a user did on one day with one version.
    struct Fact {
        let day: Day
        /// The version's number.
        let client: Int
        let kinds: EventTally.Kinds
    }

    /// Users told apart so far.
    private(set) var userCount = 0
    private var buckets = ContiguousArray(repeating: ContiguousArray<Stretch>(), count: 1 << UserDays.bucketBits)
    /// How far days are moved so that the first row's is the first of a stretch: an export of three weeks that is read
    /// from its oldest day on takes one stretch for each user.
    private var shift: Int?

    private static let bucketBits = 16

    /// Takes note of one event.
    ///
    /// - Parameters:
    ///   - kinds: What happened.
    ///   - user: A keyed hash. Its first 52 bits count: with ten million users, two are taken for one with a
    ///     probability of 1 %.
    ///   - day: Days since 1970.
    ///   - client: The version's number.
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
    /// Adds what happened on a day to the stretch that it is of, which takes its place when it is a new one.
    ///
    /// - Returns: True when nothing was known of the user.
    fileprivate mutating func insert(_ kinds: EventTally.Kinds, on offset: Int, of stretch: Stretch) -> Bool {
        let place = firstPlace { $0.key < stretch.key }
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
