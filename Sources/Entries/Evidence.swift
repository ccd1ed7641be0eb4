internal import Readiness
package import Verifications

/// A row of the request log as a set keeps it, in 24 bytes; its service is that of the list it stands in.
///
/// ```
/// first    request: 64
/// second   seconds since 2016: 34 · version: 30
/// third    address: 32 · fingerprint: 24 · client: 4 · answer: 3 · counts: 1
/// ```
package struct EntryRow: HashOrdered {
    package let request: RequestWord
    private let second: UInt64
    private var third: UInt64

    /// Nil for a time that no log has.
    package init?(_ row: RequestRow, counts: Bool) {
        let seconds = row.instant.seconds - Day.earliest.startSecond
        guard 0..<EntryRow.timeLimit ~= seconds else { return nil }
        request = RequestWord(row.request)
        second = UInt64(seconds) << 30 | row.version & ClientVersions.hashMask
        // Of an address half of the hash is kept; zero stays what it is, and nothing else becomes it.
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
    package var answer: RequestRow.Answer { RequestRow.Answer(rawValue: UInt8(third >> 1 & 7)) ?? .other }
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

    /// Writes the row without the address, which no file keeps.
    func write(to out: inout PackedWriter) {
        out.writeBits(request.word, 64)
        out.writeBits((second >> 30) % UInt64(Instant.secondsPerDay), 17)
        out.writeBits(version, 30)
        out.writeBits(third >> 1 & (1 << 31 - 1), 31)
    }

    init(from bytes: inout PackedReader, day: Int) throws(PackedFault) {
        request = RequestWord(word: try bytes.readBits(64))
        let second = try bytes.readBits(17)
        let version = try bytes.readBits(30)
        third = try bytes.readBits(31) << 1
        let time = UInt64(day) * UInt64(Instant.secondsPerDay) + second
        self.second = time << 30 | version
        guard second < UInt64(Instant.secondsPerDay), time < EntryRow.timeLimit,
            ClientKind(rawValue: UInt8(third >> 4 & 15)) != nil,
            RequestRow.Answer(rawValue: UInt8(third >> 1 & 7)) != nil
        else { throw PackedFault() }
    }

    func isCopy(of other: EntryRow) -> Bool { request == other.request && fingerprint == other.fingerprint }

    var hash: UInt64 { request.word }

    /// An order in which requests are looked up and copies stand side by side; of rows of one request the first
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
    let key: UInt64
    private let second: UInt64
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
        case .execution(let hash): (key, link) = (hash >> (64 - Entry.keyBits), .execution)
        case .request(let request): (key, link) = (RequestWord(request).word, .request)
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

    func write(to out: inout PackedWriter) {
        out.writeBits(key, 64)
        out.writeBits(EntryTime(word: second).ofDay, 47)
        out.writeBits(third >> 1, 63)
    }

    init(from bytes: inout PackedReader, day: Int) throws(PackedFault) {
        key = try bytes.readBits(64)
        let time = try bytes.readBits(47)
        guard let moment = EntryTime(day: day, ofDay: time), moment.isDated else { throw PackedFault() }
        second = moment.word
        third = try bytes.readBits(63) << 1
        guard cause != nil || code >= EntryLine.served, third >> 62 < 3 else { throw PackedFault() }
    }

    func isCopy(of other: EntryLine) -> Bool {
        key == other.key && second == other.second && third | 1 == other.third | 1
    }

    /// An order in which the lines of one link, and copies, stand side by side, the earliest first.
    static func precedes(_ left: EntryLine, _ right: EntryLine) -> Bool {
        (left.link, left.key, left.second, left.third) < (right.link, right.key, right.second, right.third)
    }
}
