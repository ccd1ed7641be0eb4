package import Verifications

/// What a history has counted next to verifications: sums by day.
///
/// Which provenance a function's verifications have that count is known when the store is read, as a labelled one may
/// come later: so the sums are kept by provenance, too.
package struct StoredEvidence: Sendable {
    /// What was counted together.
    package struct Key: Hashable, Sendable {
        /// Keyed hash of the function: a row may come before anything else is known of it.
        package let service: UInt64
        /// Of the verifications that rows and lines were joined with.
        package let provenance: Provenance

        package init(service: UInt64, provenance: Provenance) {
            self.service = service
            self.provenance = provenance
        }
    }

    /// Those of one run may have fewer than none of ``CallerDay/unlogged``: the verification of an earlier run's row.
    package private(set) var callers: [Key: FunctionCallers] = [:]
    /// The newest day of which evidence may be missing; nil when all is there.
    package var incompleteThrough: Day?
    /// Functions whose verifications count.
    package var believed: [FunctionIdentity: Provenance] = [:]

    package init() {}

    package mutating func add(_ found: FunctionCallers, for key: Key) { callers[key] = found }

    /// Changes a day, which is made when it is new.
    package mutating func update(_ key: Key, _ day: Day, _ change: (inout CallerDay) -> Void) {
        callers[key, default: FunctionCallers()].update(day, change)
    }

    /// What a log would show of the functions.
    ///
    /// - Parameters:
    ///   - tally: The functions.
    ///   - range: The days that count.
    ///   - hash: Keyed hash of a function.
    /// - Returns: Nil where nothing was kept of any function.
    package func evidence(
        of tally: Tally, in range: WholeDays, hash: (FunctionIdentity) -> UInt64
    ) -> CallEvidence? {
        guard !callers.isEmpty || incompleteThrough == nil else { return nil }
        var functions: [FunctionIdentity: FunctionCallers] = [:]
        var apps: [ExactName: Set<String>] = [:]
        for (identity, function) in tally.functions {
            guard let believed = believed[identity] else { continue }
            let found = sum(hash(identity), function.provenance(of: believed), range)
            guard !found.days.isEmpty else { continue }
            functions[identity] = found
            apps[ExactName(identity.project), default: []].formUnion(found.apps)
        }
        var evidence = CallEvidence()
        for (identity, var found) in functions {
            found.tellExtensions(apps[ExactName(identity.project), default: []])
            found.trim()
            evidence.add(found, for: identity)
        }
        evidence.givenUpThrough = incompleteThrough
        evidence.hasAddresses = false
        return evidence
    }

    /// Rows are rows whatever they were joined with; of those joined with what is not believed no verification counts.
    private func sum(_ service: UInt64, _ believed: Provenance, _ range: WholeDays) -> FunctionCallers {
        var sum = FunctionCallers()
        for provenance in Provenance.allCases {
            guard let callers = callers[Key(service: service, provenance: provenance)] else { continue }
            for (day, found) in callers.days where range.contains(day) {
                sum.update(day) { day in
                    if provenance == believed {
                        day.merge(found)
                    } else {
                        day.rows += found.rows
                        day.successes += found.successes
                        day.unlogged += found.successes
                    }
                }
            }
        }
        return sum
    }
}
