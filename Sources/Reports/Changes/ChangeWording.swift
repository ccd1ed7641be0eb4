import Readiness
import Verifications

extension Summary {
    /// The changes, grouped by what the reader has to do: a heading, and a sentence for each change.
    var changeSections: [Document.Section] {
        guard let comparison else { return [] }
        return Change.Urgency.allCases.compactMap { urgency in
            let items = comparison.changes.filter { $0.urgency == urgency }
                .map { Document.Block.item($0.wording(names), mark: urgency.mark) }
            guard !items.isEmpty else { return nil }
            return Document.Section(blocks: [.paragraph("\(urgency.heading)", .strong)] + items)
        }
    }

    /// How many changes there are of each urgency; nil where there is nothing to compare with.
    var changesLine: Wording? {
        guard let comparison else { return nil }
        let since = CalendarText.moment(comparison.since)
        guard !comparison.changes.isEmpty else { return "Nothing has changed since the report of \(since)." }
        let counts = Change.Urgency.allCases.compactMap { urgency -> String? in
            let count = comparison.changes.count { $0.urgency == urgency }
            if count == 0 { return nil }
            guard urgency == .act else { return "\(Figures.grouped(count)) \(urgency.noun)" }
            return "\(Figures.counted(count, "change")) \(count == 1 ? "needs" : "need") action"
        }
        return "Since the report of \(since): \(counts.joined(separator: ", "))."
    }
}

extension Change {
    /// What happened, and what to do about it.
    func wording(_ names: FunctionNames) -> Wording {
        guard let function = functions.first else { return "" }
        let label = names[function]
        let sentence: Wording =
            switch kind {
            case .lockout(.ended): "\(label) no longer refuses signed-in users."
            case .lockout(let state): Change.lockout(function, label, isOld: state == .continues)
            case .aftermath(let aftermath):
                "\(label): \(aftermath.news)"
                    + (aftermath.answer == .more ? " " + EnforcementCode.rollback([function]) : "")
            case .missingLog(let reason): missing(reason, names)
            case .verdict: verdict(function, label)
            case .ready: ready(function, label)
            case .share(let share):
                """
                \(label): \(share.isRise ? "more" : "fewer") would be refused, \
                \(Figures.percent(share.blocked, of: share.requests)) of \
                \(Figures.counted(share.requests, "request")) \(CalendarText.during(share.days.from, share.days.to)) \
                after \(percentBefore). Still \(function.assessment.word).
                """
            case .appeared(let first):
                """
                \(label) is new: \(Figures.counted(function.totals.total, "request")) since \
                \(CalendarText.day(first)). Verdict: \(function.assessment.word).
                """
            }
        guard isLate else { return sentence }
        return sentence
            + " Logs that were added since, or other settings, changed this: they also change the answer of then."
    }

    private var percentBefore: String {
        before.map { Figures.percent($0.blocked, of: max(1, $0.requests)) } ?? ""
    }

    private static func lockout(_ function: FunctionSummary, _ label: Wording, isOld: Bool) -> Wording {
        let share = function.assessment.lockout.map { $0.share(of: function.assessment) } ?? ""
        return "\(label)\(isOld ? " still" : "") refuses signed-in users: \(share). "
            + EnforcementCode.rollback([function])
    }

    private func missing(_ reason: Reason, _ names: FunctionNames) -> Wording {
        let project = functions.first?.identity.project ?? FunctionIdentity.unknown
        let changed: Wording = "\(list: functions.map { names[$0] })"
        let sentence: Wording =
            switch reason {
            case .silence(.exportOld(let newest, let hours, _)):
                """
                nothing has arrived since \(CalendarText.minute(newest)) UTC, for \(Figures.duration(hours: hours)). \
                Check that the nightly export still runs.
                """
            case .completeness(.coverageGap(let days, _)):
                "nothing arrived on \(Reason.list(days)). Export \(days.count == 1 ? "that day" : "these days") again."
            case .failures:
                "no failed request arrives any more. Check that stderr is still exported."
            default: "no passed request arrives any more. Check for a severity filter, and that stdout is exported."
            }
        let noun = functions.count == 1 ? "verdict" : "verdicts"
        return "\(name: project): \(sentence) This changes the \(noun) of \(changed)."
    }

    private func verdict(_ function: FunctionSummary, _ label: Wording) -> Wording {
        let (old, now) = (before?.verdict.word ?? "", function.assessment.word)
        if function.assessment.verdict == .enforce {
            return "\(label) can be enforced (\(old) before): \(function.brief)."
        }
        if before?.verdict == .enforce { return "\(label) is no longer ready, now \(now): \(function.brief)." }
        return "\(label) went from \(old) to \(now): \(function.brief)."
    }

    private func ready(_ function: FunctionSummary, _ label: Wording) -> Wording {
        switch (before?.ready, function.assessment.readyDay) {
        case (let old?, let new?):
            "\(label) is expected to be ready on \(CalendarText.day(new)), not on \(CalendarText.day(old))."
        case (nil, let new?): "\(label) is expected to be ready on \(CalendarText.day(new))."
        default: "\(label): no day is known any more on which it will be ready."
        }
    }
}

extension Change.Urgency {
    fileprivate var heading: String {
        switch self {
        case .act: "Act now"
        case .worse: "Worse"
        case .better: "Better"
        case .neutral: "Also changed"
        }
    }

    fileprivate var noun: String { self == .neutral ? "otherwise changed" : rawValue }

    fileprivate var mark: Verdict {
        switch self {
        case .act: .wait
        case .worse: .investigate
        case .better: .enforce
        case .neutral: .exempt
        }
    }
}
