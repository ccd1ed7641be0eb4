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
        let nothing = NothingFound(self)
        if let nothing { notes.append(.nothingFound(nothing)) }
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
        let unread = input.unread.total
        if !input.unread.isEmpty, nothing != .unread(requests: unread) { notes.append(.unread(requests: unread)) }
        return notes
    }

    /// Signs that a part of the log streams was not exported.
    private var streamNotes: [Note] {
        let seen = functions.filter { $0.totals.total > 0 }
        var notes: [Note] = []
        let bySeverity = Dictionary(grouping: seen, by: \.tally.passSeverities)
        if let blind = bySeverity[[]] { notes.append(.passesNotSeen(functions: names(of: blind))) }
        notes += projectsWithoutFailures.map { .failuresNotSeen(project: $0) }
        if let atInfo = bySeverity[.info] { notes.append(.passesAtInfo(functions: names(of: atInfo))) }
        notes += enforcementNotes
        let silent = functions.filter { if case .deployed = $0.listing { true } else { false } }
        if !silent.isEmpty { notes.append(.notCalled(functions: names(of: silent))) }
        return notes
    }

    /// What the policy lacks, or says against the log.
    var enforcementNotes: [Note] {
        let names = names
        return functions.compactMap { function in
            if let doubt = function.assessment.enforcement.doubt {
                return .policyDoubted(function: names[function], doubt)
            }
            return function.missingEntry.map { entry in
                // Where the others of that name are not shown, only the entry knows of them.
                let project: Wording = functions.count > 1 ? "" : entry.project.map { " in \(name: $0)" } ?? ""
                return .enforcedByLog(function: names[function] + project, function.assessment.enforcement, entry)
            }
        }
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
        if input.undated > 0 { notes.append(.undated(count: input.undated)) }
        let pooled = functions.reduce(0) { $0 + $1.tally.pooledDays.total }
        if pooled > 0 { notes.append(.daysPooled(count: pooled)) }
        return notes
    }

    private var classNotes: [Note] {
        var notes: [Note] = []
        func add(_ count: Int, _ note: (Int) -> Note) {
            if count > 0 { notes.append(note(count)) }
        }
        add(total { $0.name == FunctionIdentity.unknown ? $0.totals.total : 0 }) { .unnamed(count: $0) }
        let unplaced = total { function in
            let place = [function.identity.project, function.identity.region]
            let isUnplaced = place.allSatisfy { $0 == FunctionIdentity.unknown }
            return function.name != FunctionIdentity.unknown && isUnplaced ? function.totals.total : 0
        }
        add(unplaced) { .unplaced(count: $0) }
        let other = functions.filter { $0.totals.other > 0 }
        add(other.reduce(0) { $0 + $1.totals.other }) { .otherStatuses(count: $0, functions: names(of: other)) }
        // If this is why there is nothing to show, it was said already.
        if NothingFound(self) != .ignored(count: input.ignored) {
            add(input.ignored - total { $0.tally.discarded.total }) { .ignored(count: $0) }
        }
        let forged = functions.filter { $0.tally.discarded.total > 0 }
        add(forged.count) { _ in
            .discarded(forged.reduce(into: Discarded()) { $0.merge($1.tally.discarded) }, functions: names(of: forged))
        }
        add(input.duplicates) { .duplicates(count: $0) }
        if totals.total > 0 { add(input.filtered) { .filtered(count: $0) } }
        add(countedSources) { .counts(sources: $0) }
        if let widenedDays { notes.append(.wholeDays(widenedDays)) }
        if policy.assumeComplete != .nothing { notes.append(.assumeComplete(policy.assumeComplete)) }
        return notes + reservations
    }

    /// What was accepted, left out or not looked at, which every answer says beside it.
    var reservations: [Note] {
        var notes: [Note] = []
        let labels = names
        let kinds = functions.reduce(into: Set<ClientKind>()) {
            $0.formUnion($1.assessment.policy.numbers.ignoredClients)
        }
        let leftOut = total { $0.assessment.counts.leftOut }
        if leftOut > 0 { notes.append(.leftOut(count: leftOut, kinds: kinds.sorted())) }
        func add(_ note: ([Wording]) -> Note, _ said: (FunctionSummary) -> Wording?) {
            let found = functions.filter(\.isFunction).compactMap { function in said(function).map { (function, $0) } }
            let items = zip(names(of: found.map(\.0)), found).map { name, found -> Wording in "\(name) (\(found.1))" }
            if !items.isEmpty { notes.append(note(items)) }
        }
        notes += functions.compactMap { function in
            let enforcement = function.assessment.enforcement
            if enforcement.state == .staged { return .staged(function: labels[function], function.revisions) }
            return enforcement.recent.map { .refusedRecently(function: labels[function], $0) }
        }
        add(Note.accepted) { $0.assessment.acceptedWording }
        add(Note.few) { $0.assessment.fewWording }
        add(Note.badDays) { $0.assessment.badDayWording }
        let passedOver = Set(functions.flatMap(\.assessment.counts.passedOver)).sorted()
        if !passedOver.isEmpty { notes.append(.passedOver(passedOver)) }
        guard !hidesCallers else { return notes + [.callersNotRead] }
        let unknown = functions.filter { function in
            function.assessment.reasons.contains {
                if case .platforms(.callersUnknown(_, _, isRequired: false)) = $0 { true } else { false }
            }
        }
        if !unknown.isEmpty { notes.append(.callersUnknown(functions: names(of: unknown))) }
        return notes
    }

    /// The first and the last dated verification of all functions shown.
    var span: (first: Instant, last: Instant)? {
        guard
            let first = functions.compactMap(\.tally.first).min(),
            let last = functions.compactMap(\.tally.last).max()
        else { return nil }
        return (first, last)
    }

    /// Projects with days between their first and last on which they have no verification, and those days as ranges.
    ///
    /// A project counts as a whole: a selected function may well have a day without calls.
    var projectGaps: [(project: String, gaps: [ClosedRange<Day>])] {
        Set(functions.map { ExactName($0.identity.project) }).sorted().compactMap { project in
            // Days after the as-of day come from forgeries or another clock: they are noted separately.
            let days = (projects[project] ?? .none).coveredDays.filter { day in asOf.map { day <= $0.day } ?? true }
            let gaps = zip(days, days.dropFirst()).compactMap { earlier, later in
                earlier.distance(to: later) > 1 ? earlier.advanced(by: 1)...later.advanced(by: -1) : nil
            }
            return gaps.isEmpty ? nil : (project.text, gaps)
        }
    }

    /// Projects whose generation 2 functions have no failed verification, and of whose error stream nothing was read;
    /// not where rows show of each of these functions that nothing is missing.
    var projectsWithoutFailures: [String] {
        let shown = functions.filter {
            $0.identity.generation == .second && $0.totals.total > 0 && !$0.assessment.counts.hasAllVerifications
        }
        return Set(shown.map { ExactName($0.identity.project) }).sorted().filter { project in
            !(projects[project] ?? .none).showsFailures
        }.map(\.text)
    }

    private func total(_ count: (FunctionSummary) -> Int) -> Int { functions.reduce(0) { $0 + count($1) } }

    /// `gcloud logging read` reads one day by default; an hour more allows for its own run time.
    private static let shortSpan: Int64 = 25 * 3600
}

extension Assessment {
    /// `every browser: 14 of 14 requests`, of what is accepted.
    fileprivate var acceptedWording: Wording? {
        let names = acceptedRefusals.prefix(2).map { platform -> Wording in
            "\(platform.name.claim): \(Figures.grouped(platform.blocked)) of \(Figures.counted(platform.admitted, "request"))"
        }
        return names.isEmpty ? nil : "\(list: names)"
    }

    /// `at most 0.8 requests a week`, where that decides.
    fileprivate var fewWording: Wording? {
        if case .safety(.few)? = decidingReason { brief } else { nil }
    }

    /// `9 of 36 on 12 Oct`, of the newest.
    fileprivate var badDayWording: Wording? {
        for case .excess(.badDay(let days, _)) in reasons { return days.first.map { "\($0.wording)" } }
        return nil
    }
}

extension FunctionSummary {
    /// False where neither the log nor the policy has anything to say about enforcement.
    var knowsEnforcement: Bool { callers?.isAboutProject == true || assessment.enforcement.policy != nil }

    /// True when by policy enforcement is on, and the log shows that it is off.
    var isEnforcedButOff: Bool { assessment.enforcement.doubt == .off }

    /// What the log says against the policy, for formats without notes; nil where they agree.
    var policyCaution: Wording? {
        if let missingEntry {
            let project: Wording = missingEntry.project.map { " in \(name: $0)" } ?? ""
            return Note.enforcedByLog(
                function: "\(name: name)" + project, assessment.enforcement, missingEntry
            ).wording
        }
        return assessment.enforcement.doubt.map { Note.policyDoubted(function: "\(name: name)", $0).wording }
    }
}

extension StatusMatrix {
    /// Verifications with a status that the SDK does not write, of either token.
    fileprivate var other: Int {
        TokenStatus.allCases.reduce(total(app: .other)) { $1 == .other ? $0 : $0 + self[$1, .other] }
    }
}
