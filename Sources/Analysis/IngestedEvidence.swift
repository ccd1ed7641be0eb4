package import Readiness
package import Verifications

/// Rows, lines and verifications of the inputs that one run adds to a history.
///
/// What belongs together may be in several of them, so that they are joined in the end. Verifications that were counted
/// on an earlier night are among them: a row may come a night later than they.
package final class IngestedEvidence {
    private let seen: SeenVerifications
    private let store: EvidenceStore
    private var hashes: [UInt64: FunctionIdentity] = [:]
    private var versions = ClientVersions()
    private var hasNamedExecutions = false
    private var hasUnnamedExecutions = false
    private var givenUpThrough: Day?

    package init(openLimit: Int) {
        seen = SeenVerifications(requestLimit: openLimit)
        store = EvidenceStore(limit: openLimit)
    }

    /// Takes what was read of an input.
    package func add(_ input: LogAnalysis.RawResult) {
        guard let evidence = input.evidence else { return }
        let state = evidence.store.take()
        givenUpThrough = [givenUpThrough, state.givenUpThrough, evidence.seen.givenUpThrough].compactMap { $0 }.max()
        seen.add(evidence.seen)
        store.add(state)
        store.settle(with: seen)
        hashes.merge(input.hashes) { first, _ in first }
        versions.merge(input.versions)
        hasNamedExecutions = hasNamedExecutions || input.hasNamedExecutions
        hasUnnamedExecutions = hasUnnamedExecutions || input.hasUnnamedExecutions
    }

    /// Joins all that was taken; call this once.
    ///
    /// - Parameter ledger: Knows what was counted in earlier runs.
    /// - Returns: What is new.
    package func joined(with ledger: any EvidenceLedger) -> StoredEvidence {
        var state = store.take()
        guard !state.services.isEmpty else { return StoredEvidence() }
        if hasNamedExecutions, hasUnnamedExecutions { seen.settleCopies() }
        versions.trim()
        var join = EvidenceJoin(
            seen, services: state.services, hashes: hashes, believed: seen.believed, versions: versions,
            range: TimeRange(), countsCopies: false, ledger: ledger)
        let given = [givenUpThrough, state.givenUpThrough, seen.givenUpThrough].compactMap { $0 }.max()
        let rows = state.rows.takeElements()
        var evidence = join.newEvidence(rows: rows, lines: state.lines.takeElements())
        evidence.incompleteThrough = given
        return evidence
    }
}

extension SeenVerifications {
    private static let longestBatch = 4096

    /// Takes the verifications of another set, but for those that do not count there.
    fileprivate func add(_ other: SeenVerifications) {
        let numbers = other.names.map { $0 == .pooled ? 0 : number(of: $0) }
        var waiting: [SeenCandidate] = []
        other.forEachCandidate { candidate in
            guard !candidate.record.isGone else { return }
            waiting.append(candidate.numbered(numbers[Int(candidate.record.function)]))
            guard waiting.count == SeenVerifications.longestBatch else { return }
            insert(waiting) { _, _ in }
            waiting.removeAll(keepingCapacity: true)
        }
        insert(waiting) { _, _ in }
    }

    /// Of which provenance the verifications of each function are that count.
    fileprivate var believed: [FunctionIdentity: Provenance] {
        var found: [UInt32: Set<Provenance>] = [:]
        forEach { found[$0.function, default: []].insert($0.provenance) }
        let names = names
        var believed: [FunctionIdentity: Provenance] = [:]
        for (function, provenances) in found where function != 0 {
            believed[names[Int(function)]] = Provenance.inOrderOfBelief.first(where: provenances.contains)
        }
        return believed
    }
}
