import Readiness
import Verifications

extension Summary {
    /// What would mislead a reader of the counts, the most serious first.
    var notes: [Note] {
        let all = inputNotes + streamNotes + timeNotes + classNotes
        return all.filter(\.isCaution) + all.filter { !$0.isCaution }
    }

    private var inputNotes: [Note] {
        let problems = input.problems.entries
        func first(_ kind: Problem.Kind) -> Problem? { problems.first { $0.kind == kind } }
        var notes: [Note] = []
        if let reason = NothingFound(self) { notes.append(.nothingFound(reason)) }
        notes += problems.compactMap { problem in
            switch problem.kind {
            case .malformedRecord, .oversizedRecord: nil
            case .unexpectedContainer: .unexpectedContainer(problem)
            case .unterminatedArray: .unterminatedArray(problem)
            case .more: .moreProblems(problem)
            default: .unreadable(problem)
            }
        }
        if input.malformed > 0 { notes.append(.malformed(count: input.malformed, first: first(.malformedRecord))) }
        if input.oversized > 0 { notes.append(.oversized(count: input.oversized, first: first(.oversizedRecord))) }
        return notes
    }

    /// Signs that a part of the log streams was not exported.
    private var streamNotes: [Note] {
        let seen = functions.filter { $0.totals.total > 0 }
        var notes: [Note] = []
        let bySeverity = Dictionary(grouping: seen, by: \.tally.passSeverities)
        if let blind = bySeverity[[]] { notes.append(.passesNotSeen(functions: Summary.names(blind))) }
        notes += projectsWithoutFailures.map { .failuresNotSeen(project: $0) }
        if let atInfo = bySeverity[.info] { notes.append(.passesAtInfo(functions: Summary.names(atInfo))) }
        let off = seen.filter(\.isEnforcedButOff)
        if !off.isEmpty { notes.append(.enforcementOff(functions: Summary.names(off))) }
        let on = seen.filter { $0.callers?.enforcement?.state == .on && $0.assessment.verdict != .enforced }
        if !on.isEmpty { notes.append(.enforcementOn(functions: Summary.names(on))) }
        let rollingOut = seen.filter(\.looksLikeRollout)
        if !rollingOut.isEmpty { notes.append(.rolloutLikely(functions: Summary.names(rollingOut))) }
        let silent = functions.filter { if case .deployed = $0.listing { true } else { false } }
        if !silent.isEmpty { notes.append(.notCalled(functions: Summary.names(silent))) }
        return notes
    }

    private var timeNotes: [Note] {
        var notes: [Note] = []
        if let span, span.first.adding(seconds: Summary.shortSpan) >= span.last, input.filtered == 0 {
            notes.append(.shortSpan(first: span.first, last: span.last))
        }
        notes += projectGaps.map { .gaps(project: $0.project, gaps: $0.gaps) }
        if let asOf {
            let later = functions.lazy.filter { $0.tally.last.map { $0.day > asOf.day } ?? false }
                .flatMap(\.tally.days).filter { $0.day > asOf.day }
            let count = later.reduce(0) { $0 + $1.counts.total }
            if count > 0 { notes.append(.afterAsOf(count: count, asOf: asOf.day)) }
        }
        if let last = lastDayOfUnknownProvenance, let asOf, last.distance(to: asOf.day) <= policy.maxWindow {
            notes.append(.unknownProvenance(through: last))
        }
        if input.undated > 0 { notes.append(.undated(count: input.undated)) }
        let pooled = functions.reduce(0) { $0 + $1.tally.pooledDays.total }
        if pooled > 0 { notes.append(.daysPooled(count: pooled)) }
        return notes
    }

    /// How the other records were classed.
    private var classNotes: [Note] {
        var notes: [Note] = []
        func add(_ count: Int, _ note: (Int) -> Note) {
            if count > 0 { notes.append(note(count)) }
        }
        add(total { $0.identity == .pooled }) { .pooled(count: $0) }
        add(total { $0.name == FunctionIdentity.unknown }) { .unnamed(count: $0) }
        add(total { $0.name != FunctionIdentity.unknown && $0.identity.isUnplaced }) { .unplaced(count: $0) }
        let other = functions.filter { $0.totals.hasOther }
        add(other.reduce(0) { $0 + $1.totals.other }) {
            .otherStatuses(count: $0, functions: Summary.names(other))
        }
        // If this is why there is nothing to show, it was said already.
        if NothingFound(self) != .ignored(count: input.ignored) { add(input.ignored) { .ignored(count: $0) } }
        add(input.duplicates) { .duplicates(count: $0) }
        // If all are, that was said already.
        if totals.total > 0 { add(input.filtered) { .filtered(count: $0) } }
        if input.sources > 1 { add(sourcesWithoutFingerprints) { .copiesNotSeen(sources: $0) } }
        add(countedSources) { .counts(sources: $0) }
        if let widenedDays { notes.append(.wholeDays(widenedDays)) }
        if policy.assumeComplete != .nothing { notes.append(.assumeComplete(policy.assumeComplete)) }
        return notes
    }

    /// Each name once: a function may run in several regions.
    private static func names(_ functions: [FunctionSummary]) -> [String] {
        var seen: Set<ExactName> = []
        return functions.map(\.name).filter { seen.insert(ExactName($0)).inserted }
    }

    private func total(where isIncluded: (FunctionSummary) -> Bool) -> Int {
        functions.reduce(0) { isIncluded($1) ? $0 + $1.totals.total : $0 }
    }

    /// `gcloud logging read` reads one day by default; an hour more allows for its own run time.
    private static let shortSpan: Int64 = 25 * 3600
}

extension FunctionSummary {
    /// True when by policy enforcement is on, and the log shows that it is off.
    var isEnforcedButOff: Bool { assessment.verdict == .enforced && callers?.enforcement?.state == .off }

    /// What the log says against the policy, for formats without notes; nil where they agree.
    var policyCaution: Wording? { isEnforcedButOff ? Note.enforcementOff(functions: [name]).wording : nil }

    /// True when the verdict is about bad tokens, and at least half of them are placeholders from iOS apps.
    fileprivate var looksLikeRollout: Bool {
        guard assessment.verdict == .investigate, let causes = callers?.causes, let clients = callers?.clients else {
            return false
        }
        return 2 * clients.callers.iOSPlaceholders >= causes.counts.reduce(0, +)
    }
}

extension FunctionIdentity {
    fileprivate var isUnplaced: Bool {
        self != .pooled && project == FunctionIdentity.unknown && region == FunctionIdentity.unknown
    }
}

extension StatusMatrix {
    /// Verifications with a status that the SDK does not write, of either token.
    fileprivate var other: Int {
        TokenStatus.allCases.reduce(total(app: .other)) { $1 == .other ? $0 : $0 + self[$1, .other] }
    }

    fileprivate var hasOther: Bool {
        other > 0
    }
}
