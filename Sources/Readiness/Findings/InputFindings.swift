package import Verifications

extension Finding.Code {
    static func caution(_ name: String, _ display: Finding.Display = []) -> Finding.Code {
        Finding.Code(name, .advice, .caution, display)
    }

    /// Each kind of problem, by its own name.
    package static let problems = Dictionary(
        uniqueKeysWithValues: Problem.Kind.allCases.map { kind in
            let name = kind == .more ? "more-problems" : kind.rawValue
            return (kind, kind == .unterminatedArray ? Finding.Code(name) : caution(name))
        })
    /// Its first problem is missing where its place was not kept.
    package static let malformed = caution("malformed")
    package static let oversized = caution("oversized")
    /// Without a value if the number is unknown.
    package static let unread = caution("unread", .inAnswers)
    /// A name that was selected, which comes first, matches functions of several projects.
    package static let severalProjects = caution("several-projects", .inAnswers)
    /// All requests lie within a day, as in an export of one.
    package static let shortSpan = caution("short-span")
    /// Requests later than the time that was named.
    package static let afterAsOf = caution("after-as-of", .countedOnly)
    /// Requests later than the clock allows: it is wrong, or timestamps are.
    package static let afterClock = caution("after-clock", .inAnswers)
    package static let undated = caution("undated")
    /// Requests of functions with more days than are kept apart.
    package static let daysPooled = caution("days-pooled", .countedOnly)
    /// Requests that do not name their function.
    package static let unnamed = caution("unnamed")
    /// Requests with neither project nor region.
    package static let unplaced = caution("unplaced")
    package static let ignored = Finding.Code("ignored")
    package static let duplicates = Finding.Code("duplicates")
    package static let filtered = Finding.Code("filtered")
    /// Results of queries that have counted.
    package static let counts = caution("counts")
    /// Bounds in time took whole days.
    package static let wholeDays = Finding.Code("whole-days")
    package static let assumeComplete = caution("assume-complete")
    /// The functions in ``Finding/names`` have requests, and no entry of the SDK: none of any function passed at DEBUG.
    package static let withoutEntries = caution("without-entries", .inAnswers)
    package static let callersNotRead = caution("callers-not-read", .inAnswers)
}

/// Findings that warn readers of the counts of any function.
enum InputFindings {
    static func find(_ summary: Summary) -> [Finding] {
        ofReading(summary) + ofSelection(summary) + ofTime(summary) + ofIdentity(summary) + ofClasses(summary)
    }

    private static func counted(_ code: Finding.Code, _ count: Int, problem: Problem? = nil) -> Finding? {
        count > 0 ? Finding(code: code, value: Double(count), problems: [problem].compactMap(\.self)) : nil
    }

    private static func ofReading(_ summary: Summary) -> [Finding] {
        let (input, nothing) = (summary.input, summary.nothingFound)
        let problems = input.problems.entries
        func first(_ kind: Problem.Kind) -> Problem? { problems.first { $0.kind == kind } }
        let unread = Finding(code: .unread, value: input.unread.total.map(Double.init))
        return [nothing].compactMap(\.self)
            + problems.compactMap { problem in
                [.malformedRecord, .oversizedRecord].contains(problem.kind)
                    ? nil : Finding.Code.problems[problem.kind].map { Finding(code: $0, problems: [problem]) }
            }
            + [
                counted(.malformed, input.malformed, problem: first(.malformedRecord)),
                counted(.oversized, input.oversized, problem: first(.oversizedRecord)),
                // If this is why there is nothing to show, it is reported already, and without records by a problem.
                input.unread.isEmpty || input.records == 0 || nothing?.code == .allUnread ? nil : unread,
            ].compactMap(\.self)
    }

    /// Names that mean functions of several projects, unless every name does.
    private static func ofSelection(_ summary: Summary) -> [Finding] {
        guard summary.selection.projects.isEmpty else { return [] }
        let functions = summary.functions.filter(\.isFunction)
        let named = summary.selection.functions.isEmpty ? [:] : functions.namesWithRows
        return summary.selection.functions.compactMap { pattern in
            guard pattern.pattern.contains(where: { $0 != "*" }) else { return nil }
            let matches = pattern.only.map { named[$0] ?? [] } ?? functions.filter { pattern.matches($0) }
            let projects = Set(matches.map { ExactName($0.identity.project) }).sorted().map(\.text)
            guard projects.count > 1 else { return nil }
            return Finding(code: .severalProjects, value: Double(projects.count), names: [pattern.pattern] + projects)
        }
    }

    private static func ofTime(_ summary: Summary) -> [Finding] {
        let functions = summary.functions
        // Where all are later, that is the reason why there is nothing to show.
        let later = summary.nothingFound == nil ? summary.input.later : 0
        let isShort = summary.span.map { $0.first.adding(seconds: shortSpan) >= $0.last } ?? false
        return [
            isShort && summary.input.filtered == 0 ? Finding(code: .shortSpan) : nil,
            counted(summary.isAsOfNamed ? .afterAsOf : .afterClock, later),
            counted(.undated, summary.input.undated),
            counted(.daysPooled, functions.reduce(0) { $0 + $1.table.pooledDays.total }),
        ].compactMap(\.self)
    }

    /// `gcloud logging read` reads one day by default; an hour more allows for its own run time.
    private static let shortSpan: Int64 = 25 * 3600

    private static func ofIdentity(_ summary: Summary) -> [Finding] {
        func requests(where isWanted: (FunctionSummary) -> Bool) -> Int {
            summary.functions.reduce(0) { isWanted($1) ? $0 + $1.totals.total : $0 }
        }
        let unnamed = requests { $0.name == FunctionIdentity.unknown }
        let unplaced = requests { function in
            let place = [function.identity.project, function.identity.region]
            return function.name != FunctionIdentity.unknown && place.allSatisfy { $0 == FunctionIdentity.unknown }
        }
        return [counted(.unnamed, unnamed), counted(.unplaced, unplaced)].compactMap(\.self)
    }

    /// Where requests that passed are there, what has none is not callable.
    private static func withoutEntries(_ summary: Summary) -> Finding? {
        guard summary.nothingFound == nil, !summary.withoutEntries.isEmpty, !summary.hasDebugPasses else {
            return nil
        }
        return Finding(
            code: .withoutEntries, value: Double(summary.withoutEntries.count), names: summary.withoutEntries)
    }

    private static func ofClasses(_ summary: Summary) -> [Finding] {
        let input = summary.input
        let isReported = summary.nothingFound?.code == .allIgnored
        let ignored = isReported ? 0 : input.ignored - summary.functions.reduce(0) { $0 + $1.table.discarded.total }
        let hasRequests = summary.functions.contains { $0.totals.total > 0 }
        return [
            counted(.ignored, ignored), counted(.duplicates, input.duplicates),
            withoutEntries(summary), counted(.filtered, hasRequests ? input.filtered : 0),
            counted(.counts, summary.countedSources),
            summary.widenedDays.map { _ in Finding(code: .wholeDays) },
            summary.policy.assumeComplete == .nothing ? nil : Finding(code: .assumeComplete),
            summary.hidesCallers ? Finding(code: .callersNotRead) : nil,
        ].compactMap(\.self)
    }
}
