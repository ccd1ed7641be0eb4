package import Verifications

/// A part of a project's log that did not arrive.
package struct MissingExport: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Nothing newer than this instant, which is that many hours before the clock.
        case everything(newest: Instant, hours: Double)
        /// No verification on these days, ascending; at least one.
        case days([Day])
        /// No failed verification of a generation for that many days, after so many a day; generation 2 writes them to
        /// its stderr log.
        case failures(Generation?, days: Double, perDay: Double)
        case passes
    }

    package let project: String
    package let kind: Kind
    package let verdicts: [VerdictChange]

    /// The spelling in machine-readable output: where a verdict has a reason for it, that code.
    package var code: String {
        switch kind {
        case .everything: "export-old"
        case .days: "coverage-gap"
        case .failures: "failures-stopped"
        case .passes: "passes-not-seen"
        }
    }
}

/// The log of one project on two nights: which parts of it did not arrive.
struct ProjectComparison {
    let project: String
    /// Kinds of missing parts, without the verdicts they changed.
    let missing: [MissingExport.Kind]
    /// The project's last day with a verification up to as-of; nil without one.
    let lastDay: Day?

    /// Streams of failures are looked at of the given generations, those of the functions shown.
    init(_ project: String, generations: Set<Generation?>, now: Judge, before: Judge) {
        self.project = project
        let coverage = now.project(project)
        guard let asOf = now.asOf, let night = before.asOf else {
            missing = []
            lastDay = nil
            return
        }
        lastDay = coverage.lastDay(upTo: asOf.day)
        var missing: [MissingExport.Kind] = []
        if case .silence(.exportOld(let newest, let hours, _))? = now.exportOld(inProject: project) {
            missing.append(.everything(newest: newest, hours: hours))
        }
        if now.rules.numbers.assumeComplete != .everything {
            let gaps = ProjectComparison.gaps(coverage, since: night.day, asOf: asOf.day, rules: now.rules)
            if !gaps.isEmpty { missing.append(.days(gaps)) }
        }
        if now.rules.numbers.assumeComplete == .nothing {
            for generation in generations.sorted(by: { ($0?.rawValue ?? 0) < ($1?.rawValue ?? 0) }) {
                func stopped(_ judge: Judge) -> Reason? {
                    ProjectComparison.stopped(judge.project(project), generation, judge: judge)
                }
                guard stopped(before) == nil, case .failures(.stopped(let days, let perDay))? = stopped(now) else {
                    continue
                }
                missing.append(.failures(generation, days: days, perDay: perDay))
            }
        }
        self.missing = missing
    }

    /// Days without a verification after the last one that was seen on the night compared to.
    ///
    /// That night's own day may be among them: a report is as of the newest verification, so that a day on which
    /// nothing arrived has no report, and shows as a hole once a later day is there.
    private static func gaps(_ project: ProjectCoverage, since night: Day, asOf: Day, rules: PolicyRules) -> [Day] {
        guard let last = project.lastDay(upTo: night) else { return [] }
        let first = max(last.advanced(by: 1), rules.since ?? last)
        guard let window = Window(from: first, to: asOf) else { return [] }
        return ProjectView(project, today: asOf).gaps(in: window)
    }

    private static func stopped(_ project: ProjectCoverage, _ generation: Generation?, judge: Judge) -> Reason? {
        guard let asOf = judge.asOf,
            let recent = Window(length: judge.rules.numbers.window, asOf: asOf, since: judge.rules.since)
        else { return nil }
        return FailureStream(project: ProjectView(project, today: asOf.day), generation: generation, asOf: asOf)
            .stopped(in: recent)
    }
}

extension MissingExport.Kind {
    func explains(_ change: VerdictChange, isProjectSilent: (Day) -> Bool) -> Bool {
        switch (self, change.reason) {
        case (.everything, .silence(.exportOld)), (.days, .completeness(.coverageGap)), (.passes, .passes(.notSeen)):
            true
        case (.days, .silence(.stale(let last, _, _))): isProjectSilent(last)
        case (.failures(let generation, _, _), .failures(.stopped)): generation == change.function.identity.generation
        default: false
        }
    }
}

extension ProjectComparison {
    /// The parts that are missing; passes among them when functions have become blind.
    func kinds(explaining verdicts: [VerdictChange]) -> [MissingExport.Kind] {
        missing + (split(verdicts, by: .passes).explained.isEmpty ? [] : [.passes])
    }

    func split(
        _ verdicts: [VerdictChange], by kind: MissingExport.Kind
    ) -> (explained: [VerdictChange], rest: [VerdictChange]) {
        func isExplained(_ change: VerdictChange) -> Bool {
            ExactName(change.function.identity.project) == ExactName(project)
                && kind.explains(change) { last in lastDay.map { $0 <= last } ?? false }
        }
        return (verdicts.filter(isExplained), verdicts.filter { !isExplained($0) })
    }
}
