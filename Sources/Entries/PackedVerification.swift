package import Verifications

/// A verification as a set keeps it, in 16 bytes; its list has the function.
///
/// ```
/// first    key: 45 · digest of the `insertId`, high: 5 · provenance: 2 · app: 2 · auth: 2 · names its execution: 1
///          · severity: 2 · was counted before: 1 · slot of its ``Revision``: 4
/// second   its time, ``EntryTime``: 61 · digest, low: 3
/// ```
package struct PackedVerification: Hashable, HashOrdered {
    let first: UInt64
    let second: UInt64

    /// Number of high hash bits kept.
    package static let keyBits: UInt64 = 45
    /// Copies have the same bits above these.
    private static let copyBits: UInt64 = 7

    init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    package init(_ verification: Verification, _ fingerprint: Fingerprint) {
        let key = (verification.execution ?? fingerprint.value) >> (64 - PackedVerification.keyBits)
        let time =
            verification.instant.flatMap { EntryTime($0) } ?? verification.received.flatMap { EntryTime(receipt: $0) }
        let statuses = UInt64(verification.app.rawValue) << 2 | UInt64(verification.auth.rawValue)
        let severity = UInt64(verification.severity.rawValue >> 1)
        self.init(
            key: key, digest: fingerprint.digest, time: time ?? .none,
            code: ((UInt64(verification.provenance.rawValue) << 4 | statuses) << 1
                | (verification.execution == nil ? 0 : 1)) << 2 | severity,
            slot: verification.revision.slot)
    }

    /// Puts together what a file keeps; the code is provenance, statuses, execution and severity.
    init(key: UInt64, digest: UInt8, time: EntryTime, code: UInt64, slot: UInt8) {
        first = ((key << 5 | UInt64(digest) >> 3) << 9 | code) << 5 | UInt64(slot)
        second = time.word << 3 | UInt64(digest & 7)
    }

    var hash: UInt64 { first }

    /// Provenance, statuses, execution and severity.
    var code: UInt64 { first >> 5 & 0x1FF }

    /// The highest bits of a keyed hash: of the execution, or of the entry where it names none.
    var key: UInt64 { first >> (64 - PackedVerification.keyBits) }
    /// Some bits of the `insertId`.
    var digest: UInt8 { UInt8(first >> 14 & 31) << 3 | UInt8(second & 7) }
    package var provenance: Provenance { Provenance(rawValue: UInt8(first >> 12 & 3)) ?? .unlabelled }
    package var app: TokenStatus { TokenStatus(rawValue: UInt8(first >> 10 & 3)) ?? .other }
    package var auth: TokenStatus { TokenStatus(rawValue: UInt8(first >> 8 & 3)) ?? .other }
    /// App and Auth as a number below 16.
    var statuses: Int { Int(first >> 8 & 15) }
    /// True when the key is that of the execution.
    var namesExecution: Bool { first >> 7 & 1 == 1 }
    package var severity: PassSeverity { PassSeverity(rawValue: 1 << UInt8(first >> 5 & 3)) }
    /// See ``Revision/slot``.
    var slot: UInt8 { UInt8(first & 15) }

    /// False for bits that mean nothing.
    var isPossible: Bool {
        first >> 12 & 3 < 3 && first >> 5 & 3 < 3 && time.isPossible
    }

    /// The same entry, which was counted before: it counts no more, and neither does what it shows to be a copy, or to
    /// be repeated.
    var counted: PackedVerification { PackedVerification(first: first | 16, second: second) }
    var wasCounted: Bool { first & 16 != 0 }
    /// The same entry of another revision.
    func with(slot: UInt8) -> PackedVerification {
        PackedVerification(first: first & ~15 | UInt64(slot), second: second)
    }

    var time: EntryTime { EntryTime(word: second >> 3) }
    var isDated: Bool { time.isDated }
    var hasDay: Bool { time != .none }
    /// When the request was verified; nil for an undated one.
    package var instant: Instant? { time.instant }
    /// The day on which it lies, that of its receipt for an undated one; nil where no time is known.
    package var day: Day? { hasDay ? Day.earliest.advanced(by: dayNumber) : nil }
    var dayIndex: DayIndex { hasDay ? DayIndex(number: dayNumber) : .none }
    /// Days since 2016; only where there is a day.
    var dayNumber: Int { time.seconds / Int(Instant.secondsPerDay) }

    /// True for copies of one entry, which may differ in what is not asked of them.
    func isCopy(of other: PackedVerification) -> Bool {
        second == other.second && first >> PackedVerification.copyBits == other.first >> PackedVerification.copyBits
    }

    /// What copies have in common whether or not both name the execution.
    var withoutExecution: PackedVerification {
        PackedVerification(first: first >> 8 & (1 << 11 - 1), second: second)
    }

    /// Executions side by side, and in each the earliest first; then copies side by side.
    static func precedes(_ left: PackedVerification, _ right: PackedVerification) -> Bool {
        let (key, other) = (left.first >> 19, right.first >> 19)
        if key != other { return key < other }
        return left.second == right.second ? left.first < right.first : left.second < right.second
    }
}

/// The time of an entry in 61 bits, which are in the order of time.
///
/// ```
/// seconds since 2016: 31 · nanoseconds: 30; all ones in the nanoseconds for an undated entry, with the seconds of its
/// receipt, and in both where nothing is known of any time
/// ```
/// From the year 2084 to 9999, which only a wrong clock gives, times are kept to the second.
struct EntryTime: Hashable, Sendable {
    let word: UInt64

    static let none = EntryTime(word: 1 << 61 - 1)
    private static let undated: UInt64 = 1 << 30 - 1
    /// The first second that means several.
    private static let farSecond: UInt64 = 1 << 31 - 512
    private static let lastSecond = 253_402_300_799 - Day.earliest.startSecond

    init(word: UInt64) { self.word = word }

    /// Nil before 2016.
    init?(_ instant: Instant) {
        let seconds = instant.seconds - Day.earliest.startSecond
        guard 0...EntryTime.lastSecond ~= seconds else { return nil }
        self.init(seconds: UInt64(seconds), nanoseconds: UInt64(instant.nanoseconds))
    }

    /// The time of an entry of which only the time of receipt is known.
    init?(receipt: Instant) {
        guard let time = EntryTime(receipt), time.word >> 30 < EntryTime.farSecond else { return nil }
        word = time.word | EntryTime.undated
    }

    private init(seconds: UInt64, nanoseconds: UInt64) {
        guard seconds >= EntryTime.farSecond else {
            word = seconds << 30 | nanoseconds
            return
        }
        let (second, place) = (seconds - EntryTime.farSecond).quotientAndRemainder(dividingBy: 1_000_000_000)
        word = (EntryTime.farSecond + second) << 30 | place
    }

    /// A time of a day since 2016, as ``ofDay`` has it; nil for what is none.
    init?(day: Int, ofDay: UInt64) {
        let (second, rest) = (ofDay >> 30, ofDay & EntryTime.undated)
        let seconds = UInt64(day) * UInt64(Instant.secondsPerDay) + second
        guard second < UInt64(Instant.secondsPerDay), seconds <= EntryTime.lastSecond,
            rest < 1_000_000_000 || rest == EntryTime.undated && seconds < EntryTime.farSecond
        else { return nil }
        self.init(seconds: seconds, nanoseconds: rest)
    }

    /// Second of the day: 17 bits, nanoseconds: 30.
    var ofDay: UInt64 {
        UInt64(seconds % Int(Instant.secondsPerDay)) << 30 | (isFar ? 0 : word & EntryTime.undated)
    }

    static let ofDayLimit = UInt64(Instant.secondsPerDay) << 30

    private var isFar: Bool { word >> 30 >= EntryTime.farSecond }
    var isDated: Bool { word & EntryTime.undated != EntryTime.undated }
    var isPossible: Bool { word & EntryTime.undated < 1_000_000_000 || !isDated }

    /// Since 2016.
    var seconds: Int {
        guard isFar else { return Int(word >> 30) }
        return Int(EntryTime.farSecond + (word >> 30 - EntryTime.farSecond) * 1_000_000_000 + word & EntryTime.undated)
    }

    var instant: Instant? {
        guard isDated else { return nil }
        return Instant(
            seconds: Int64(seconds) + Day.earliest.startSecond,
            nanoseconds: isFar ? 0 : UInt32(truncatingIfNeeded: word & EntryTime.undated))
    }
}

/// An entry with the request that it verified.
struct TracedEntry {
    var entry: PackedVerification
    var request: PackedRequestID
}

extension TracedEntry: HashOrdered {
    var hash: UInt64 { entry.first }

    static func precedes(_ left: TracedEntry, _ right: TracedEntry) -> Bool {
        left.entry == right.entry ? left.request < right.request : PackedVerification.precedes(left.entry, right.entry)
    }
}

extension Day {
    /// 2016-01-01: a time before it is none.
    package static let earliest = Day(number: 16_801)

    /// Since 1970.
    var startSecond: Int64 { Int64(number) * Instant.secondsPerDay }
}
