package import Verifications

/// A verification as a set keeps it, in 16 bytes; its list has the function, the day and the revision.
///
/// ```
/// first    key: 45 · digest: 11 · provenance: 2 · app: 2 · auth: 2 · names its execution: 1 · severity: high bit
/// second   time of the day: 47 · severity: low bit · high half of the span: 16
/// ```
/// Key and digest are its identity: with the time and the statuses, they are equal for copies alone.
package struct PackedVerification: Hashable, Sendable {
    let first: UInt64
    let second: UInt64

    static let keyBits: UInt64 = 45
    static let identityBits: UInt64 = 56

    init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }

    package init(_ verification: Verification, _ fingerprint: Fingerprint) {
        let key = (verification.execution ?? fingerprint.value) >> (64 - PackedVerification.keyBits)
        let dated = verification.instant.flatMap { DayIndex(dated: $0) == nil ? nil : TimeOfDay($0) }
        let receipt = verification.received.flatMap { DayIndex(dated: $0) == nil ? nil : TimeOfDay(receipt: $0) }
        let time = dated ?? receipt
        let statuses = UInt64(verification.app.rawValue) << 2 | UInt64(verification.auth.rawValue)
        self.init(
            identity: key << 11 | UInt64(fingerprint.digest), time: time ?? .none,
            code: (UInt64(verification.provenance.rawValue) << 4 | statuses) << 1
                | (verification.execution == nil ? 0 : 1),
            severity: UInt64(min(verification.severity.rawValue.trailingZeroBitCount, 3)))
    }

    /// Puts together what a file keeps; the code is provenance, statuses and execution.
    init(identity: UInt64, time: TimeOfDay, code: UInt64, severity: UInt64) {
        first = identity << 8 | code << 1 | severity >> 1
        second = time.word << 17 | (severity & 1) << 16
    }

    /// The first sort key of verifications, by which executions are adjacent.
    var hash: UInt64 { first }
    /// The highest bits of a keyed hash: of the execution, or of the entry where it names none.
    var key: UInt64 { first >> (64 - PackedVerification.keyBits) }
    var identity: UInt64 { first >> (64 - PackedVerification.identityBits) }
    var code: UInt64 { first >> 1 & 0x7F }
    var severityCode: UInt64 { (first & 1) << 1 | second >> 16 & 1 }
    package var provenance: Provenance { Provenance(rawValue: UInt8(first >> 6 & 3)) ?? .unlabelled }
    package var app: TokenStatus { TokenStatus(rawValue: UInt8(first >> 4 & 3)) ?? .other }
    package var auth: TokenStatus { TokenStatus(rawValue: UInt8(first >> 2 & 3)) ?? .other }
    var statuses: Int { Int(first >> 2 & 15) }
    var namesExecution: Bool { first & 2 != 0 }
    var naming: Naming { !namesExecution ? .nothing : key & 1 == 0 ? .call : .span }
    package var severity: PassSeverity { PassSeverity(rawValue: 1 << UInt8(severityCode) & 7) }
    var time: TimeOfDay { TimeOfDay(word: second >> 17) }
    fileprivate var spanBits: UInt64 { second & 0xFFFF }
    var isPossible: Bool { first >> 6 & 3 < 3 && time.isPossible }

    /// The part that copies of one entry have in common; they may differ in the rest.
    var copyKey: PackedVerification { PackedVerification(first: first >> 1, second: second >> 17) }

    func isCopy(of other: PackedVerification) -> Bool {
        second >> 17 == other.second >> 17 && first >> 1 == other.first >> 1
    }

    /// The detail with which an entry names its execution; a copy may have less of it.
    enum Naming: Comparable, Hashable {
        case nothing, span, call
    }

    /// The part that copies have in common, however they name the execution, with the time in front.
    var withoutExecution: PackedVerification { PackedVerification(first: second >> 17, second: first >> 2 & 0x1FFFF) }

    /// True for the same entry of a source that gives coarser times.
    func isCut(of other: PackedVerification) -> Bool {
        guard first >> 1 == other.first >> 1, other.time.isDated, time != other.time else { return false }
        return Shape.units[2...].contains { other.time.word / $0 * $0 == time.word }
    }

    /// The same of ``withoutExecution`` with a time in whole units.
    func cut(to unit: UInt64) -> PackedVerification {
        PackedVerification(first: first / unit * unit, second: second)
    }

    /// Executions side by side, and in each the earliest first; then copies side by side.
    static func precedes(_ left: PackedVerification, _ right: PackedVerification) -> Bool {
        let (key, other) = (left.key, right.key)
        if key != other { return key < other }
        let (time, otherTime) = (left.second >> 17, right.second >> 17)
        return time == otherTime ? left.rest < right.rest : time < otherTime
    }

    /// The fields that copies may differ in, and those that they may not, as a sort key.
    private var rest: (UInt64, UInt64) { (first, second >> 16) }
}

/// A time within a UTC day in 47 bits, in the order of time.
///
/// It is the number of nanoseconds since midnight. An undated entry has the second of its receipt, after all of these:
/// it lies on the day of its receipt.
struct TimeOfDay: Hashable, Comparable, Sendable {
    let word: UInt64

    /// The time of an entry of which nothing is known; it has no day either.
    static let none = TimeOfDay(word: firstUndated)
    static let bits = 47
    private static let firstUndated = UInt64(Instant.nanosecondsPerDay)
    private static let limit = firstUndated + UInt64(Instant.secondsPerDay)

    init(word: UInt64) { self.word = word }
    init(_ instant: Instant) { word = UInt64(instant.nanosecondOfDay) }
    init(receipt: Instant) { word = TimeOfDay.firstUndated + UInt64(receipt.nanosecondOfDay) / 1_000_000_000 }
    var isDated: Bool { word < TimeOfDay.firstUndated }
    var isPossible: Bool { word < TimeOfDay.limit }

    func instant(on day: DayIndex) -> Instant? {
        guard isDated, let day = day.day else { return nil }
        return Instant(day: day, nanosecondOfDay: Int64(word))
    }

    static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.word < right.word }
}

/// An entry with the request that it verified, in 24 bytes.
///
/// ```
/// third    trace: 48 · low half of the span: 16
/// ```
struct TracedEntry: Sendable {
    let entry: PackedVerification
    let third: UInt64

    init(_ entry: PackedVerification, _ request: PackedRequestID) {
        self.entry = PackedVerification(
            first: entry.first, second: entry.second & ~0xFFFF | UInt64(request.span >> 16))
        third = request.trace << 16 | UInt64(request.span & 0xFFFF)
    }

    var request: PackedRequestID {
        third == 0 ? .none : PackedRequestID(bits: third >> 16, span: UInt32(entry.spanBits << 16 | third & 0xFFFF))
    }
}

extension PackedVerification: HashOrdered {}

extension TracedEntry: HashOrdered {
    var hash: UInt64 { entry.first }

    static func precedes(_ left: TracedEntry, _ right: TracedEntry) -> Bool {
        if PackedVerification.precedes(left.entry, right.entry) { return true }
        return !PackedVerification.precedes(right.entry, left.entry) && left.request < right.request
    }
}

/// A UTC day since 2016 as a number, or the number for no day.
package struct DayIndex: Hashable, Comparable, Codable, Sendable {
    package let number: Int

    package static let none = DayIndex(number: 1 << 22)
    package static let numbers = 0...none.number

    package init(number: Int) { self.number = number }
    /// One that somebody wrote, or the nearest that there is.
    package init(from decoder: any Decoder) throws {
        number = min(max(0, try Int(from: decoder)), DayIndex.none.number)
    }

    package func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
    package init(_ day: Day) { number = Day.earliest.distance(to: day) }
    package var day: Day? { self == .none ? nil : Day.earliest.advanced(by: number) }
    var next: DayIndex { DayIndex(number: number + 1) }
    package static func < (left: DayIndex, right: DayIndex) -> Bool { left.number < right.number }
}

extension Day {
    /// 2016-01-01: a time before it is none.
    package static let earliest = Day(number: 16_801)
}
