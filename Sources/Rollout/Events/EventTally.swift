package import Verifications

/// Who had which App Attest events on which days.
///
/// Users count, not events: the app writes an event for each token it fetches, which is many a day.
package struct EventTally: Sendable {
    /// So many users at most: more are refused, because counting some of them would be a sample.
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

    private var users = UserDays()
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
    ///   - user: A hash of the user; nil where the row has none.
    ///   - day: When it was.
    ///   - client: The number of the app's version, in ``clients``.
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
        if isAttestation { attestations += 1 }
        guard !hasTooManyUsers else { return }
        users.insert(kind, user: user, day: number, client: client)
        hasTooManyUsers = users.userCount > userLimit
    }

    /// Hands over the users one by one, the days of each in ascending order.
    func forEachUser(_ body: (ContiguousArray<UserDays.Fact>) -> Void) { users.forEachUser(body) }
}
