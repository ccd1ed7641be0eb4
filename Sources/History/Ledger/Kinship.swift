internal import GRDB
internal import Verifications

/// What an input is to those that were added before it.
struct Kinship {
    /// The number of the same file, which is in the list already.
    private(set) var twin: Int?
    /// The number of the input that this damaged one is a copy of.
    private(set) var original: Int?
    /// Damaged inputs that this one is the intact, or a longer, copy of.
    private(set) var repaired: [InputRow] = []

    /// - Parameters:
    ///   - row: The input, with its problems.
    ///   - known: The inputs before it.
    ///   - contained: The numbers of those of ``KnownInputs/unrepaired`` whose verifications it begins with.
    ///   - falsified: The one whose counts it replaces.
    ///   - register: The open transaction.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    init(
        of row: InputRow, to known: KnownInputs, contained: Set<Int>, falsified: InputRow?, _ register: Register
    ) throws {
        // What is believed and new was never read before, whatever the sums say.
        if !row.summary.isTrustworthy || row.summary.verifications == 0 { twin = known.twin(of: row) }
        if let twin {
            let last = try register.standIn(for: twin)
            original = last == twin ? nil : last
            return
        }
        repaired = known.unrepaired.filter { damaged in
            damaged.id == falsified?.id || row.repairs(damaged, isBeginning: contained.contains(damaged.id))
        }
        guard !row.summary.isSound, repaired.isEmpty else { return }
        let copy = try known.copy(of: row) ?? register.intactInput(like: row)
        original = try copy.map { try register.standIn(for: $0) }
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
    /// - Returns: False when this may be another file, or one that is no better.
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

extension Register {
    /// The intact input that a damaged one is a copy of, to judge by its size or its name and by what is known of it.
    fileprivate func intactInput(like row: InputRow) throws -> Int? {
        guard let size = row.size, row.held > 0 else { return nil }
        guard row.summary.isTrustworthy else {
            guard row.summary.duplicates >= row.summary.verifications else { return nil }
            return try rows(InputRow.self, where: "size = ? AND faults = 0", [size.databaseValue]).first?.id
        }
        guard row.summary.verifications == 0, row.hasName else { return nil }
        return try rows(
            InputRow.self, where: "name = ? AND size > ? AND faults = 0",
            [StoredText.cell(row.name), size.databaseValue]
        ).first?.id
    }
}
