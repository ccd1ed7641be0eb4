internal import Verifications

/// What one request shows of whether enforcement is on: one without a valid App Check token whose Auth token was not
/// refused.
package struct EnforcementSign: Sendable {
    package enum Kind: UInt8, CaseIterable, Sendable {
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
        /// The same for a request that was answered 200 to 399: a streaming callable refuses like this, other
        /// functions served it.
        case refusedByLineOrServed
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

    var run: SignRun.Kind {
        switch kind {
        case .served, .allowed: .served
        case .refused, .refusedInvalid: .refused
        case .refusedByLine, .refusedByLineOrServed: .refusedByLine
        }
    }
}

/// Signs of one kind in a row, in order of time.
package struct SignRun: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// Served ones, perhaps with a few refused among them: see ``DaySigns/longest``.
        case served
        case refused
        /// Refused ones where the SDK writes "Allowing request…" and did not; else they show nothing but answers.
        case refusedByLine
    }

    package let kind: Kind
    /// The first and the last, in nanoseconds since midnight, and their revisions' slots.
    package private(set) var first: Int64
    package private(set) var last: Int64
    package private(set) var firstSlot: UInt8
    package private(set) var lastSlot: UInt8
    /// By ``EnforcementSign/Kind``.
    private var counts = SIMD8<Int>()

    /// A run as it was kept somewhere, without signs.
    package init(_ kind: Kind, nanoseconds: ClosedRange<Int64>, slots: (first: UInt8, last: UInt8)) {
        self.kind = kind
        (first, last) = (nanoseconds.lowerBound, nanoseconds.upperBound)
        (firstSlot, lastSlot) = slots
    }

    fileprivate init(_ sign: EnforcementSign) {
        self.init(sign.run, nanoseconds: sign.nanosecond...sign.nanosecond, slots: (sign.slot, sign.slot))
        self[sign.kind] = sign.count
    }

    package subscript(kind: EnforcementSign.Kind) -> Int {
        get { counts[Int(kind.rawValue)] }
        set { counts[Int(kind.rawValue)] = newValue }
    }

    /// All that may be refused ones.
    var refused: Int {
        counts.wrappedSum() - self[.served] - self[.allowed]
    }

    fileprivate func joined(_ other: SignRun, _ kind: Kind) -> SignRun {
        let (early, late) = (other.first < first ? other : self, other.last < last ? self : other)
        var run = SignRun(kind, nanoseconds: early.first...late.last, slots: (early.firstSlot, late.lastSlot))
        run.counts = counts &+ other.counts
        return run
    }

    fileprivate func becoming(_ kind: Kind) -> SignRun {
        var run = SignRun(kind, nanoseconds: first...last, slots: (firstSlot, lastSlot))
        run.counts = counts
        return run
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
        package fileprivate(set) var runs: [SignRun] = []
        /// Requests with both tokens VALID, by what they were answered: 401, or anything else.
        package var verifiedRefused = 0
        package var verifiedServed = 0

        package init(slot: UInt8, runs: [SignRun] = []) { (self.slot, self.runs) = (slot, runs) }

        fileprivate func merged(_ other: Revision) -> Revision {
            var sum = Revision(slot: slot, runs: DaySigns.merged(runs, other.runs))
            sum.verifiedRefused = verifiedRefused + other.verifiedRefused
            sum.verifiedServed = verifiedServed + other.verifiedServed
            return sum
        }
    }

    package init() {}

    /// Signs as they were kept somewhere.
    package init(runs: [SignRun], revisions: [Revision]) { (self.runs, self.revisions) = (runs, revisions) }

    /// - Parameters:
    ///   - signs: In any order.
    ///   - verified: Each revision with the answers to requests with both tokens VALID, but without runs; in any order.
    package init(_ signs: [EnforcementSign], verified: [Revision] = []) {
        let sorted = signs.sorted { ($0.nanosecond, $0.run.rawValue) < ($1.nanosecond, $1.run.rawValue) }
        runs = DaySigns.compact(DaySigns.runs(sorted.lazy.map(SignRun.init)))
        let slots = Set(signs.map(\.slot)).union(verified.map(\.slot))
        guard slots.count > 1 else { return }
        revisions = slots.sorted().map { slot in
            var revision = verified.first { $0.slot == slot } ?? Revision(slot: slot)
            revision.runs = DaySigns.compact(DaySigns.runs(sorted.lazy.filter { $0.slot == slot }.map(SignRun.init)))
            return revision
        }
    }

    /// How many signs there are of each kind, regardless of their order.
    package init(totals signs: [EnforcementSign]) {
        for kind in [SignRun.Kind.served, .refused, .refusedByLine] {
            runs += DaySigns.runs(signs.lazy.filter { $0.run == kind }.map(SignRun.init))
        }
    }

    package var isEmpty: Bool { runs.isEmpty && revisions.isEmpty }

    /// Adds a served sign on a day that has no others; in any order.
    package mutating func add(served sign: EnforcementSign) {
        let run = SignRun(sign)
        guard let all = runs.first else { return runs = [run] }
        if revisions.isEmpty, all.firstSlot != sign.slot || all.lastSlot != sign.slot {
            revisions = [Revision(slot: all.firstSlot, runs: runs)]
        }
        runs[0] = all.joined(run, .served)
        guard !revisions.isEmpty else { return }
        let place = revisions.partitioningIndex { $0.slot < sign.slot }
        if place < revisions.count, revisions[place].slot == sign.slot {
            revisions[place].runs[0] = revisions[place].runs[0].joined(run, .served)
        } else {
            revisions.insert(Revision(slot: sign.slot, runs: [run]), at: place)
        }
    }

    /// Adds those of another part of the day: exactly where one part is over before the other begins.
    package mutating func merge(_ other: DaySigns) {
        guard !isEmpty else { return self = other }
        guard !other.isEmpty else { return }
        let all = Dictionary((bySlot + other.bySlot).map { ($0.slot, $0) }) { $0.merged($1) }
        revisions = all.count == 1 ? [] : all.values.sorted { $0.slot < $1.slot }
        runs = DaySigns.merged(runs, other.runs)
    }

    private var bySlot: [Revision] {
        revisions.isEmpty ? runs.first.map { [Revision(slot: $0.firstSlot, runs: runs)] } ?? [] : revisions
    }

    /// What there is of one revision; nothing where it has no signs.
    func revision(_ slot: UInt8) -> Revision { bySlot.first { $0.slot == slot } ?? Revision(slot: slot) }

    /// The runs of one revision, or of all.
    func runs(of slot: UInt8?) -> [SignRun] {
        slot.map { revision($0).runs } ?? runs
    }

    /// Where spells of enforcement may begin that are long enough to be known, or may go on after the day.
    ///
    /// - Parameter isShared: True where several revisions had requests, with signs or without.
    /// - Returns: From when on sums of the day are kept, and of which revision; nil for all.
    package func beginnings(sharing isShared: Bool) -> [(nanosecond: Int64, slot: UInt8?)] {
        DaySigns.beginnings(runs).map { ($0, nil) }
            + (isShared ? bySlot : []).flatMap { revision in
                DaySigns.beginnings(revision.runs).map { ($0, revision.slot) }
            }
    }

    private static func beginnings(_ runs: [SignRun]) -> [Int64] {
        let spells = runs.split { $0.kind == .served }.compactMap { spell in
            spell.first.map { (first: $0.first, refused: spell.reduce(0) { $0 + $1.refused }) }
        }
        let long = spells.filter { $0.refused >= Spell.fewestSigns }.sorted { $0.refused > $1.refused }
        let last = runs.last?.kind == .served ? nil : spells.last
        return Set(long.prefix(4).map(\.first) + (last.map { [$0.first] } ?? [])).sorted()
    }

    // MARK: Runs

    private static func runs(_ ordered: some Sequence<SignRun>) -> [SignRun] {
        var runs: [SignRun] = []
        for run in ordered {
            if let last = runs.last, last.kind == run.kind {
                runs[runs.count - 1] = last.joined(run, run.kind)
            } else {
                runs.append(run)
            }
        }
        return runs
    }

    private static func merged(_ left: [SignRun], _ right: [SignRun]) -> [SignRun] {
        compact(runs((left + right).sorted { ($0.first, $0.kind.rawValue) < ($1.first, $1.kind.rawValue) }))
    }

    /// Where there are more runs, the shortest refused ones become part of the served ones around them.
    ///
    /// No spell is known by them: a function that itself answers 401 to some alternates all day. The newest ones stay.
    /// Before that, refused ones of both kinds become one run.
    private static let longest = 48

    private static func compact(_ all: [SignRun]) -> [SignRun] {
        guard all.count > longest else { return all }
        let runs = self.runs(all.lazy.map { $0.kind == .refusedByLine ? $0.becoming(.refused) : $0 })
        guard runs.count > longest else { return runs }
        let newest = runs.count - longest / 3
        let kept = Set(
            runs[..<newest].indices.filter { runs[$0].kind != .served }
                .sorted { (runs[$1].refused, $0) < (runs[$0].refused, $1) }.prefix(longest / 3))
        return self.runs(
            runs.enumerated().lazy.map { index, run in
                run.kind != .served && index < newest && !kept.contains(index) ? run.becoming(.served) : run
            })
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
        let place = partitioningIndex { ($0.from, $0.slot ?? 255) < (nanosecond, slot ?? 255) }
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
