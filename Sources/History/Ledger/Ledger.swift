internal import Readiness
internal import Verifications

/// What was counted on earlier nights, loaded day by day as an input asks for it.
///
/// It stays in memory from input to input as long as nobody else changes the store.
final class Ledger: CountLedger {
    /// The fingerprints of one day, or of no day.
    private struct Shelf {
        let day: Day?
        var known: FingerprintTable
        /// Counted since the last input was written down.
        var added: [UInt64] = []
    }

    /// Which layer may have to make room, and how much of it the input holds.
    struct Rival {
        let layer: Int
        var known: FingerprintTable
        var found = 0
    }

    private var shelves: [Shelf] = []
    private var places: [Day?: Int] = [:]
    /// Entries come nearly in order: the next one is most often of the same day.
    private var recent = 0

    private var register: Register?
    private var segments: [SegmentRow] = []
    /// How often each record without an `insertId` has been seen in this input.
    private var occurrences: [UInt64: UInt64] = [:]
    private(set) var rival: Rival?
    /// The keyed hashes of all verifications of this input, added up.
    private(set) var content: UInt64 = 0
    /// How many there are so far.
    private var held = 0
    /// Damaged inputs that this one may be a copy of, those with the fewest verifications first.
    private var awaited: ArraySlice<InputRow> = []
    /// The numbers of those whose verifications are the ones that this input begins with.
    private(set) var contained: Set<Int> = []
    /// What went wrong while reading; from then on nothing counts.
    private(set) var failure: (any Error)?

    /// Prepares for an input.
    ///
    /// - Parameters:
    ///   - register: The open transaction.
    ///   - layer: A layer that the input may be the intact copy of.
    ///   - damaged: Inputs that it may begin with.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func begin(_ register: Register, rival layer: Int?, awaited damaged: [InputRow]) throws {
        self.register = register
        segments = try register.rows(SegmentRow.self)
        content = 0
        held = 0
        awaited = damaged.filter { $0.held > 0 }.sorted { $0.held < $1.held }[...]
        contained = []
        occurrences.removeAll()
        rival = nil
        guard let layer, segments.contains(where: { $0.layer == layer }) else { return }
        forget()
        var known = FingerprintTable()
        for segment in segments where segment.layer == layer {
            for fingerprint in try register.fingerprints(of: segment) { _ = known.insert(fingerprint) }
        }
        segments.removeAll { $0.layer == layer }
        rival = Rival(layer: layer, known: known)
    }

    /// What is in memory no longer speaks of what is on disk.
    func forget() {
        shelves.removeAll()
        places.removeAll()
        recent = 0
        failure = nil
    }

    /// Writes down what was counted since ``begin(_:rival:)``.
    func write(to register: Register, layer: Int) throws {
        for index in shelves.indices where !shelves[index].added.isEmpty {
            let day = shelves[index].day
            try register.append(
                shelves[index].added, day: day, layer: layer,
                to: segments.filter { $0.day == day && $0.layer == layer })
            shelves[index].added.removeAll()
        }
    }

    /// Ends the input.
    ///
    /// - Throws: What went wrong while the ledger was asked.
    func end() throws {
        register = nil
        if let failure { throw failure }
    }

    func take(_ verification: Verification) -> CountDecision {
        guard failure == nil, let register else { return .isCopy }
        let fingerprint = fingerprint(of: verification)
        note(fingerprint)
        guard let fingerprint else { return .counts }
        let day = verification.instant?.day
        guard isOpen(at: verification.instant) else { return .isTooOld }
        do {
            let place = try place(of: day, register)
            guard shelves[place].known.insert(fingerprint) else { return .isCopy }
            shelves[place].added.append(fingerprint)
            if rival?.known.contains(fingerprint) == true { rival?.found += 1 }
            return .counts
        } catch {
            failure = error
            return .isCopy
        }
    }

    /// Adds a verification to what the input is known by, and sees whether it is now what a damaged one was.
    private func note(_ fingerprint: UInt64?) {
        if let fingerprint { content &+= RowDigest.mixed(fingerprint) }
        held += 1
        while let next = awaited.first, next.held <= held {
            awaited.removeFirst()
            if next.content == content { contained.insert(next.id) }
        }
    }

    func isOpen(at instant: Instant?) -> Bool {
        guard let sealed = register?.settings.sealedBefore, let instant else { return true }
        return sealed <= instant.day
    }

    /// What tells a verification from every other one of the store.
    ///
    /// Records without an `insertId` may well be equal and yet be two requests. The first, second, third of them each
    /// have a fingerprint of their own, so that a store holds as many as the input that had most of them.
    private func fingerprint(of verification: Verification) -> UInt64? {
        if let fingerprint = verification.fingerprint { return fingerprint }
        guard let hash = verification.recordHash else { return nil }
        let number = occurrences[hash, default: 0]
        occurrences[hash] = number + 1
        return number == 0 ? hash : RowDigest.mixed(hash &+ RowDigest.mixed(number))
    }

    private func place(of day: Day?, _ register: Register) throws -> Int {
        if recent < shelves.count, shelves[recent].day == day { return recent }
        if let known = places[day] {
            recent = known
            return known
        }
        var shelf = Shelf(day: day, known: FingerprintTable())
        let segments = segments.filter { $0.day == day }
        shelf.known.reserve(segments.reduce(0) { $0 + $1.count })
        for segment in segments {
            for fingerprint in try register.fingerprints(of: segment) { _ = shelf.known.insert(fingerprint) }
        }
        recent = shelves.count
        places[day] = recent
        shelves.append(shelf)
        return recent
    }
}
