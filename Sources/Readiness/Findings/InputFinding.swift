package import Verifications

/// What would mislead a reader of the counts, whichever function they are of.
package enum InputFinding: Hashable, Sendable {
    case nothing(NothingFound)
    case problem(Problem)
    /// The first of them is nil where its place was not kept.
    case malformed(records: Int, first: Problem?)
    case oversized(records: Int, first: Problem?)
    /// Nil if the number is unknown.
    case unread(requests: Int?)
    /// A name that was selected matches functions of several projects.
    case severalProjects(pattern: String, [String])
    /// All requests lie within a day, as in an export of one.
    case shortSpan(seconds: Int64)
    /// Requests after the day of T; `isTyped` where somebody chose T.
    case afterAsOf(requests: Int, Day, isTyped: Bool)
    case undated(requests: Int)
    /// Requests of functions with more days than are kept apart.
    case daysPooled(requests: Int)
    /// Requests that do not name their function.
    case unnamed(requests: Int)
    /// Requests with neither project nor region.
    case unplaced(requests: Int)
    case ignored(entries: Int)
    case duplicates(entries: Int)
    case filtered(requests: Int)
    /// Results of queries that have counted.
    case counts(inputs: Int)
    /// Bounds in time took whole days.
    case wholeDays(WholeDays)
    case assumeComplete(AssumeComplete)
    case callersNotRead

    package var facts: Finding {
        func caution(_ code: String, _ value: Int? = nil, _ display: Finding.Display = []) -> Finding {
            .init(code, .advice, value: value.map(Double.init), .caution, display)
        }
        func note(_ code: String, _ value: Int? = nil) -> Finding {
            .init(code, .advice, value: value.map(Double.init))
        }
        return switch self {
        case .nothing: caution("nothing-found")
        case .problem(let problem):
            switch problem.kind {
            case .unterminatedArray: note(problem.kind.rawValue)
            case .more: caution("more-problems")
            default: caution(problem.kind.rawValue)
            }
        case .malformed(let records, _): caution("malformed", records)
        case .oversized(let records, _): caution("oversized", records)
        case .unread(let requests): caution("unread", requests, .inAnswers)
        case .severalProjects(_, let projects): caution("several-projects", projects.count, .inAnswers)
        case .shortSpan: caution("short-span")
        case .afterAsOf(let requests, _, _): caution("after-as-of", requests, .countedOnly)
        case .undated(let requests): caution("undated", requests)
        case .daysPooled(let requests): caution("days-pooled", requests, .countedOnly)
        case .unnamed(let requests): caution("unnamed", requests)
        case .unplaced(let requests): caution("unplaced", requests)
        case .ignored(let entries): note("ignored", entries)
        case .duplicates(let entries): note("duplicates", entries)
        case .filtered(let requests): note("filtered", requests)
        case .counts(let inputs): caution("counts", inputs)
        case .wholeDays: note("whole-days")
        case .assumeComplete: caution("assume-complete")
        case .callersNotRead: caution("callers-not-read", nil, .inAnswers)
        }
    }
}

extension InputFinding {
    static func find(_ summary: Summary) -> [InputFinding] {
        ofReading(summary) + ofSelection(summary) + ofTime(summary) + ofIdentity(summary) + ofClasses(summary)
    }

    private static func ofReading(_ summary: Summary) -> [InputFinding] {
        let (input, nothing) = (summary.input, NothingFound(summary))
        let problems = input.problems.entries
        let unread = input.unread.total
        // If this is why there is nothing to show, it is reported already.
        let isReported = nothing.map { if case .unread = $0 { true } else { false } } ?? false
        return [nothing.map { .nothing($0) }].compactMap { $0 }
            + problems.filter { ![.malformedRecord, .oversizedRecord].contains($0.kind) }.map { .problem($0) }
            + [
                input.malformed > 0
                    ? .malformed(records: input.malformed, first: problems.first { $0.kind == .malformedRecord }) : nil,
                input.oversized > 0
                    ? .oversized(records: input.oversized, first: problems.first { $0.kind == .oversizedRecord }) : nil,
                input.unread.isEmpty || isReported ? nil : .unread(requests: unread),
            ].compactMap { $0 }
    }

    /// Names that mean functions of several projects, unless every name does.
    private static func ofSelection(_ summary: Summary) -> [InputFinding] {
        guard summary.selection.projects.isEmpty else { return [] }
        let functions = summary.functions.filter(\.isFunction)
        let named = summary.selection.functions.isEmpty ? [:] : functions.namesWithRows
        return summary.selection.functions.compactMap { pattern in
            guard pattern.pattern.contains(where: { $0 != "*" }) else { return nil }
            let matches = pattern.only.map { named[$0] ?? [] } ?? functions.filter { pattern.matches($0) }
            let projects = Set(matches.map { ExactName($0.identity.project) }).sorted().map(\.text)
            return projects.count > 1 ? .severalProjects(pattern: pattern.pattern, projects) : nil
        }
    }

    private static func ofTime(_ summary: Summary) -> [InputFinding] {
        let functions = summary.functions
        var findings: [InputFinding] = []
        if let span = summary.span, span.first.adding(seconds: shortSpan) >= span.last, summary.input.filtered == 0 {
            findings.append(.shortSpan(seconds: span.last.seconds - span.first.seconds))
        }
        if let day = summary.asOf?.day {
            let later = functions.lazy.flatMap(\.tally.days).filter { $0.day > day }.reduce(0) { $0 + $1.counts.total }
            let isTyped = summary.typedOptions.contains("--as-of")
            if later > 0 { findings.append(.afterAsOf(requests: later, day, isTyped: isTyped)) }
        }
        if summary.input.undated > 0 { findings.append(.undated(requests: summary.input.undated)) }
        let pooled = functions.reduce(0) { $0 + $1.tally.pooledDays.total }
        if pooled > 0 { findings.append(.daysPooled(requests: pooled)) }
        return findings
    }

    /// `gcloud logging read` reads one day by default; an hour more allows for its own run time.
    private static let shortSpan: Int64 = 25 * 3600

    private static func ofIdentity(_ summary: Summary) -> [InputFinding] {
        func requests(where isWanted: (FunctionSummary) -> Bool) -> Int {
            summary.functions.reduce(0) { isWanted($1) ? $0 + $1.totals.total : $0 }
        }
        let unnamed = requests { $0.name == FunctionIdentity.unknown }
        let unplaced = requests { function in
            let place = [function.identity.project, function.identity.region]
            return function.name != FunctionIdentity.unknown && place.allSatisfy { $0 == FunctionIdentity.unknown }
        }
        return [
            unnamed > 0 ? .unnamed(requests: unnamed) : nil, unplaced > 0 ? .unplaced(requests: unplaced) : nil,
        ].compactMap { $0 }
    }

    private static func ofClasses(_ summary: Summary) -> [InputFinding] {
        let input = summary.input
        let isReported = NothingFound(summary) == .ignored(count: input.ignored)
        let ignored = isReported ? 0 : input.ignored - summary.functions.reduce(0) { $0 + $1.tally.discarded.total }
        let hasRequests = summary.functions.contains { $0.totals.total > 0 }
        return [
            ignored > 0 ? .ignored(entries: ignored) : nil,
            input.duplicates > 0 ? .duplicates(entries: input.duplicates) : nil,
            input.filtered > 0 && hasRequests ? .filtered(requests: input.filtered) : nil,
            summary.countedSources > 0 ? .counts(inputs: summary.countedSources) : nil,
            summary.widenedDays.map { .wholeDays($0) },
            summary.policy.assumeComplete == .nothing ? nil : .assumeComplete(summary.policy.assumeComplete),
            summary.hidesCallers ? .callersNotRead : nil,
        ].compactMap { $0 }
    }
}
