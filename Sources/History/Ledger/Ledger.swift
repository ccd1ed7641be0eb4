internal import GRDB
internal import Readiness
internal import Verifications

/// What was counted on earlier nights, loaded day by day as an input asks for it.
///
/// It stays in memory from input to input as long as nobody else changes the store.
final class Ledger: CountLedger, EvidenceLedger {
    /// The fingerprints and executions of one day, or of no day.
    private struct Shelf {
        let day: Day?
        /// Those of earlier inputs.
        var known = FingerprintTable()
        /// Those of the input that is being read.
        var added: [UInt64] = []
        /// What is known of executions, by their hashes; nil until one of them is met again.
        var entries: [UInt64: [CountedEntry]]?
        var addedEntries: [(execution: UInt64, entry: PackedEntry)] = []
    }

    /// A layer that the input may replace, and how much of it the input holds.
    struct ReplacementCandidate {
        let layer: Int
        var known = FingerprintTable()
        var found = 0
    }

    private var shelves: [Shelf] = []
    private var places: [Day?: Int] = [:]
    /// Entries come nearly in order: the next one is most often of the same day.
    private var recent = 0

    private var transaction: StoreTransaction?
    /// By day; nil until an input asks for one that is not in memory.
    private var segments: [Int32?: [SegmentRow]]?
    private(set) var replacementCandidate: ReplacementCandidate?
    /// What the input that is being read is known by.
    private(set) var content = InputContent()
    /// Damaged inputs that this one may be a copy of, those with the fewest verifications first.
    private var awaited: ArraySlice<InputRow> = []
    /// The numbers of those whose verifications are the ones that this input begins with.
    private(set) var contained: Set<Int> = []
    /// By execution: what the input has earlier verifications of.
    private var replacedEntries: [UInt64: [ReplacedEntry]] = [:]
    /// What went wrong while reading; from then on nothing counts.
    private(set) var failure: (any Error)?

    /// Prepares for an input.
    ///
    /// - Parameters:
    ///   - store: The open transaction.
    ///   - layer: A layer that the input may be the intact copy of.
    ///   - damaged: Inputs that it may begin with, those with the fewest verifications first.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func begin(_ store: StoreTransaction, candidate layer: Int?, awaited damaged: ArraySlice<InputRow>) throws {
        transaction = store
        segments = nil
        content = InputContent()
        awaited = damaged
        contained = []
        replacementCandidate = nil
        replacedEntries = [:]
        for index in shelves.indices {
            shelves[index].added.removeAll()
            shelves[index].addedEntries.removeAll()
        }
        guard let layer else { return }
        let ofLayer = try SegmentRow.filter(Column("layer") == layer).orderByPrimaryKey().fetchAll(store.db)
        guard !ofLayer.isEmpty else { return }
        forget()
        var candidate = ReplacementCandidate(layer: layer)
        for segment in ofLayer {
            for hash in try store.hashes(of: segment) { _ = candidate.known.insert(hash) }
        }
        replacementCandidate = candidate
    }

    /// What is in memory is no longer what is on disk.
    func forget() {
        shelves.removeAll()
        places.removeAll()
        recent = 0
        failure = nil
    }

    /// Writes down what was counted since ``begin(_:candidate:awaited:)``.
    func write(to store: StoreTransaction, layer: Int) throws {
        for index in shelves.indices where !shelves[index].added.isEmpty {
            let day = shelves[index].day
            let segments = try segments(of: day, store).filter { $0.layer == layer }
            let new = shelves[index].added.filter { shelves[index].known.insert($0) }
            try store.append(new, .fingerprints, day: day, layer: layer, to: segments)
            let entries = shelves[index].addedEntries
            try store.append(
                entries.flatMap { [$0.execution, $0.entry.word] }, .executions, day: day, layer: layer, to: segments)
            for (execution, entry) in entries {
                _ = shelves[index].known.insert(execution)
                shelves[index].entries?[execution, default: []].append(
                    CountedEntry(day: day, layer: layer, entry: entry))
            }
            shelves[index].added.removeAll()
            shelves[index].addedEntries.removeAll()
        }
    }

    /// What the input that was read has earlier verifications of.
    var replaced: [ReplacedEntry] { replacedEntries.values.flatMap(\.self) }

    /// Ends the input.
    ///
    /// - Throws: What went wrong while the ledger was asked.
    func end() throws {
        transaction = nil
        if let failure { throw failure }
    }

    func isOpen(at instant: Instant?) -> Bool {
        instant.map { isOpen($0.day) } ?? true
    }

    func isOpen(_ day: Day) -> Bool {
        transaction?.settings.firstOpenDay.map { $0 <= day } ?? true
    }

    func find(_ verification: Verification, _ fingerprint: Fingerprint) -> LedgerEntry {
        content.add(verification, fingerprint)
        while let next = awaited.first, next.held <= content.held {
            awaited.removeFirst()
            if next.content == content.sum { contained.insert(next.id) }
        }
        guard isOpen(at: verification.instant) else { return .isTooOld }
        guard failure == nil, let store = transaction else { return .isCopy }
        do {
            let day = verification.instant?.day
            if try isKnown(fingerprint, on: day, store) { return .isCopy }
            if let former = fingerprint.legacyDay {
                // Version 1 of the tables kept it on its own day. Whether it was counted there nobody knows once that
                // is sealed.
                guard try isOpen(former) || !store.hasCountsOfVersion1 else { return .isTooOld }
                if shelves[try place(of: former, store)].known.contains(fingerprint.legacy) { return .isCopy }
            }
            guard let execution = verification.execution, try isKnown(execution, on: day, store) else { return .isNew }
            // Of those that were counted before version 5 of the tables nothing but the execution is known.
            guard let known = try earliest(of: execution, on: day, store).first else { return .isRepeated }
            let entry = PackedEntry(verification, fingerprint)
            if known.isBefore(entry, on: day) { return .isRepeated }
            return known.day == day && known.entry.isCopy(of: entry) ? .isCopy : .isNew
        } catch {
            failure = error
            return .isCopy
        }
    }

    func add(
        _ verification: Verification, _ fingerprint: Fingerprint, of function: @autoclosure () -> FunctionIdentity
    ) {
        // Where it was looked for: nothing is added that was not.
        let day = verification.instant?.day
        guard failure == nil, let place = places[day], let store = transaction else { return }
        shelves[place].added.append(fingerprint.value)
        if let execution = verification.execution {
            let entry = PackedEntry(verification, fingerprint)
            shelves[place].addedEntries.append((execution, entry))
            do {
                if try isKnown(execution, on: day, store), replacedEntries[execution] == nil {
                    replacedEntries[execution] = try earliest(of: execution, on: day, store)
                        .filter { CountedEntry(day: day, layer: 0, entry: entry).isBefore($0.entry, on: $0.day) }
                        .map { ReplacedEntry(function: function(), counted: $0) }
                }
            } catch {
                failure = error
            }
        }
        guard let known = replacementCandidate?.known else { return }
        if known.contains(fingerprint.value) || known.contains(fingerprint.legacy) { replacementCandidate?.found += 1 }
        if let execution = verification.execution, known.contains(execution) { replacementCandidate?.found += 1 }
    }

    func knows(_ hash: UInt64, on day: Day) -> Bool {
        guard failure == nil, let store = transaction else { return true }
        do {
            return shelves[try place(of: day, store)].known.contains(hash)
        } catch {
            failure = error
            return true
        }
    }

    func add(_ hash: UInt64, on day: Day) {
        guard failure == nil, let place = places[day] else { return }
        shelves[place].added.append(hash)
    }

    /// Version 1 of the tables knew entries by less.
    private func isKnown(_ fingerprint: Fingerprint, on day: Day?, _ store: StoreTransaction) throws -> Bool {
        let place = try place(of: day, store)
        return shelves[place].known.contains(fingerprint.value) || shelves[place].known.contains(fingerprint.legacy)
    }

    /// An execution may last past midnight, and what a function logs may claim a time up to a day before it was
    /// received.
    private func isKnown(_ execution: UInt64, on day: Day?, _ store: StoreTransaction) throws -> Bool {
        try daysOfExecution(on: day).contains { shelves[try place(of: $0, store)].known.contains(execution) }
    }

    private func daysOfExecution(on day: Day?) -> [Day?] {
        guard let day else { return [nil] }
        return [day, day.advanced(by: -1), day.advanced(by: 1)]
    }

    /// Those of an execution that count: the earliest one, and its copies that disagree with it.
    private func earliest(of execution: UInt64, on day: Day?, _ store: StoreTransaction) throws -> [CountedEntry] {
        let all = try daysOfExecution(on: day).flatMap { day in
            let place = try place(of: day, store)
            if shelves[place].entries == nil { shelves[place].entries = try entries(on: day, store) }
            return shelves[place].entries?[execution] ?? []
        }
        return all.filter { entry in !all.contains { $0.isBefore(entry.entry, on: entry.day) } }
    }

    private func entries(on day: Day?, _ store: StoreTransaction) throws -> [UInt64: [CountedEntry]] {
        var entries: [UInt64: [CountedEntry]] = [:]
        for segment in try segmentsThatStay(of: day, store) where segment.content == .executions {
            let words = try store.words(of: segment)
            for index in stride(from: 0, to: words.count, by: 2) {
                entries[words[index], default: []].append(
                    CountedEntry(day: day, layer: segment.layer, entry: PackedEntry(word: words[index + 1])))
            }
        }
        return entries
    }

    private func place(of day: Day?, _ store: StoreTransaction) throws -> Int {
        if recent < shelves.count, shelves[recent].day == day { return recent }
        if let known = places[day] {
            recent = known
            return known
        }
        var shelf = Shelf(day: day)
        let segments = try segmentsThatStay(of: day, store)
        shelf.known.reserve(segments.reduce(0) { $0 + $1.hashCount })
        for segment in segments {
            for hash in try store.hashes(of: segment) { _ = shelf.known.insert(hash) }
        }
        recent = shelves.count
        places[day] = recent
        shelves.append(shelf)
        return recent
    }

    /// Without those of a layer that the input may replace.
    private func segmentsThatStay(of day: Day?, _ store: StoreTransaction) throws -> [SegmentRow] {
        try segments(of: day, store).filter { $0.layer != replacementCandidate?.layer }
    }

    private func segments(of day: Day?, _ store: StoreTransaction) throws -> [SegmentRow] {
        let all = try segments ?? Dictionary(grouping: store.rows(SegmentRow.self), by: \.day)
        segments = all
        return all[day?.number] ?? []
    }
}
