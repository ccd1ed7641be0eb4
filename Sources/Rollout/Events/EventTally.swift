package import Verifications

/// Who had which App Attest events on which days.
///
/// Users count, not events: the app writes an event for each token it fetches, which is many a day. A user takes 16
/// bytes, 5 to 7 for the slot that finds it, and 8 for each day and version of an app.
package struct EventTally: Sendable {
    /// Up to so many users are told apart; more are refused, because a part of them would be a sample.
    package static let userLimit = 10_000_000

    /// What a user did, or that there was one.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let success = Kinds(rawValue: 1)
        package static let failure = Kinds(rawValue: 2)
        /// Any other event of an iOS app.
        package static let other = Kinds(rawValue: 4)

        package static let attestation: Kinds = [.success, .failure]
    }

    private var users = UserTable()
    private var facts = FactSet()
    /// The newest day of any row, other platforms included, that is not after the horizon.
    package private(set) var newestDay: Day?
    /// The newest time of a row, not after the horizon's end.
    package private(set) var newest: Instant?
    /// The apps' versions by number.
    package var clients: [ClientVersion] = []
    /// App Attest events with a day and a user.
    package private(set) var attestations = 0
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

    /// - Parameters:
    ///   - horizon: Later days are counted and do not decide which days are judged: a clock is wrong.
    ///   - userLimit: Tests make it small.
    package init(horizon: Day, userLimit: Int = EventTally.userLimit) {
        self.horizon = horizon
        self.userLimit = userLimit
    }

    /// Takes note of when a row is from, whatever it says.
    package mutating func note(day: Day?, instant: Instant?) {
        if let day, day <= horizon { newestDay = max(newestDay ?? day, day) }
        if let instant, instant.day <= horizon { newest = max(newest ?? instant, instant) }
    }

    /// Counts an event of an iOS app.
    ///
    /// - Parameters:
    ///   - kind: What kind of event it is.
    ///   - user: A hash of the user, 128 bits in two halves; nil where the row has none.
    ///   - day: When it was.
    ///   - client: The number of the app's version, in ``clients``.
    package mutating func count(_ kind: Kinds, user: (UInt64, UInt64)?, day: Day?, client: UInt16) {
        let isAttestation = !kind.isDisjoint(with: .attestation)
        guard let day, let number = UInt16(exactly: day.number) else {
            if isAttestation { undated += 1 }
            return
        }
        guard let user else {
            if isAttestation { withoutUser += 1 }
            return
        }
        if isAttestation { attestations += 1 }
        guard !hasTooManyUsers else { return }
        let index = users.index(of: user)
        hasTooManyUsers = users.count > userLimit
        facts.insert(Fact(user: index, day: number, client: client, kinds: kind))
    }

    /// Everything that is known, user by user, and of each user day by day.
    var sortedFacts: ContiguousArray<Fact> {
        var facts = facts
        facts.compact()
        return facts.sorted
    }
}

/// What one user did on one day with one version of an app, in one word: user 28 bits, day 16, version 16, kinds 4.
struct Fact: Comparable {
    fileprivate(set) var word: UInt64

    init(user: Int, day: UInt16, client: UInt16, kinds: EventTally.Kinds) {
        word = UInt64(user) << 36 | UInt64(day) << 20 | UInt64(client) << 4 | UInt64(kinds.rawValue)
    }

    var user: Int { Int(word >> 36) }
    var day: Day { Day(number: Int32(UInt16(truncatingIfNeeded: word >> 20))) }
    var client: Int { Int(UInt16(truncatingIfNeeded: word >> 4)) }
    var kinds: EventTally.Kinds { EventTally.Kinds(rawValue: UInt8(word & 15)) }

    static func < (left: Fact, right: Fact) -> Bool { left.word < right.word }
}

/// Facts without repetition, sorted now and then: the same user has hundreds of events a day.
private struct FactSet: Sendable {
    private(set) var sorted: ContiguousArray<Fact> = []
    private var waiting: ContiguousArray<Fact> = []

    /// So many wait at least until they are sorted in.
    private static let batch = 1 << 20

    mutating func insert(_ fact: Fact) {
        waiting.append(fact)
        if waiting.count >= max(FactSet.batch, sorted.count / 2) { compact() }
    }

    /// Sorts in what waits; facts that differ in their kinds alone become one.
    mutating func compact() {
        guard !waiting.isEmpty else { return }
        waiting.sort()
        var merged: ContiguousArray<Fact> = []
        merged.reserveCapacity(sorted.count + waiting.count / 8)
        var (left, right) = (0, 0)
        while left < sorted.count || right < waiting.count {
            let isLeft = right == waiting.count || (left < sorted.count && sorted[left] < waiting[right])
            let fact = isLeft ? sorted[left] : waiting[right]
            if isLeft { left += 1 } else { right += 1 }
            if let last = merged.last, last.word >> 4 == fact.word >> 4 {
                merged[merged.count - 1].word |= fact.word
            } else {
                merged.append(fact)
            }
        }
        sorted = merged
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Numbers users by their hashes: open addressing with linear probing.
private struct UserTable: Sendable {
    private var hashes: ContiguousArray<(UInt64, UInt64)> = []
    /// A user's number plus 1; 0 is an empty slot.
    private var slots: ContiguousArray<UInt32> = []

    var count: Int { hashes.count }

    /// The number of a user, who gets one when it has none.
    mutating func index(of hash: (UInt64, UInt64)) -> Int {
        // At most five slots in six are taken, at least five in nine after growing.
        if (count + 1) * 6 > slots.count * 5 { grow(to: max(64, slots.count * 3 / 2)) }
        var slot = home(of: hash)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if hashes[index] == hash { return index }
            slot = slot + 1 == slots.count ? 0 : slot + 1
        }
        hashes.append(hash)
        slots[slot] = UInt32(hashes.count)
        return hashes.count - 1
    }

    private func home(of hash: (UInt64, UInt64)) -> Int {
        Int(truncatingIfNeeded: hash.0.multipliedFullWidth(by: UInt64(slots.count)).high)
    }

    private mutating func grow(to length: Int) {
        slots = ContiguousArray(repeating: 0, count: length)
        for index in hashes.indices {
            var slot = home(of: hashes[index])
            while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
            slots[slot] = UInt32(index + 1)
        }
    }
}
