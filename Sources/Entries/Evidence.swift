internal import Readiness
package import Verifications

/// A row of the request log as a set keeps it, in 24 bytes; its list has the service.
///
/// ```
/// first    request: 64
/// second   seconds since 2016: 34 · version: 30
/// third    address: 32 · fingerprint: 24 · client: 4 · answer: 3 · counts: 1
/// ```
package struct EntryRow: HashOrdered {
    package private(set) var request: PackedRequestID
    private var second: UInt64
    private var third: UInt64

    /// Nil for a time that no log has.
    package init?(_ row: RequestRow, counts: Bool) {
        let seconds = row.instant.seconds - Day.earliest.startSecond
        guard 0..<EntryRow.timeLimit ~= seconds else { return nil }
        request = row.request
        second = UInt64(seconds) << 30 | row.version & ClientVersions.hashMask
        // Half of an address's hash is kept; zero stays zero, and nothing else becomes it.
        let address = row.address == 0 ? 0 : max(1, row.address & 0xFFFF_FFFF)
        third =
            address << 32 | (row.fingerprint >> 40) << 8 | UInt64(row.client.rawValue) << 4
            | UInt64(row.answer.rawValue) << 1 | (counts ? 1 : 0)
    }

    /// In seconds since 2016.
    private static let timeLimit: Int64 = 1 << 34

    package var day: Day { Day.earliest.advanced(by: Int(second >> 30) / Int(Instant.secondsPerDay)) }
    package var version: UInt64 { second & ClientVersions.hashMask }
    package var address: UInt32 { UInt32(third >> 32) }
    package var client: ClientKind { ClientKind(rawValue: UInt8(third >> 4 & 15)) ?? .other }
    package var answer: RequestRow.ResponseClass { RequestRow.ResponseClass(rawValue: UInt8(third >> 1 & 7)) ?? .other }
    /// True for a row within the time that counts.
    var counts: Bool { third & 1 == 1 }
    private var fingerprint: UInt64 { third >> 8 & (1 << 24 - 1) }

    var instant: Instant { Instant(seconds: Int64(second >> 30) + Day.earliest.startSecond) }

    /// The same row, which counts or does not.
    func counting(_ counts: Bool) -> EntryRow {
        var row = self
        row.third = third & ~1 | (counts ? 1 : 0)
        return row
    }

    static let blank = EntryRow(request: .none)

    private init(request: PackedRequestID) { (self.request, second, third) = (request, 0, 0) }

    /// Codes the row without the address, which no file keeps.
    mutating func code<C: Coder>(_ coder: inout C, of day: Int) throws(C.Failure) {
        request = PackedRequestID(word: try coder.bits(request.word, 64))
        let secondOfDay = try coder.bits((second >> 30) % UInt64(Instant.secondsPerDay), 17)
        let version = try coder.bits(version, 30)
        third = try coder.bits(third >> 1 & (1 << 31 - 1), 31) << 1
        let time = UInt64(day) * UInt64(Instant.secondsPerDay) + secondOfDay
        second = time << 30 | version
        try coder.require(
            secondOfDay < UInt64(Instant.secondsPerDay) && time < EntryRow.timeLimit
                && ClientKind(rawValue: UInt8(third >> 4 & 15)) != nil
                && RequestRow.ResponseClass(rawValue: UInt8(third >> 1 & 7)) != nil)
    }

    func isCopy(of other: EntryRow) -> Bool { request == other.request && fingerprint == other.fingerprint }

    var hash: UInt64 { request.word }

    /// An order in which requests are looked up and copies are adjacent; of rows of one request the first
    /// counts.
    static func precedes(_ left: EntryRow, _ right: EntryRow) -> Bool {
        if left.request != right.request { return left.request < right.request }
        return (left.day, left.answer, left.client, left.version, left.fingerprint, left.third)
            < (right.day, right.answer, right.client, right.version, right.fingerprint, right.third)
    }
}

/// A line next to a verification as a set keeps it, in 24 bytes.
///
/// ```
/// first    execution or request: 64; zero for neither
/// second   its time: ``EntryTime``
/// third    kind of link: 2 · meaning: 4 · fingerprint: 57 · counts: 1
/// ```
package struct EntryLine: Sendable {
    private(set) var key: UInt64
    private var second: UInt64
    private var third: UInt64

    /// Meanings that are not a cause.
    private static let (allowing, refused, served): (UInt64, UInt64, UInt64) = (15, 14, 13)

    /// What a line and its verification have in common.
    enum Link: UInt64, Comparable {
        case execution = 0
        case request
        /// Nothing but the function.
        case function

        static func < (left: Link, right: Link) -> Bool { left.rawValue < right.rawValue }
    }

    /// Nil for a time that no log has.
    package init?(_ line: SDKLine, counts: Bool) {
        guard let time = EntryTime(line.instant) else { return nil }
        let link: Link
        switch line.link {
        case .execution(let hash): (key, link) = (hash >> (64 - PackedVerification.keyBits), .execution)
        case .request(let request): (key, link) = (request.word, .request)
        case .function: (key, link) = (0, .function)
        }
        let meaning =
            switch line.meaning {
            case .cause(let cause): UInt64(cause.rawValue)
            case .allowing: EntryLine.allowing
            case .refused: EntryLine.refused
            case .served: EntryLine.served
            }
        second = time.word
        third = (link.rawValue << 4 | meaning) << 58 | (line.fingerprint >> 7) << 1 | (counts ? 1 : 0)
    }

    var link: Link { Link(rawValue: third >> 62) ?? .function }
    var instant: Instant { EntryTime(word: second).instant ?? Instant(seconds: Day.earliest.startSecond) }
    package var day: Day { instant.day }
    private var code: UInt64 { third >> 58 & 15 }
    var cause: RefusalCause? { RefusalCause(rawValue: UInt8(code)) }
    var isAllowing: Bool { code == EntryLine.allowing }
    /// What generation 1's platform says of the answer.
    var isRefused: Bool { code == EntryLine.refused }
    var isServed: Bool { code == EntryLine.served }
    /// True for a line within the time that counts.
    var counts: Bool { third & 1 == 1 }

    /// The same line, which counts or does not.
    func counting(_ counts: Bool) -> EntryLine {
        var line = self
        line.third = third & ~1 | (counts ? 1 : 0)
        return line
    }

    static let blank = EntryLine(key: 0)

    private init(key: UInt64) { (self.key, second, third) = (key, 0, 0) }

    mutating func code<C: Coder>(_ coder: inout C, of day: Int) throws(C.Failure) {
        key = try coder.bits(key, 64)
        let ofDay = try coder.bits(EntryTime(word: second).ofDay, 47)
        let time = try coder.require(EntryTime(day: day, ofDay: ofDay), or: EntryTime(word: second))
        second = time.word
        third = try coder.bits(third >> 1, 63) << 1
        try coder.require(time.isDated && (cause != nil || code >= EntryLine.served) && third >> 62 < 3)
    }

    func isCopy(of other: EntryLine) -> Bool {
        key == other.key && second == other.second && third | 1 == other.third | 1
    }

    /// An order in which the lines of one link, and copies, are adjacent, the earliest first.
    static func precedes(_ left: EntryLine, _ right: EntryLine) -> Bool {
        (left.link, left.key, left.second, left.third) < (right.link, right.key, right.second, right.third)
    }
}
