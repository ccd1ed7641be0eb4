internal import Verifications

/// A verification as ``SeenVerifications`` remembers it, packed into two words.
///
/// ```
/// first    seconds since 1970: 32 · nanoseconds, or 10^9 and the unit of a rounded time: 30 · copies seen: 2
/// second   key: 28 · function: 18 · rank: 8 · app: 2 · auth: 2 · severity: 2 · provenance: 2 · execution: 1 · gone: 1
/// ```
struct SeenRecord {
    /// Of the execution, or of the entry where it names none.
    var key: UInt32
    /// 0 stands for any.
    var function: UInt32
    /// A few bits of ``Fingerprint/order``.
    var rank: UInt8
    var app: TokenStatus
    var auth: TokenStatus
    var severity: PassSeverity
    var provenance: Provenance
    var isOfExecution: Bool
    var instant: Instant?
    /// True when nothing is known of the time below ``roundingUnit``: of a snapshot, which keeps no more.
    var isRounded = false
    /// How often it was seen again.
    var copies = 0
    /// True when it does not count: an earlier one of its execution was found, or, of one that names no execution, a
    /// copy that does.
    var isGone = false

    /// Its second, by which the oldest are found; those without a time come first.
    var sortingSecond: Int64 { instant?.seconds ?? .min }

    static let keyBits: UInt64 = 28
    static let functionLimit: UInt32 = 1 << 18 - 1
    /// To how many nanoseconds times are rounded, down; 50 units make a second.
    static let roundingUnit: UInt32 = 20_000_000

    /// As many copies as the words can tell.
    static let packedCopies = 3

    init(_ verification: Verification, _ fingerprint: Fingerprint, key: UInt64, function: UInt32) {
        self.key = UInt32(truncatingIfNeeded: key & (1 << SeenRecord.keyBits - 1))
        self.function = function
        rank = fingerprint.order.digest
        app = verification.app
        auth = verification.auth
        severity = verification.severity
        provenance = verification.provenance
        isOfExecution = verification.execution != nil
        instant = verification.instant
    }

    /// What one verification is to another.
    enum Relation {
        case unrelated
        case copy
        /// Of the same execution, and written after the other one.
        case later
        /// Of the same execution, and written before the other one.
        case earlier
    }

    /// What two copies have in common, whether or not both name the execution.
    struct Entry: Hashable {
        var function: UInt32
        let instant: Instant?
        let rank: UInt8
        let app: TokenStatus
        let auth: TokenStatus
        let provenance: Provenance
    }

    func entry(rounding: Bool) -> Entry {
        Entry(
            function: function, instant: rounding ? instant?.rounded : instant, rank: rank, app: app, auth: auth,
            provenance: provenance)
    }

    /// True for the same entry, of a function that one of them may have lost.
    private func isCopy(of known: SeenRecord, rounding: Bool) -> Bool {
        var entry = entry(rounding: rounding)
        entry.function = known.function
        return entry == known.entry(rounding: rounding)
    }

    /// What this is to a verification that is known.
    ///
    /// Of two that were written at the same instant, `isBefore` says whether this entry is before the other; nil
    /// for the same entry.
    func relation(to known: SeenRecord, isBefore: Bool?) -> Relation {
        guard
            !known.isGone, key == known.key, isOfExecution == known.isOfExecution,
            function == known.function || function == 0 || known.function == 0
        else { return .unrelated }
        let rounding = isRounded || known.isRounded
        if isBefore == nil, isCopy(of: known, rounding: rounding) { return .copy }
        guard isOfExecution else { return .unrelated }
        guard rounding ? instant?.rounded == known.instant?.rounded : instant == known.instant else {
            guard let instant else { return .later }
            return known.instant.map { instant < $0 } ?? true ? .earlier : .later
        }
        // Copies that disagree count both: there is no way to know which of them is right.
        guard let isBefore else { return .unrelated }
        return isBefore ? .earlier : .later
    }
}

extension SeenRecord {
    /// Takes over what a copy says otherwise, the same whichever of the two came first.
    mutating func merge(_ copy: SeenRecord) {
        copies += 1 + copy.copies
        if isRounded, !copy.isRounded { (instant, isRounded) = (copy.instant, false) }
        if copy.severity.rawValue < severity.rawValue { severity = copy.severity }
    }
}

extension SeenRecord {
    private static let nanosecondsOfSecond: UInt32 = 1_000_000_000
    private static let undated: UInt64 = 1 << 30 - 1
    private static let far: UInt64 = 1 << 30 - 2

    /// The words, and the instant where they cannot hold it.
    var packed: (first: UInt64, second: UInt64, far: Instant?) {
        var time = SeenRecord.undated
        var far: Instant?
        if let instant {
            if let seconds = UInt32(exactly: instant.seconds) {
                let unit = SeenRecord.nanosecondsOfSecond + instant.nanoseconds / SeenRecord.roundingUnit
                time = UInt64(seconds) << 30 | UInt64(isRounded ? unit : instant.nanoseconds)
            } else {
                time = SeenRecord.far
                far = instant
            }
        }
        var second = UInt64(key) << 18 | UInt64(function)
        second = second << 8 | UInt64(rank)
        second = second << 2 | UInt64(app.rawValue)
        second = second << 2 | UInt64(auth.rawValue)
        second = second << 2 | UInt64(severity.rawValue >> 1)
        second = second << 2 | UInt64(provenance.rawValue)
        second = second << 2 | (isOfExecution ? 2 : 0) | (isGone ? 1 : 0)
        return (time << 2 | UInt64(min(copies, SeenRecord.packedCopies)), second, far)
    }

    /// Stands for the verification within a run.
    var hash: Int {
        let words = packed
        var hasher = Hasher()
        hasher.combine(words.first)
        hasher.combine(words.second)
        return hasher.finalize()
    }

    /// What two words say; `far` looks up an instant that they cannot hold.
    init(first: UInt64, second: UInt64, far: () -> Instant?) {
        key = UInt32(truncatingIfNeeded: second >> 36)
        function = UInt32(truncatingIfNeeded: second >> 18) & SeenRecord.functionLimit
        rank = UInt8(truncatingIfNeeded: second >> 10)
        app = SeenRecord.status(second >> 8)
        auth = SeenRecord.status(second >> 6)
        severity = PassSeverity(rawValue: 1 << UInt8(truncatingIfNeeded: second >> 4 & 3))
        provenance = Provenance(rawValue: UInt8(truncatingIfNeeded: second >> 2 & 3)) ?? .unlabelled
        isOfExecution = second & 2 != 0
        isGone = second & 1 != 0
        copies = Int(first & 3)
        switch first >> 2 & SeenRecord.undated {
        case SeenRecord.undated: instant = nil
        case SeenRecord.far: instant = far()
        case let nanoseconds:
            let nanoseconds = UInt32(truncatingIfNeeded: nanoseconds)
            isRounded = nanoseconds >= SeenRecord.nanosecondsOfSecond
            let units = nanoseconds &- SeenRecord.nanosecondsOfSecond
            instant = Instant(
                seconds: Int64(first >> 32), nanoseconds: isRounded ? units &* SeenRecord.roundingUnit : nanoseconds)
        }
    }

    private static func status(_ bits: UInt64) -> TokenStatus {
        TokenStatus(rawValue: UInt8(truncatingIfNeeded: bits & 3)) ?? .other
    }
}

extension Instant {
    /// The beginning of the unit in which it lies.
    fileprivate var rounded: Instant {
        Instant(seconds: seconds, nanoseconds: nanoseconds - nanoseconds % SeenRecord.roundingUnit)
    }
}
