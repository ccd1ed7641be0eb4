package import Verifications

/// Requests of a function that are alike in everything that the rule or a report asks about: all counts are sums of
/// cells, and nothing else counts requests.
///
/// A request is part of one cell. So is a row of the request log that no verification belongs to.
///
/// ```
/// place   day: 32 · stint: 32
/// kind    before --since: 1 · hour: 5 · verification: 1 · App Check: 2 · Auth: 2 · answer: 4 · line: 2 · row: 2
///         · severity: 2 · cause: 4 · address: 1 · 6 unused · client: 32
/// ```
package struct Cell: Hashable, Sendable {
    /// The properties that a cell's requests have in common.
    package struct Key: Hashable, Comparable, Sendable {
        fileprivate var place: UInt64
        fileprivate var kind: UInt64

        package static func < (left: Key, right: Key) -> Bool {
            left.place == right.place ? left.kind < right.kind : left.place < right.place
        }

        var hash: UInt64 { mixed(place &+ mixed(kind)) }
    }

    package private(set) var key: Key
    /// The hours of the day with a request, a bit each: several where hours are folded.
    package private(set) var hours: UInt32
    package private(set) var count: Int
    /// The first and the last request, in nanoseconds since midnight.
    package private(set) var first: Int64
    package private(set) var last: Int64

    /// What is known of a request's row.
    package enum Row: UInt64, Sendable {
        case none
        /// There is one, and others of its trace could be it.
        case unclear
        case certain
    }

    /// The key apart from time and place.
    package struct Properties: Hashable, Sendable {
        /// False for a row without a verification.
        package var isVerification = true
        package var app = TokenStatus.valid
        package var auth = TokenStatus.valid
        /// By the row, or by a line of generation 1; nil where nothing shows it.
        package var answer: RequestRow.ResponseClass?
        package var line = EnforcementSign.Line.none
        package var row = Row.none
        /// The severity of a passed verification.
        package var severity = PassSeverity()
        /// Why the App Check token was refused, where a line says so.
        package var cause: RefusalCause?
        /// True where a row shows an address: then a ``Visit`` has the requests, too.
        package var hasAddress = false
        /// True for what `--since` leaves out: whether enforcement is on does not depend on that.
        package var isEarly = false

        package init() {}

        package init(app: TokenStatus, auth: TokenStatus, severity: PassSeverity = []) {
            (self.app, self.auth) = (app, auth)
            if app != .invalid, auth != .invalid { self.severity = severity }
        }
    }

    /// Requests of one hour, of a client by its number; see ``CellTable/client(of:)``.
    init(
        _ properties: Properties, client: UInt32, day: Day, stint: Int, at nanoseconds: ClosedRange<Int64>, count: Int
    ) {
        let hour = UInt64(nanoseconds.lowerBound / Cell.hour)
        var kind: UInt64 = (properties.isEarly ? 1 : 0) << 5 | hour
        kind = kind << 1 | (properties.isVerification ? 1 : 0)
        kind = kind << 4 | UInt64(properties.app.rawValue) << 2 | UInt64(properties.auth.rawValue)
        kind = kind << 4 | (properties.answer.map { UInt64($0.rawValue) + 1 } ?? 0)
        kind = kind << 4 | UInt64(properties.line.rawValue) << 2 | properties.row.rawValue
        kind = kind << 2 | UInt64(properties.severity.rawValue).trailingBit
        kind = kind << 4 | (properties.cause.map { UInt64($0.rawValue) + 1 } ?? 0)
        let place = UInt64(UInt32(bitPattern: day.number) ^ Cell.signBit) << 32 | UInt64(stint)
        key = Key(place: place, kind: kind << 39 | (properties.hasAddress ? 1 << 38 : 0) | UInt64(client))
        hours = 1 << UInt32(hour)
        self.count = count
        (first, last) = (nanoseconds.lowerBound, nanoseconds.upperBound)
    }

    private static let hour: Int64 = 3_600_000_000_000
    private static let low: UInt64 = 0xFFFF_FFFF
    private static let signBit: UInt32 = 1 << 31

    package var day: Day { Day(number: Int32(bitPattern: UInt32(key.place >> 32) ^ Cell.signBit)) }
    /// A place in ``CellTable/stints``.
    package var stint: Int { Int(key.place & Cell.low) }
    package var isEarly: Bool { key.kind >> 63 == 1 }
    /// 0 to 23; 0 where hours are folded.
    package var hour: Int { Int(key.kind >> 58 & 31) }
    package var isVerification: Bool { key.kind >> 57 & 1 == 1 }
    package var app: TokenStatus { TokenStatus(rawValue: UInt8(key.kind >> 55 & 3)) ?? .other }
    package var auth: TokenStatus { TokenStatus(rawValue: UInt8(key.kind >> 53 & 3)) ?? .other }
    package var answer: RequestRow.ResponseClass? {
        let code = UInt8(key.kind >> 49 & 15)
        return code == 0 ? nil : RequestRow.ResponseClass(rawValue: code - 1)
    }
    package var line: EnforcementSign.Line { EnforcementSign.Line(rawValue: UInt8(key.kind >> 47 & 3)) ?? .none }
    package var row: Row { Row(rawValue: key.kind >> 45 & 3) ?? .none }
    package var severity: PassSeverity {
        let code = UInt8(key.kind >> 43 & 3)
        return PassSeverity(rawValue: code == 0 ? 0 : 1 << (code - 1))
    }
    package var cause: RefusalCause? {
        let code = UInt8(key.kind >> 39 & 15)
        return code == 0 ? nil : RefusalCause(rawValue: code - 1)
    }
    var hasAddress: Bool { key.kind >> 38 & 1 == 1 }
    /// One more than a place in ``CellTable/clients``; 0 where no row shows the client.
    package var client: UInt32 { UInt32(key.kind & Cell.low) }

    /// True for a verification within the bounds in time: all that counts in totals.
    package var isCounted: Bool { isVerification && !isEarly }
    /// True for requests that were answered 2xx and left no verification.
    package var isUnlogged: Bool { !isVerification && answer == .success }
    /// True for requests without a valid App Check token.
    package var isBlocked: Bool { app != .valid }
    /// True for a count of a longer period than an hour.
    var isCoarse: Bool { first / Cell.hour != last / Cell.hour && hours.nonzeroBitCount == 1 }

    package var start: Instant { Instant(day: day, nanosecondOfDay: first) }
    package var end: Instant { Instant(day: day, nanosecondOfDay: last) }

    /// The sign of enforcement that each of its requests gives; nil if enforcement does not concern them.
    package var sign: EnforcementSign? {
        isVerification ? EnforcementSign(answer: answer, line: line, app: app, auth: auth) : nil
    }

    /// Adds requests of the same key.
    mutating func add(_ more: Int, at nanoseconds: ClosedRange<Int64>) {
        count += more
        first = min(first, nanoseconds.lowerBound)
        last = max(last, nanoseconds.upperBound)
    }

    fileprivate mutating func merge(_ other: Cell) {
        add(other.count, at: other.first...other.last)
        hours |= other.hours
    }

    mutating func change(client: UInt32) { key.kind = (key.kind & ~Cell.low) | UInt64(client) }
    mutating func change(stint: Int) { key.place = (key.place & ~Cell.low) | UInt64(stint) }

    /// Leaves it out of all counts, except of the signs of enforcement.
    mutating func markEarly() { key.kind |= 1 << 63 }

    /// Forgets the hour, except in ``hours``.
    mutating func fold() { key.kind &= ~(31 << 58) }
}

extension UInt64 {
    /// One more than the place of the lowest bit; 0 without one.
    fileprivate var trailingBit: UInt64 { self == 0 ? 0 : UInt64(trailingZeroBitCount) + 1 }
}

extension [Cell] {
    /// Brings cells from a place on into the order of their keys, each key once.
    mutating func normalize(from start: Int = 0) {
        self[start...].sort { $0.key < $1.key }
        var end = start
        for place in start..<count {
            if end > start, self[end - 1].key == self[place].key {
                self[end - 1].merge(self[place])
            } else {
                self[end] = self[place]
                end += 1
            }
        }
        removeLast(count - end)
    }
}
