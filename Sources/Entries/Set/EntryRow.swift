internal import Readiness
internal import Verifications

/// A row of the request log as a set keeps it; its list has the service, the day and the revision.
///
/// ```
/// first     trace: 48 · high half of the span: 16
/// second    time of the day: 47 · 1 for a row without a request, which has a fingerprint in the place of its trace
///           · low half of the span: 16
/// third     client: 41 · answer: 7 · fingerprint: 16
/// address   keyed hash of an address: 16; zero for none
/// ```
struct EntryRow: HashOrdered {
    /// In halves, so that none of its bytes is empty: there are as many rows as requests.
    private let halves: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)
    let address: UInt16

    var first: UInt64 { UInt64(halves.0) << 32 | UInt64(halves.1) }
    var second: UInt64 { UInt64(halves.2) << 32 | UInt64(halves.3) }
    var third: UInt64 { UInt64(halves.4) << 32 | UInt64(halves.5) }

    init(_ row: RequestRow) {
        let isUntraced = row.request == .none
        let trace = isUntraced ? row.fingerprint >> 16 : row.request.trace
        self.init(
            trace: trace, span: row.request.span, isUntraced: isUntraced, time: TimeOfDay(row.instant),
            client: row.client, answer: row.answer, fingerprint: UInt16(truncatingIfNeeded: row.fingerprint),
            address: row.address)
    }

    init(
        trace: UInt64, span: UInt32, isUntraced: Bool, time: TimeOfDay, client: ClientCode,
        answer: RequestRow.ResponseClass, fingerprint: UInt16, address: UInt16
    ) {
        let first = trace << 16 | UInt64(span >> 16)
        let second = time.word << 17 | (isUntraced ? 1 << 16 : 0) | UInt64(span & 0xFFFF)
        let third = client.word << 23 | UInt64(answer.rawValue) << 16 | UInt64(fingerprint)
        func half(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word) }
        halves = (half(first >> 32), half(first), half(second >> 32), half(second), half(third >> 32), half(third))
        self.address = address
    }

    var hash: UInt64 { first }
    var trace: UInt64 { first >> 16 }
    var span: UInt32 { UInt32(first & 0xFFFF) << 16 | UInt32(second & 0xFFFF) }
    var isUntraced: Bool { second >> 16 & 1 == 1 }
    var time: TimeOfDay { TimeOfDay(word: second >> 17) }
    var client: ClientCode { ClientCode(word: third >> 23) }
    var answer: RequestRow.ResponseClass { RequestRow.ResponseClass(rawValue: UInt8(third >> 16 & 0x7F)) ?? .other }
    var fingerprint: UInt16 { UInt16(third & 0xFFFF) }

    /// One with an address comes first among copies that differ in it alone.
    var addressRank: UInt16 { address &- 1 }

    func isCopy(of other: EntryRow) -> Bool {
        first == other.first && second == other.second && fingerprint == other.fingerprint
    }

    /// An order in which traces and spans are looked up; of rows of one request the first counts.
    static func precedes(_ left: EntryRow, _ right: EntryRow) -> Bool {
        if left.first != right.first { return left.first < right.first }
        let (span, other) = (left.second & 0x1FFFF, right.second & 0x1FFFF)
        if span != other { return span < other }
        return (left.answer, left.client, left.second, left.third, left.addressRank)
            < (right.answer, right.client, right.second, right.third, right.addressRank)
    }
}

/// A line next to a verification as a set keeps it, in 24 bytes.
///
/// ```
/// first    execution: 45; or trace: 48 · low half of the span: 16; zero for neither
/// second   time of the day: 47 · high half of the span: 16
/// third    kind of link: 2 · meaning: 5 · fingerprint: 24
/// ```
struct EntryLine: Hashable, Sendable {
    let first: UInt64
    let second: UInt64
    let third: UInt64

    /// Causes come before these, and answers are added to the last.
    private static let (preflight, allowing, answered): (UInt64, UInt64, UInt64) = (14, 15, 16)

    enum Link: UInt64, Comparable {
        case execution = 0
        case request
        case function

        static func < (left: Link, right: Link) -> Bool { left.rawValue < right.rawValue }
    }

    init(_ line: SDKLine) {
        var (key, span, link) = (UInt64(0), UInt32(0), Link.function)
        switch line.link {
        case .execution(let hash): (key, link) = (hash >> (64 - PackedVerification.keyBits), .execution)
        case .request(let request): (key, span, link) = (request.trace << 16, request.span, .request)
        case .function: break
        }
        let meaning =
            switch line.meaning {
            case .cause(let cause): UInt64(cause.rawValue)
            case .allowing: EntryLine.allowing
            case .preflight: EntryLine.preflight
            case .answered(let answer): EntryLine.answered + UInt64(answer.rawValue)
            }
        self.init(
            first: key | UInt64(span & 0xFFFF), second: TimeOfDay(line.instant).word << 16 | UInt64(span >> 16),
            third: (link.rawValue << 5 | meaning) << 24 | line.fingerprint >> 40)
    }

    init(first: UInt64, second: UInt64, third: UInt64) {
        (self.first, self.second, self.third) = (first, second, third)
    }

    static func key(of request: PackedRequestID) -> (first: UInt64, span: UInt64) {
        (request.trace << 16 | UInt64(request.span & 0xFFFF), UInt64(request.span >> 16))
    }

    var link: Link { Link(rawValue: third >> 29) ?? .function }
    var key: (first: UInt64, span: UInt64) { (first, second & 0xFFFF) }
    var time: TimeOfDay { TimeOfDay(word: second >> 16) }
    private var code: UInt64 { third >> 24 & 31 }
    var cause: RefusalCause? { RefusalCause(rawValue: UInt8(code)) }
    var isAllowing: Bool { code == EntryLine.allowing }
    private var isPreflight: Bool { code == EntryLine.preflight }
    /// Generation 1's answer to a call; nil in all other lines.
    var answer: RequestRow.ResponseClass? {
        code < EntryLine.answered ? nil : RequestRow.ResponseClass(rawValue: UInt8(code - EntryLine.answered))
    }
    var isServed: Bool { answer?.isServed ?? isPreflight }

    var isPossible: Bool {
        time.isDated && (cause != nil || isAllowing || isPreflight || answer != nil) && third >> 29 < 3
    }

    /// An order in which the lines of one link, and copies, are adjacent, the earliest first.
    static func precedes(_ left: EntryLine, _ right: EntryLine) -> Bool {
        (left.link, left.first, left.second & 0xFFFF, left.second, left.third)
            < (right.link, right.first, right.second & 0xFFFF, right.second, right.third)
    }
}
