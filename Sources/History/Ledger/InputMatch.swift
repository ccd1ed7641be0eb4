internal import GRDB
internal import Verifications

/// What an input has in common with those that were added before it.
struct InputMatch {
    /// The number of the same file, which is in the list already.
    private(set) var sameFile: Int?
    /// The number of the input that this damaged one is a copy of.
    private(set) var original: Int?
    /// Damaged inputs that this one is the intact, or a longer, copy of.
    private(set) var repaired: [InputRow] = []

    /// - Parameters:
    ///   - row: The input, with its problems.
    ///   - known: The inputs before it.
    ///   - contained: The numbers of those of ``KnownInputs/unrepaired`` whose verifications it begins with.
    ///   - falsified: The one whose counts it replaces.
    ///   - store: The open transaction.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    init(
        of row: InputRow, to known: KnownInputs, contained: Set<Int>, falsified: InputRow?, _ store: StoreTransaction
    ) throws {
        // What is believed and new was never read before, whatever the sums say.
        if !row.summary.isTrustworthy || row.summary.verifications == 0 { sameFile = known.sameFile(as: row) }
        if let sameFile {
            let last = try store.standIn(for: sameFile)
            original = last == sameFile ? nil : last
            return
        }
        repaired = known.unrepaired.filter { damaged in
            damaged.id == falsified?.id || row.repairs(damaged, isBeginning: contained.contains(damaged.id))
        }
        guard !row.summary.isSound, repaired.isEmpty else { return }
        let copy = try known.copy(of: row) ?? store.intactInput(like: row)
        original = try copy.map { try store.standIn(for: $0) }
    }
}

extension InputRow {
    /// True when nothing of it counts, as all of it came too late.
    var isTooOld: Bool { held > 0 && summary.filtered == held }

    /// True when its counts are kept apart, until an intact copy comes.
    var hasLayer: Bool { !summary.isTrustworthy && replacedBy == nil }

    /// False for standard input, which is another one every time.
    fileprivate var hasName: Bool { name != "-" }

    /// True when this is what a damaged input would have been, or more of it.
    ///
    /// - Parameters:
    ///   - damaged: The damaged input.
    ///   - isBeginning: True when all that could be read of it is what this one begins with.
    /// - Returns: False when this may be another file, or one that is not better.
    fileprivate func repairs(_ damaged: InputRow, isBeginning: Bool) -> Bool {
        let isIntact = summary.faults.isEmpty
        guard damaged.held > 0 else {
            // Nothing could be read of it: then its name is all there is to go by.
            return isIntact && hasName && name == damaged.name && size ?? 0 >= damaged.size ?? 0
        }
        if isBeginning, summary.records >= damaged.summary.records {
            return summary.isSound || isIntact && !damaged.summary.faults.isEmpty
                || summary.isTrustworthy && held > damaged.held
        }
        // All of a falsified input was known when it came, so that nothing of it is kept apart.
        return isIntact && size == damaged.size && !damaged.summary.isTrustworthy
            && damaged.summary.verifications == 0 && summary.duplicates * 2 >= damaged.held
    }
}

extension StoreTransaction {
    /// The intact input that a damaged one is a copy of, to judge by its size or its name and by what is known of it.
    fileprivate func intactInput(like row: InputRow) throws -> Int? {
        guard let size = row.size, row.held > 0 else { return nil }
        guard row.summary.isTrustworthy else {
            guard row.summary.duplicates >= row.summary.verifications else { return nil }
            return try intactInput(Column("size") == size)
        }
        guard row.summary.verifications == 0, row.hasName else { return nil }
        return try intactInput(Column("name") == StoredText(row.name) && Column("size") > size)
    }

    private func intactInput(_ condition: some SQLSpecificExpressible) throws -> Int? {
        try InputRow.filter(condition).filter(Column("faults") == 0).orderByPrimaryKey().fetchOne(db)?.id
    }
}

/// How far what was read of an input can be believed.
extension InputSummary {
    /// True when every record could be read.
    var isSound: Bool {
        faults.isEmpty && malformed == 0 && oversized == 0 && problems.isEmpty
    }

    /// False when compressed data may have come out as other data than was put in.
    ///
    /// A stream that is cut off gives what it was made from, up to there; one whose check sum differs, or that breaks
    /// off in the middle, may have given records that nobody wrote.
    package var isTrustworthy: Bool {
        !problems.entries.contains { problem in
            switch problem.kind {
            case .corruptGzip, .checksumMismatchGzip, .lengthMismatchGzip, .corruptZlib, .checksumMismatchZlib: true
            default: false
            }
        }
    }
}
