internal import Verifications

protocol DatedElement: Sendable {
    var day: Day { get }
}

/// A row, packed into three words.
///
/// ```
/// first    request: 64
/// second   service: 18 · day: 16 · version: 30
/// third    address: 32 · fingerprint: 25 · client: 4 · answer: 2 · counts: 1
/// ```
struct PackedRow: DatedElement {
    let request: RequestKey
    private let second: UInt64
    private let third: UInt64

    static let serviceLimit: UInt32 = 1 << 18

    /// Nil for a time that no log has.
    init?(_ row: RequestRow, service: UInt32, counts: Bool) {
        guard let day = UInt16(exactly: row.instant.day.number) else { return nil }
        request = row.request
        second = UInt64(service) << 46 | UInt64(day) << 30 | row.version
        let fingerprint = row.fingerprint >> 39
        third =
            UInt64(PackedRow.shortened(row.address)) << 32 | fingerprint << 7 | UInt64(row.client.rawValue) << 3
            | UInt64(row.answer.rawValue) << 1 | (counts ? 1 : 0)
    }

    /// The same of a service that has this number.
    func numbered(_ service: UInt32) -> PackedRow {
        PackedRow(request: request, second: UInt64(service) << 46 | second & (1 << 46 - 1), third: third)
    }

    private init(request: RequestKey, second: UInt64, third: UInt64) {
        (self.request, self.second, self.third) = (request, second, third)
    }

    /// Of an address half of the hash is kept; zero stays what it is, and nothing else becomes it.
    private static func shortened(_ hash: UInt64) -> UInt32 {
        hash == 0 ? 0 : max(1, UInt32(truncatingIfNeeded: hash))
    }

    var service: UInt32 { UInt32(second >> 46) }
    var day: Day { Day(number: Int32(second >> 30 & 0xFFFF)) }
    var version: UInt64 { second & ClientVersions.hashMask }
    var serviceAndVersion: UInt64 { second & ~(0xFFFF << 30) }
    var address: UInt32 { UInt32(third >> 32) }
    var client: ClientKind { ClientKind(rawValue: UInt8(third >> 3 & 15)) ?? .other }
    var answer: RequestRow.Answer { RequestRow.Answer(rawValue: UInt8(third >> 1 & 3)) ?? .other }
    var counts: Bool { third & 1 != 0 }
    var fingerprint: UInt64 { third >> 7 & (1 << 25 - 1) }

    /// An order in which rows of one trace, and copies, stand side by side.
    static func precedes(_ left: PackedRow, _ right: PackedRow) -> Bool {
        guard left.request == right.request else { return left.request < right.request }
        return (left.fingerprint, left.second, left.third) < (right.fingerprint, right.second, right.third)
    }

    func isCopy(of other: PackedRow) -> Bool {
        request == other.request && service == other.service && fingerprint == other.fingerprint
    }

    /// Of rows of one request, which is the one that counts: the same in every run.
    static func isBefore(_ left: PackedRow, _ right: PackedRow) -> Bool {
        (left.day, left.answer, left.client, left.version) < (right.day, right.answer, right.client, right.version)
    }
}

/// One of the SDK's lines, packed into three words.
///
/// ```
/// first    execution or request: 64; zero for neither
/// second   seconds since 1970: 32 · nanoseconds: 30 · kind of link: 2
/// third    service: 18 · meaning: 4 · counts: 1 · fingerprint: 41
/// ```
struct PackedLine: DatedElement {
    let key: UInt64
    private let second: UInt64
    private let third: UInt64

    private static let allowing: UInt64 = 15

    /// Nil for a time that no log has.
    init?(_ line: SDKLine, service: UInt32, counts: Bool) {
        guard let seconds = UInt32(exactly: line.instant.seconds) else { return nil }
        let kind: UInt64
        switch line.link {
        case .execution(let hash): (key, kind) = (hash, 0)
        case .request(let request): (key, kind) = (request.word, 1)
        case .function: (key, kind) = (0, 2)
        }
        let meaning: UInt64
        switch line.meaning {
        case .cause(let cause): meaning = UInt64(cause.rawValue)
        case .allowing: meaning = PackedLine.allowing
        }
        second = UInt64(seconds) << 32 | UInt64(line.instant.nanoseconds) << 2 | kind
        third = UInt64(service) << 46 | meaning << 42 | (counts ? 1 << 41 : 0) | line.fingerprint >> 23
    }

    /// The same of a service that has this number.
    func numbered(_ service: UInt32) -> PackedLine {
        PackedLine(key: key, second: second, third: UInt64(service) << 46 | third & (1 << 46 - 1))
    }

    private init(key: UInt64, second: UInt64, third: UInt64) {
        (self.key, self.second, self.third) = (key, second, third)
    }

    var service: UInt32 { UInt32(third >> 46) }
    var instant: Instant {
        Instant(seconds: Int64(second >> 32), nanoseconds: UInt32(second >> 2 & (1 << 30 - 1)))
    }
    var day: Day { instant.day }
    var counts: Bool { third >> 41 & 1 != 0 }
    var meaning: SDKLine.Meaning {
        RefusalCause(rawValue: UInt8(third >> 42 & 15)).map { .cause($0) } ?? .allowing
    }
    /// All that the line is kept by but its key and its service: the second word, and 45 bits of the third.
    var words: (second: UInt64, third: UInt64) {
        (second, (third >> 42 & 15) << PackedLine.fingerprintBits | third & (1 << PackedLine.fingerprintBits - 1))
    }

    /// The line that such words stand for; nil for words that stand for none.
    static func line(service: UInt64, key: UInt64, second: UInt64, third: UInt64) -> SDKLine? {
        let link: SDKLine.Link
        switch second & 3 {
        case 0: link = .execution(key)
        case 1: link = .request(RequestKey(word: key))
        case 2 where key == 0: link = .function
        default: return nil
        }
        let nanoseconds = UInt32(second >> 2 & (1 << 30 - 1))
        guard nanoseconds < 1_000_000_000, third >> (fingerprintBits + 4) == 0 else { return nil }
        let meaning = third >> fingerprintBits
        let cause = RefusalCause(rawValue: UInt8(meaning))
        guard cause != nil || meaning == allowing else { return nil }
        return SDKLine(
            service: service, instant: Instant(seconds: Int64(second >> 32), nanoseconds: nanoseconds),
            meaning: cause.map { .cause($0) } ?? .allowing, link: link,
            fingerprint: third << (64 - fingerprintBits), isOfRecord: false)
    }

    private static let fingerprintBits: UInt64 = 41

    var link: SDKLine.Link {
        switch second & 3 {
        case 0: .execution(key)
        case 1: .request(RequestKey(word: key))
        default: .function
        }
    }

    /// An order in which the lines of one link, and copies, stand side by side, the earliest first.
    static func precedes(_ left: PackedLine, _ right: PackedLine) -> Bool {
        (left.second & 3, left.service, left.key, left.second, left.third)
            < (right.second & 3, right.service, right.key, right.second, right.third)
    }

    func isCopy(of other: PackedLine) -> Bool {
        key == other.key && second == other.second && third | 1 << 41 == other.third | 1 << 41
    }

    func sharesLink(with other: PackedLine) -> Bool {
        key == other.key && second & 3 == other.second & 3 && service == other.service
    }
}
