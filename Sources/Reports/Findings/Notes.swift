import Readiness
import Verifications

extension Summary {
    /// What would mislead a reader of the counts, the most serious first.
    var notes: [Finding] {
        let all = inputNotes + selectionNotes + streamNotes + timeNotes + classNotes + reservations
        return all.filter(\.isCaution) + all.filter { !$0.isCaution }
    }

    // MARK: The input

    private var inputNotes: [Finding] {
        let nothing = NothingFound(self)
        var notes = [nothing.map { Finding("nothing-found", .caution, $0.wording) }].compactMap { $0 }
        notes += input.problems.entries.compactMap { problem in
            switch problem.kind {
            case .malformedRecord, .oversizedRecord: nil
            case .more: Finding("more-problems", .caution, "\(sentence: problem.detail)")
            case .unterminatedArray: Finding(problem.kind.rawValue, .note, Summary.located(problem))
            default: Finding(problem.kind.rawValue, .caution, Summary.located(problem))
            }
        }
        func first(_ kind: Problem.Kind) -> Wording {
            guard let problem = input.problems.entries.first(where: { $0.kind == kind }), let source = problem.source
            else { return "" }
            let record = problem.record.map { ", record \(Figures.grouped($0))" } ?? ""
            return " (first: \(Summary.name(of: source))\(record))"
        }
        let (malformed, oversized) = (input.malformed, input.oversized)
        if malformed > 0 {
            let (shows, are) = malformed == 1 ? ("shows", "is") : ("show", "are")
            notes.append(
                Finding(
                    "malformed", .caution, value: malformed,
                    """
                    \(Figures.counted(malformed, "record")) \(shows) the verification label but \(are) not valid JSON, and \
                    \(are) not counted\(first(.malformedRecord)). The log was cut or edited: export it again.
                    """))
        }
        if oversized > 0 {
            let (them, those) =
                oversized == 1
                ? ("it", "was skipped: if it was a verification, it is not counted")
                : ("them", "were skipped: verifications among them are not counted")
            notes.append(
                Finding(
                    "oversized", .caution, value: oversized,
                    """
                    \(Figures.counted(oversized, "record")) longer than the limit \(those)\(first(.oversizedRecord)). \
                    Raise \(code: "max-record-bytes") to read \(them).
                    """))
        }
        let unread = input.unread.total
        if !input.unread.isEmpty, nothing != .unread(requests: unread) {
            notes.append(
                Finding(
                    "unread", .caution, value: unread,
                    """
                    \(Summary.unread(unread)) If that could change a verdict, it is held back (\(code: "uncounted")). Fix \
                    that part of the log, or export it again.
                    """))
        }
        return notes
    }

    static func unread(_ requests: Int?) -> Wording {
        requests.map { "Up to \(Figures.counted($0, "more request")) could not be read." }
            ?? "A part of the input could not be read. It may contain any number of requests."
    }

    private static func located(_ problem: Problem) -> Wording {
        let place = problem.byteOffset.map { ", byte \(Figures.grouped($0))" } ?? ""
        return "\(name(of: problem.source))\(place) (\(problem.kind.rawValue)): \(sentence: problem.detail)"
    }

    private static func name(of source: String?) -> Wording {
        guard let source, source != "-" else { return "standard input" }
        return "\(name: source)"
    }

    /// Names that mean functions of several projects, unless every name does.
    var selectionNotes: [Finding] {
        guard selection.projects.isEmpty else { return [] }
        return selection.functions.compactMap { pattern in
            guard pattern.pattern.contains(where: { $0 != "*" }) else { return nil }
            let matches = functions.filter { $0.isFunction && pattern.matches($0) }
            let projects = Set(matches.map { ExactName($0.identity.project) }).sorted().map(\.text)
            guard projects.count > 1 else { return nil }
            return Finding(
                "several-projects", .caution, value: projects.count,
                """
                \(name: pattern.pattern) matches functions of \(Figures.grouped(projects.count)) projects: \
                \(names: projects). Select one with \(code: "--project").
                """)
        }
    }

    // MARK: Streams and enforcement

    /// Signs that a part of the log was not exported, and what the log says against the policy.
    private var streamNotes: [Finding] {
        func having(_ holds: (Reason) -> Bool) -> [FunctionSummary] {
            functions.filter { $0.assessment.reasons.contains(where: holds) }
        }
        var notes: [Finding?] = []
        let blind = having { if case .passes(.notSeen) = $0 { true } else { false } }
        notes.append(
            Finding("passes-not-seen", .caution, of: blind) { functions in
                """
                \(list: names(of: functions)): the log lacks passed requests.
                """ + " " + Passes.lost
            })
        let unseen = having { if case .failures(.notSeen) = $0 { true } else { false } }
        notes += Set(unseen.map { ExactName($0.identity.project) }).sorted().map { project in
            Finding(
                "failures-not-seen", .caution, about: .project(project.text),
                "\(name: project.text): " + Failures.notSeen.words.sentence())
        }
        let atInfo = functions.filter { $0.totals.total > 0 && $0.tally.passSeverities == .info }
        notes.append(
            Finding("passes-at-info", .note, of: atInfo) { functions in
                """
                \(list: names(of: functions)) \(functions.count == 1 ? "logs" : "log") passes at INFO, as \
                firebase-functions 3.x and Python do. Version 3.x refuses INVALID tokens already and has no \
                \(code: "enforceAppCheck"): upgrade to 4 or newer before you enforce.
                """
            })
        notes += enforcementNotes
        let silent = functions.filter { if case .deployed = $0.listing { true } else { false } }
        notes.append(
            Finding("not-called", .note, of: silent) { functions in
                let (are, them) = functions.count == 1 ? ("is", "it") : ("are", "them")
                return """
                    \(list: names(of: functions)) \(are) deployed, but nobody calls \(them). If the app has not launched \
                    yet, enforce now: nobody can be refused. If it has, callcheck cannot tell.
                    """
            })
        return notes.compactMap { $0 }
    }

    /// What the policy lacks, or contradicts.
    var enforcementNotes: [Finding] {
        let names = names
        return functions.compactMap { function in
            function.enforcementNote { function in
                // Where the others of that name are not shown, only the entry knows of them.
                let project = functions.count > 1 ? nil : function.missingEntry?.project
                return names[function] + (project.map { " in \(name: $0)" } ?? "")
            }
        }
    }

    // MARK: Time

    private var timeNotes: [Finding] {
        var notes: [Finding] = []
        if let span, span.first.adding(seconds: Summary.shortSpan) >= span.last, input.filtered == 0 {
            notes.append(
                Finding(
                    "short-span", .caution,
                    """
                    The input spans only \(Figures.duration(seconds: span.last.seconds - span.first.seconds)): \
                    \(code: "gcloud logging read") reads one day by default. To cover weekdays and weekends, \
                    export again with \(code: "--freshness=35d").
                    """))
        }
        notes += Set(functions.map { ExactName($0.identity.project) }).sorted().compactMap(gapNote)
        if let asOf {
            let later = functions.lazy.flatMap(\.tally.days).filter { $0.day > asOf.day }
                .reduce(0) { $0 + $1.counts.total }
            if later > 0 {
                let advice: Wording =
                    typedOptions.contains("--as-of") ? "" : " A clock is wrong, or timestamps are forged."
                notes.append(
                    Finding(
                        "after-as-of", .caution, value: later,
                        """
                        \(Figures.counted(later, "request")) \(later == 1 ? "is" : "are") from days after \
                        \(CalendarText.day(asOf.day)), the as-of day: shown in the counts, not judged.
                        """ + advice))
            }
        }
        if input.undated > 0 {
            notes.append(
                Finding(
                    "undated", .caution, value: input.undated,
                    """
                    \(Figures.counted(input.undated, "request")) \(input.undated == 1 ? "has" : "have") no timestamp: \
                    they are in the totals but do not affect verdicts. Export whole log entries, with their \(code: "timestamp").
                    """))
        }
        let pooled = functions.reduce(0) { $0 + $1.tally.pooledDays.total }
        if pooled > 0 {
            notes.append(
                Finding(
                    "days-pooled", .caution, value: pooled,
                    """
                    \(Figures.counted(pooled, "request")) of functions with more than \
                    \(Figures.grouped(FunctionTally.dayLimit)) days \(pooled == 1 ? "is" : "are") in the totals but do not \
                    affect verdicts. No log is that long: look for forged timestamps.
                    """))
        }
        return notes
    }

    /// Days without a verification of a project that nothing excuses.
    private func gapNote(_ project: ExactName) -> Finding? {
        let days = gaps(inProject: project)
        let runs = days.reduce(into: [ClosedRange<Day>]()) { runs, day in
            if let last = runs.last, last.upperBound.distance(to: day) == 1 {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        guard !runs.isEmpty else { return nil }
        let shown = runs.prefix(3).map { CalendarText.span(from: $0.lowerBound, to: $0.upperBound) }
        return Finding(
            "coverage-gap", .caution, about: .project(project.text), value: days.count,
            """
            \(name: project.text): no data for \(days.count == 1 ? "" : "\(Figures.grouped(days.count)) days: ")\
            \(shown.joined(separator: ", "))\(runs.count > shown.count ? " and more" : ""). If functions were called then, \
            export \(days.count == 1 ? "that day" : "those days") again.
            """)
    }

    // MARK: Classes of entries

    private var classNotes: [Finding] {
        var notes: [Finding] = []
        func add(_ code: String, _ urgency: Finding.Urgency, _ count: Int, _ words: (_ isOne: Bool) -> Wording) {
            if count > 0 { notes.append(Finding(code, urgency, value: count, words(count == 1))) }
        }
        let unnamed = total { $0.name == FunctionIdentity.unknown ? $0.totals.total : 0 }
        add("unnamed", .caution, unnamed) { isOne in
            """
            \(Figures.counted(unnamed, "request")) \(isOne ? "does" : "do") not name the function: see the row \
            \(name: FunctionIdentity.unknown). Export whole log entries, with their resource, to tell them apart.
            """
        }
        let unplaced = total { function in
            let place = [function.identity.project, function.identity.region]
            let isUnplaced = place.allSatisfy { $0 == FunctionIdentity.unknown }
            return function.name != FunctionIdentity.unknown && isUnplaced ? function.totals.total : 0
        }
        add("unplaced", .caution, unplaced) { isOne in
            """
            \(Figures.counted(unplaced, "request")) \(isOne ? "has" : "have") no project, region or entry ID, so duplicates \
            cannot be found. \(code: "firebase functions:log") prints none of these, and by default only the last 35 lines \
            (\(code: "--lines")). Do not pass the same day twice. For a decision use \(code: "gcloud logging read"); \
            \(code: "callcheck export") prints the command.
            """
        }
        let other = functions.filter { $0.totals.other > 0 }
        let otherNote = Finding("other-status", .caution, of: other) { functions in
            let count = functions.reduce(0) { $0 + $1.totals.other }
            return """
                \(Figures.counted(count, "request")) of \(list: names(of: functions)) \
                \(count == 1 ? "has" : "have") a status that the SDK does not write (OTHER). An App Check token with it \
                is not valid. Look at these entries before you decide.
                """
        }
        if let otherNote { notes.append(otherNote) }
        // If this is why there is nothing to show, it is reported already.
        if NothingFound(self) != .ignored(count: input.ignored) {
            let ignored = input.ignored - total { $0.tally.discarded.total }
            add("ignored", .note, ignored) { isOne in
                """
                \(Figures.counted(ignored, "entry", plural: "entries")) \(isOne ? "is" : "are") ignored: from the \
                emulator, which does not check tokens, or of functions that are not shown.
                """
            }
        }
        let discarded = Finding("discarded", .note, of: functions.filter { $0.tally.discarded.total > 0 }) {
            functions in
            let found = functions.reduce(into: Discarded()) { $0.merge($1.tally.discarded) }
            return """
                \(Figures.counted(found.total, "entry", plural: "entries")) of \(list: names(of: functions)) \
                \(found.total == 1 ? "is" : "are") ignored, as the function's own code may have written \
                \(found.total == 1 ? "it" : "them"): \(found.kinds). Log what clients send under its own key: \
                \(code: "logger.info(\"got\", { data: req.data })").
                """
        }
        if let discarded { notes.append(discarded) }
        add("duplicates", .note, input.duplicates) { isOne in
            """
            \(Figures.counted(input.duplicates, "duplicate entry", plural: "duplicate entries")) \
            \(isOne ? "was" : "were") removed: exports overlap, or a sink wrote twice. No action needed.
            """
        }
        if totals.total > 0 {
            add("filtered", .note, input.filtered) { isOne in
                """
                \(Figures.counted(input.filtered, "request")) \(isOne ? "is" : "are") outside the time range or the \
                selection.
                """
            }
        }
        add("counts", .caution, countedSources) { isOne in
            """
            \(Figures.counted(countedSources, "input")) \(isOne ? "is a query result" : "are query results"), without \
            clients, causes and requests that have no verification. If results overlap, the larger count per day and \
            status is used.
            """
        }
        if let widenedDays { notes.append(Finding("whole-days", .note, Summary.wholeDays(widenedDays))) }
        if policy.assumeComplete != .nothing {
            notes.append(Finding("assume-complete", .caution, policy.assumeComplete.note))
        }
        return notes
    }

    fileprivate static func wholeDays(_ days: WholeDays) -> Wording {
        let span =
            switch (days.first, days.last) {
            case (let first?, let last?): CalendarText.during(first, last)
            case (let first?, nil): "from \(CalendarText.day(first)) on"
            case (nil, let last?): "up to \(CalendarText.day(last))"
            case (nil, nil): "all of them"
            }
        return """
            Query results and closed days of a store have no times, so \(code: "--since") and \(code: "--until") count \
            whole days here: \(span).
            """
    }

    /// Which whole days replace bounds in time, as a sentence on one line for standard error; nil where none did.
    package var noteOnDays: String? { widenedDays.map { Summary.wholeDays($0).text(ascii: false) } }

    // MARK: What accompanies every answer

    /// What was accepted, left out or not checked.
    var reservations: [Finding] {
        let shown = functions.filter(\.isFunction)
        var notes: [Finding?] = []
        let leftOut = shown.filter { $0.assessment.counts.leftOut > 0 }
        notes.append(
            Finding("left-out", .caution, of: leftOut, isInAnswers: true) { functions in
                let count = functions.reduce(0) { $0 + $1.assessment.counts.leftOut }
                let kinds = functions.reduce(into: Set<ClientKind>()) {
                    $0.formUnion($1.assessment.policy.numbers.ignoredClients)
                }
                return """
                    \(Figures.counted(count, "request")) \(count == 1 ? "was" : "were") left out because of \
                    \(count == 1 ? "its user agent" : "their user agents"), which anyone can set \
                    (\(set: .ignoreClients, .texts(kinds.sorted().map(\.name)))).
                    """
            })
        notes += shown.compactMap { function in
            let enforcement = function.assessment.enforcement
            if enforcement.state == .staged {
                return Finding("staged", .caution, of: [function], isInAnswers: true) { [names] functions in
                    functions.first.map { $0.stagedWording(names[$0]) } ?? ""
                }
            }
            return enforcement.recent.flatMap { recent in
                Finding("refused-recently", .caution, of: [function], isInAnswers: true) { [names] functions in
                    "\(list: functions.map { names[$0] }): " + recent.wording
                }
            }
        }
        func said(
            _ code: String, _ lead: Wording, _ item: @escaping (FunctionSummary) -> Wording?, end: Wording = ""
        ) -> Finding? {
            Finding(code, .caution, of: shown.filter { item($0) != nil }, isInAnswers: true) { functions in
                let items = zip(names(of: functions), functions).map { name, function -> Wording in
                    "\(name) (\(item(function) ?? ""))"
                }
                return lead + ": \(list: items)." + end
            }
        }
        notes.append(said("accepted", "Accepted, though enforcement would refuse it") { $0.assessment.acceptedWording })
        notes.append(
            said("few", "Accepted by \(code: "max-per-week"), not by percentage") { $0.assessment.fewWording })
        notes.append(
            said(
                "bad-day", "Bad days in the last four weeks", { $0.assessment.badDayWording },
                end: " Find out who sent them."))
        let passing = shown.filter { !$0.assessment.counts.passedOver.isEmpty }
        notes.append(
            Finding("passed-over", .caution, of: passing, isInAnswers: true) { functions in
                let days = Set(functions.flatMap(\.assessment.counts.passedOver)).sorted()
                return """
                    There are no requests on \(Reason.list(days)). No other day is missing in the two weeks before or \
                    after, so \(days.count == 1 ? "this does" : "these do") not count as a gap.
                    """
            })
        if hidesCallers {
            var note = Finding(
                "callers-not-read", .caution,
                "Platforms were not checked (\(set: .callers, .text("none"))): a whole platform might be refused.")
            note.isInAnswers = true
            return notes.compactMap { $0 } + [note]
        }
        let unknown = shown.filter { function in
            function.assessment.reasons.contains {
                if case .platforms(.callersUnknown(_, _, isRequired: false, _)) = $0 { true } else { false }
            }
        }
        notes.append(
            Finding("callers-unknown", .caution, of: unknown, isInAnswers: true) { functions in
                """
                Unknown clients: \(list: names(of: functions)). The export has too little of the request log to show who \
                would be refused.
                """
            })
        return notes.compactMap { $0 }
    }

    /// The first and the last dated verification of all functions shown.
    var span: (first: Instant, last: Instant)? {
        guard
            let first = functions.compactMap(\.tally.first).min(),
            let last = functions.compactMap(\.tally.last).max()
        else { return nil }
        return (first, last)
    }

    private func total(_ count: (FunctionSummary) -> Int) -> Int { functions.reduce(0) { $0 + count($1) } }

    /// `gcloud logging read` reads one day by default; an hour more allows for its own run time.
    private static let shortSpan: Int64 = 25 * 3600
}

extension FunctionSummary {
    /// What the policy lacks, or contradicts; nil if it agrees with the log.
    func enforcementNote(_ label: @escaping (FunctionSummary) -> Wording) -> Finding? {
        let enforcement = assessment.enforcement
        if let doubt = enforcement.doubt {
            return Finding("policy-contradicted", .caution, of: [self]) { functions in
                functions.first.map { label($0) + ": " + doubt.wording } ?? ""
            }
        }
        guard let missingEntry else { return nil }
        // On one line, without the dash of a list.
        let entry = missingEntry.lines.map { $0.dropFirst(2) }.joined(separator: ", ")
        return Finding("enforced-by-log", .caution, of: [self]) { functions in
            functions.first.map { function in
                """
                \(label(function)): the log shows that enforcement is on, \(enforcement.span). Add this entry to the \
                policy: \(code: "- {\(entry)}")
                """
            } ?? ""
        }
    }

    /// The same as a sentence, for formats without notes.
    var policyCaution: Wording? {
        enforcementNote { function in
            "\(name: function.name)" + (function.missingEntry?.project.map { " in \(name: $0)" } ?? "")
        }?.wording
    }

    /// False if neither the log nor the policy shows anything about enforcement.
    var knowsEnforcement: Bool { callers?.isAboutProject == true || assessment.enforcement.policy != nil }

    /// True when by policy enforcement is on, and the log shows that it is off.
    var isEnforcedButOff: Bool { assessment.enforcement.doubt == .off }

    fileprivate func stagedWording(_ label: Wording) -> Wording {
        let parts = revisions.filter { $0.state != .unknown }.map { revision -> Wording in
            let share = "\(Figures.grouped(revision.refused)) of \(Figures.counted(revision.requests, "request"))"
            return revision.state == .on
                ? "\(name: revision.name) refused \(share)" : "\(name: revision.name) refuses none"
        }
        let list: Wording = parts.isEmpty ? "" : ": \(list: parts)"
        return "\(label) is staged: only some of its revisions enforce App Check\(list)."
    }
}

extension Enforcement.Doubt {
    fileprivate var wording: Wording {
        switch self {
        case .off:
            """
            enforced by policy, but the log shows that enforcement is off, so requests without a valid token are let \
            through. Deploy with \(code: "enforceAppCheck: true"), or correct the policy.
            """
        case .served(let count, let since):
            """
            enforced by policy, but \(Figures.counted(count, "request")) without a valid token \
            \(count == 1 ? "was" : "were") answered 200 since \(CalendarText.moment(since)). A streaming function always \
            answers 200; any other has been rolled back: take \(code: "enforced:") out of the policy.
            """
        case .switched(let start):
            """
            the policy has another time for the switch than the log. Write \(code: "enforced: \(start)") into it.
            """
        }
    }
}

extension Discarded {
    /// How many of each kind, and how they differ from the SDK's.
    fileprivate var kinds: String {
        let kinds = [
            (unlabelled, "without the SDK's label"), (otherMessage, "without the SDK's message"),
            (repeated, "not the first of \(repeated == 1 ? "its request" : "their requests")"),
        ]
        return kinds.filter { $0.0 > 0 }.map { "\(Figures.grouped($0)) \($1)" }.joined(separator: ", ")
    }
}

extension Assessment {
    /// `every browser: 14 of 14 requests`, of what is accepted.
    fileprivate var acceptedWording: Wording? {
        let names = acceptedRefusals.prefix(2).map { platform -> Wording in
            "\(platform.name.claim): \(Figures.grouped(platform.blocked)) of \(Figures.counted(platform.admitted, "request"))"
        }
        return names.isEmpty ? nil : "\(list: names)"
    }

    /// `at most 0.8 requests a week`, if that decides.
    fileprivate var fewWording: Wording? {
        if case .safety(.few)? = decidingReason { brief } else { nil }
    }

    /// `9 of 36 on 12 Oct`, of the newest.
    fileprivate var badDayWording: Wording? {
        for case .excess(.badDay(let days, _)) in listed { return days.first.map { "\($0.wording)" } }
        return nil
    }
}

extension StatusMatrix {
    /// Verifications with a status that the SDK does not write, of either token.
    fileprivate var other: Int {
        TokenStatus.allCases.reduce(total(app: .other)) { $1 == .other ? $0 : $0 + self[$1, .other] }
    }
}
