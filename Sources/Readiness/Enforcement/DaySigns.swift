internal import Verifications

/// What one request shows of whether enforcement is on: one without a valid App Check token whose Auth token was not
/// refused.
package struct EnforcementSign: Sendable {
    package enum Kind: Sendable {
        /// Its row, or generation 1's line about its execution, was answered 200 to 399; or the SDK let it through.
        case served
        /// The same, by the SDK's own line "Allowing request…".
        case allowed
        /// Its row, or the line about its execution, was answered 401.
        case refused
        /// The same of a request whose App Check token was refused: firebase-functions 3.x does so without enforcement.
        case refusedInvalid
        /// Its token was refused with a cause, and no line says that the request goes on. That shows something only
        /// where the SDK writes such lines: of a function whose passes are at DEBUG.
        case refusedByLine
    }

    package let kind: Kind
    /// Since midnight.
    package let nanosecond: Int64
    /// See ``Revision/slot``.
    package let slot: UInt8
    /// How often it counts.
    package let count: Int

    package init(_ kind: Kind, nanosecond: Int64, slot: UInt8, count: Int) {
        (self.kind, self.nanosecond, self.slot, self.count) = (kind, nanosecond, slot, count)
    }

    var isRefused: Bool { kind != .served && kind != .allowed }
}

/// Signs of one kind in a row, in order of time.
package struct SignRun: Hashable, Sendable {
    /// False for served ones, and for served ones with a few refused among them: see ``DaySigns/longest``.
    package let isOn: Bool
    /// The first and the last, in nanoseconds since midnight, and their revisions' slots.
    package private(set) var first: Int64
    package private(set) var last: Int64
    package private(set) var firstSlot: UInt8
    package private(set) var lastSlot: UInt8
    package private(set) var refused = 0
    /// Those of ``refused`` that only the missing line "Allowing request…" shows.
    package private(set) var refusedByLine = 0
    /// Those of ``refused`` whose App Check token was refused and whose answer was 401.
    package private(set) var refusedInvalid = 0
    package private(set) var served = 0
    /// Those of ``served`` that the line "Allowing request…" shows.
    package private(set) var allowed = 0

    /// A run as it was kept somewhere.
    package init(
        isOn: Bool, nanoseconds: ClosedRange<Int64>, slots: (first: UInt8, last: UInt8), refused: Int,
        refusedByLine: Int, refusedInvalid: Int, served: Int, allowed: Int
    ) {
        self.isOn = isOn
        (first, last) = (nanoseconds.lowerBound, nanoseconds.upperBound)
        (firstSlot, lastSlot) = slots
        (self.refused, self.refusedByLine, self.refusedInvalid) = (refused, refusedByLine, refusedInvalid)
        (self.served, self.allowed) = (served, allowed)
    }

    fileprivate init(_ sign: EnforcementSign) {
        isOn = sign.isRefused
        (first, last) = (sign.nanosecond, sign.nanosecond)
        (firstSlot, lastSlot) = (sign.slot, sign.slot)
        if isOn { refused = sign.count } else { served = sign.count }
        if sign.kind == .refusedByLine { refusedByLine = sign.count }
        if sign.kind == .refusedInvalid { refusedInvalid = sign.count }
        if sign.kind == .allowed { allowed = sign.count }
    }

    fileprivate func joined(_ other: SignRun, isOn: Bool) -> SignRun {
        let (early, late) = (other.first < first ? other : self, other.last < last ? self : other)
        return SignRun(
            isOn: isOn, nanoseconds: early.first...late.last, slots: (early.firstSlot, late.lastSlot),
            refused: refused + other.refused, refusedByLine: refusedByLine + other.refusedByLine,
            refusedInvalid: refusedInvalid + other.refusedInvalid, served: served + other.served, allowed: allowed + other.allowed)
    }
}

/// The signs of one day, as runs: all that is left of them at rest.
package struct DaySigns: Hashable, Sendable {
    /// Those of all revisions, in order of time; neighbours differ in kind.
    package private(set) var runs: [SignRun] = []
    /// Those of each revision by itself, ascending by slot; empty where one revision has them all.
    package private(set) var revisions: [Revision] = []

    package struct Revision: Hashable, Sendable {
        package let slot: UInt8
        package fileprivate(set) var runs: [SignRun]

        package init(slot: UInt8, runs: [SignRun]) { (self.slot, self.runs) = (slot, runs) }
    }

    package init() {}

    /// Signs as they were kept somewhere.
    package init(runs: [SignRun], revisions: [Revision]) { (self.runs, self.revisions) = (runs, revisions) }

    /// - Parameter signs: In any order.
    package init(_ signs: [EnforcementSign]) {
        let sorted = signs.sorted { left, right in
            left.nanosecond == right.nanosecond
                ? !left.isRefused && right.isRefused : left.nanosecond < right.nanosecond
        }
        runs = DaySigns.compact(DaySigns.runs(sorted.lazy.map(SignRun.init)))
        let slots = Set(signs.map(\.slot))
        guard slots.count > 1 else { return }
        revisions = slots.sorted().map { slot in
            let own = sorted.lazy.filter { $0.slot == slot }.map(SignRun.init)
            return Revision(slot: slot, runs: DaySigns.compact(DaySigns.runs(own)))
        }
    }

    /// How many signs there are of each kind, whatever their order.
    package init(totals signs: [EnforcementSign]) {
        for isOn in [false, true] {
            runs += DaySigns.runs(signs.lazy.filter { $0.isRefused == isOn }.map(SignRun.init))
        }
    }

    package var isEmpty: Bool { runs.isEmpty }

    /// Adds a served sign on a day that has no others; in any order.
    package mutating func add(served sign: EnforcementSign) {
        let run = SignRun(sign)
        guard let all = runs.first else { return runs = [run] }
        if revisions.isEmpty, all.firstSlot != sign.slot || all.lastSlot != sign.slot {
            revisions = [Revision(slot: all.firstSlot, runs: runs)]
        }
        runs[0] = all.joined(run, isOn: false)
        guard !revisions.isEmpty else { return }
        let place = revisions.firstPlace { $0.slot < sign.slot }
        if place < revisions.count, revisions[place].slot == sign.slot {
            revisions[place].runs[0] = revisions[place].runs[0].joined(run, isOn: false)
        } else {
            revisions.insert(Revision(slot: sign.slot, runs: [run]), at: place)
        }
    }

    /// Adds those of another part of the day: exactly where one part is over before the other begins.
    package mutating func merge(_ other: DaySigns) {
        guard !isEmpty else { return self = other }
        guard !other.isEmpty else { return }
        let all = Dictionary((bySlot + other.bySlot).map { ($0.slot, $0.runs) }, uniquingKeysWith: DaySigns.merged)
        revisions = all.count == 1 ? [] : all.sorted { $0.key < $1.key }.map { Revision(slot: $0.key, runs: $0.value) }
        runs = DaySigns.merged(runs, other.runs)
    }

    private var bySlot: [Revision] {
        revisions.isEmpty ? runs.first.map { [Revision(slot: $0.firstSlot, runs: runs)] } ?? [] : revisions
    }

    /// The runs of one revision, or of all.
    package func runs(of slot: UInt8?) -> [SignRun] {
        slot.map { slot in bySlot.first { $0.slot == slot }?.runs ?? [] } ?? runs
    }

    /// Where spells of enforcement may begin, since each is long enough to be known, or may go on after the day: what
    /// the day has from there on is kept.
    ///
    /// - Parameter isShared: True where several revisions had requests, with signs or without.
    package func beginnings(sharing isShared: Bool) -> [(nanosecond: Int64, slot: UInt8?)] {
        DaySigns.beginnings(runs).map { ($0, nil) }
            + (isShared ? bySlot : []).flatMap { revision in
                DaySigns.beginnings(revision.runs).map { ($0, revision.slot) }
            }
    }

    private static func beginnings(_ runs: [SignRun]) -> [Int64] {
        let long = runs.filter { $0.isOn && $0.refused >= Spell.fewestSigns }.sorted { $0.refused > $1.refused }
        let last = runs.last.flatMap { $0.isOn ? $0 : nil }
        return Set(long.prefix(4).map(\.first) + (last.map { [$0.first] } ?? [])).sorted()
    }

    // MARK: Runs

    private static func runs(_ ordered: some Sequence<SignRun>) -> [SignRun] {
        var runs: [SignRun] = []
        for run in ordered {
            if let last = runs.last, last.isOn == run.isOn {
                runs[runs.count - 1] = last.joined(run, isOn: run.isOn)
            } else {
                runs.append(run)
            }
        }
        return runs
    }

    private static func merged(_ left: [SignRun], _ right: [SignRun]) -> [SignRun] {
        compact(runs((left + right).sorted { ($0.first, $0.isOn ? 1 : 0) < ($1.first, $1.isOn ? 1 : 0) }))
    }

    /// Of more runs the shortest refused ones, which no spell can be known by, are counted among the served ones around
    /// them: a function that itself answers 401 to some alternates all day. The newest stay as they are.
    private static let longest = 48

    private static func compact(_ runs: [SignRun]) -> [SignRun] {
        guard runs.count > longest else { return runs }
        let newest = runs.count - longest / 3
        let kept = Set(
            runs[..<newest].indices.filter { runs[$0].isOn }
                .sorted { (runs[$1].refused, $0) < (runs[$0].refused, $1) }.prefix(longest / 3))
        return self.runs(
            runs.enumerated().lazy.map { index, run in
                run.isOn && index < newest && !kept.contains(index) ? run.joined(run.nothing, isOn: false) : run
            })
    }
}

extension SignRun {
    fileprivate var nothing: SignRun {
        SignRun(
            isOn: isOn, nanoseconds: first...last, slots: (firstSlot, lastSlot), refused: 0, refusedByLine: 0,
            refusedInvalid: 0, served: 0, allowed: 0)
    }
}

/// What a day has from an instant on: of the day on which enforcement was switched, the part after it.
package struct DayPart: Hashable, Sendable {
    /// Since midnight.
    package let from: Int64
    /// The revision whose requests these are; nil for those of all.
    package let slot: UInt8?
    package var counts = StatusMatrix()
    package var callers = CallerDay()

    package init(from nanosecond: Int64, slot: UInt8?) { (from, self.slot) = (nanosecond, slot) }
}

extension [DayPart] {
    /// Ascending.
    package mutating func update(_ nanosecond: Int64, _ slot: UInt8?, _ change: (inout DayPart) -> Void) {
        let place = firstPlace { ($0.from, $0.slot ?? 255) < (nanosecond, slot ?? 255) }
        if place == count || self[place].from != nanosecond || self[place].slot != slot {
            insert(DayPart(from: nanosecond, slot: slot), at: place)
        }
        change(&self[place])
    }

    /// The part from an instant on, or, where a sealed day has none, from the first kept instant after it.
    package func from(_ nanosecond: Int64, _ slot: UInt8?) -> DayPart? {
        first { $0.from >= nanosecond && $0.slot == slot }
    }
}
