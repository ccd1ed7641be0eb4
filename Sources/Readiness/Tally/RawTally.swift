package import Verifications

/// What queries have counted, before it is known which of the verifications are believed.
///
/// Whether a function's SDK writes labels shows only once everything was read: so what carries the label and what does
/// not is counted apart, and ``resolved(_:)`` decides. Raw tallies form a commutative monoid under ``merge(_:)``.
package struct RawTally: Hashable, Sendable {
    package private(set) var functions: [FunctionIdentity: RawFunction] = [:]
    package private(set) var projects: [ExactName: ProjectTally] = [:]

    package init() {}

    package mutating func add(_ function: RawFunction, for identity: FunctionIdentity) {
        // Most often there was nothing: what was counted is taken over then, not added up anew.
        if functions[identity]?.merge(function) == nil { functions[identity] = function }
    }

    package mutating func update(_ identity: FunctionIdentity, _ change: (inout RawFunction) -> Void) {
        change(&functions[identity, default: RawFunction()])
    }

    /// The projects of functions, and those of a standard-error log.
    package var projectNames: Set<ExactName> { Set(functions.keys.map { ExactName($0.project) }).union(projects.keys) }

    package mutating func add(_ project: ProjectTally, for name: ExactName) {
        projects[name, default: ProjectTally()].merge(project)
    }

    package mutating func merge(_ other: RawTally) {
        for (identity, function) in other.functions { add(function, for: identity) }
        for (name, project) in other.projects { add(project, for: name) }
    }

    /// Takes what another query has counted: of verifications that both may have counted the larger number stays.
    package mutating func mergeLarger(_ other: RawTally) {
        for (identity, counted) in other.functions {
            update(identity) { function in
                if let theirs = counted.label { function.label = min(function.label ?? theirs, theirs) }
                for provenance in Provenance.allCases where !counted[provenance].isEmpty {
                    function.update(provenance) { $0.mergeLarger(counted[provenance]) }
                }
            }
        }
        for (name, project) in other.projects { add(project, for: name) }
    }

    /// What is believed, and what becomes of the rest in an input that has counted nothing of it yet.
    package func resolved(_ input: inout InputSummary) -> Tally {
        var tally = Tally()
        for function in functions.values { input.add(function) }
        let withMessages = Set(functions.lazy.filter { !$0.value.labelled.isEmpty }.map { ExactName($0.key.project) })
        for (identity, raw) in functions {
            let hasMessages = withMessages.contains(ExactName(identity.project))
            var (function, newest) = raw.resolved(&input, hasMessages: hasMessages)
            guard function.totals.total > 0 else { continue }
            function.label = raw.label
            tally.add(function, for: identity)
            if let newest { tally.updateNewest(newest) }
        }
        for (name, project) in projects { tally.add(project, for: name) }
        return tally
    }
}

/// One function's counts by provenance.
package struct RawFunction: Hashable, Sendable {
    /// What was counted of one provenance.
    package struct Part: Hashable, Sendable {
        package var tally = FunctionTally()
        /// The newest one that may decide what a run is judged as of.
        package var newest: Instant?
        /// Copies of what was counted.
        package var copies = 0
        /// What lies outside the time that counts.
        package var filtered = 0

        package init() {}

        package var isEmpty: Bool { self == Part() }

        /// Counts verifications of this provenance that a query has counted.
        package mutating func add(_ counted: CountedVerifications, horizon: Instant) {
            tally.add(counted)
            let instants = counted.instants.map { [$0.lowerBound, $0.upperBound] } ?? []
            if let newest = instants.last(where: { $0 <= horizon }) { updateNewest(newest) }
        }

        /// Takes the counts of another result: of verifications that both may have counted the larger number stays.
        mutating func mergeLarger(_ other: Part) {
            let sum = tally.totals.total + other.tally.totals.total
            tally.mergeLarger(other.tally)
            if let theirs = other.newest { updateNewest(theirs) }
            copies += other.copies + sum - tally.totals.total
            filtered += other.filtered
        }

        /// Takes one into account that may decide what a run is judged as of.
        package mutating func updateNewest(_ instant: Instant) {
            newest = max(newest ?? instant, instant)
        }

        package mutating func merge(_ other: Part) {
            tally.merge(other.tally)
            if let theirs = other.newest { updateNewest(theirs) }
            copies += other.copies
            filtered += other.filtered
        }
    }

    /// With the label, next to the SDK's message.
    package var labelled = Part()
    /// The other two: hardly any function has them as well as the first.
    private var others: [Part] = []
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package var label: ExactName?

    package init() {}

    package subscript(_ provenance: Provenance) -> Part {
        get {
            switch provenance {
            case .labelled: labelled
            case .unlabelled: others.first ?? Part()
            case .labelAlone: others.last ?? Part()
            }
        }
        set {
            if provenance != .labelled, others.isEmpty { others = [Part(), Part()] }
            switch provenance {
            case .labelled: labelled = newValue
            case .unlabelled: others[0] = newValue
            case .labelAlone: others[1] = newValue
            }
        }
    }

    package mutating func update(_ provenance: Provenance, _ change: (inout Part) -> Void) {
        guard provenance != .labelled else { return change(&labelled) }
        if others.isEmpty { others = [Part(), Part()] }
        change(&others[provenance == .unlabelled ? 0 : 1])
    }

    package mutating func merge(_ other: RawFunction) {
        labelled.merge(other.labelled)
        for (provenance, part) in zip([Provenance.unlabelled, .labelAlone], other.others) where !part.isEmpty {
            update(provenance) { $0.merge(part) }
        }
        if let theirs = other.label { label = min(label ?? theirs, theirs) }
    }

    /// What is believed: the labelled ones where there are any, since the function's SDK writes labels then.
    ///
    /// With `hasMessages`, a labelled entry of the project has one: the SDK's own entries have theirs, too.
    fileprivate func resolved(_ input: inout InputSummary, hasMessages: Bool) -> (FunctionTally, newest: Instant?) {
        var discarded = Discarded()
        let (unlabelled, alone) = (self[.unlabelled], self[.labelAlone])
        if hasMessages { discarded.otherMessage += input.ignore(alone) }
        guard !labelled.isEmpty || !hasMessages && !alone.isEmpty else {
            var function = unlabelled.tally
            function.markUnlabelled()
            function.discard(discarded)
            return (function, unlabelled.newest)
        }
        discarded.unlabelled = input.ignore(unlabelled)
        discarded.unlabelledDistinct = unlabelled.tally.totals.total + unlabelled.filtered
        var believed = labelled.isEmpty ? alone : labelled
        discarded.labelledOutside = believed.filtered
        believed.tally.discard(discarded)
        return (believed.tally, believed.newest)
    }
}

extension InputSummary {
    /// Counts all, whether or not it is believed.
    fileprivate mutating func add(_ function: RawFunction) {
        for part in Provenance.allCases.map({ function[$0] }) {
            verifications += part.tally.totals.total
            undated += part.tally.undated.total
            duplicates += part.copies
            filtered += part.filtered
        }
    }

    /// Counts as ignored what was counted otherwise; returns how many records that are.
    fileprivate mutating func ignore(_ part: RawFunction.Part) -> Int {
        let counted = part.tally.totals.total
        verifications -= counted
        undated -= part.tally.undated.total
        duplicates -= part.copies
        filtered -= part.filtered
        let all = counted + part.copies + part.filtered
        ignored += all
        return all
    }
}
