import Readiness
import Verifications

extension Summary {
    /// The changes, grouped by what the reader has to do: a heading, and a sentence for each change.
    var changeSections: [Document.Section] {
        let changes = comparison?.changes ?? (listsActions ? actions : [])
        return Change.Urgency.allCases.compactMap { urgency in
            let items = changes.filter { $0.urgency == urgency }
                .map { Document.Block.item($0.wording(names), mark: urgency.mark) }
            guard !items.isEmpty else { return nil }
            return Document.Section(blocks: [.paragraph("\(urgency.heading)", .strong)] + items)
        }
    }

    /// Number of changes by urgency; nil without a comparison.
    var changesLine: Wording? {
        guard let comparison else { return nil }
        let since = CalendarText.moment(comparison.since)
        guard !comparison.changes.isEmpty else { return "Nothing has changed since the report as of \(since)." }
        let counts = Change.Urgency.allCases.compactMap { urgency -> String? in
            let count = comparison.changes.count { $0.urgency == urgency }
            if count == 0 { return nil }
            guard urgency == .act else { return "\(Figures.grouped(count)) \(urgency.noun(count))" }
            return "\(Figures.counted(count, "change")) \(count == 1 ? "needs" : "need") action"
        }
        return "Since the report as of \(since): \(counts.joined(separator: ", "))."
    }
}

extension Change {
    /// Describes what happened, and what to do about it.
    func wording(_ names: FunctionNames) -> Wording {
        guard let function = functions.first else { return "" }
        let label = names[function]
        let (all, isOne) = (listed(names), functions.count == 1)
        let sentence: Wording =
            switch kind {
            case .lockout(.ended): "\(label) no longer refuses \([function].refusedUsers)."
            // How many, and how to roll back, is the first line of every report.
            case .lockout(let state):
                """
                \(all)\(state == .continues ? " still" : "") \(isOne ? "refuses" : "refuse") \(functions.refusedUsers)\
                \(users).
                """
            case .aftermath(let aftermath) where isOne:
                "\(label): \(aftermath.news)"
                    + (aftermath.answer == .more ? " " + EnforcementCode.rollback([function]) : "")
            case .aftermath:
                "\(all) refuse more requests than predicted\(clients). " + EnforcementCode.rollback(functions)
            case .missingLog(let reason): missing(reason, names)
            case .verdict where isOne: verdict(function, label)
            case .verdict: verdicts(function, all)
            case .urgent(_, .ended): "\(label) is no longer failing."
            case .urgent(let finding, _) where finding.code == .failingNow:
                """
                \(all) \(isOne ? "has" : "have") been failing since \(finding.instant.map(CalendarText.minute) ?? "") UTC\
                \(clients).
                """
            case .urgent(let finding, _): "\(all): \(finding.statement(of: function.assessment).short)."
            case .ready: ready(function, label)
            case .appeared(let first):
                """
                \(label) is new: \(Figures.counted(function.totals.total, "request")) since \
                \(CalendarText.day(first)). Verdict: \(function.assessment.word).
                """
            }
        return origin.wording.map { sentence + " \($0)" } ?? sentence
    }

    /// `, most of them with com.example.app 4.3.0`.
    private var users: Wording { suspect.map { ", most of them with \($0.clients)" } ?? "" }

    /// `, mostly com.example.app 4.3.0`, if the refused requests are traced to some clients.
    private var clients: Wording { suspect.map { ", mostly \($0.clients)" } ?? "" }

    /// Names of so many functions fit a message; the rest is counted.
    private static let mostNames = 20

    private func listed(_ names: FunctionNames) -> Wording {
        guard functions.count > 4 else { return "\(list: functions.map { names[$0] })" }
        let (shown, rest) = (functions.prefix(Change.mostNames), functions.count - Change.mostNames)
        let isWhole = rest <= 0
        let list = shown.dropFirst().dropLast(isWhole ? 1 : 0).reduce(names[shown[0]]) { $0 + ", " + names[$1] }
        return isWhole
            ? list + " and " + names[shown[shown.count - 1]] : list + " and \(Figures.grouped(rest)) more"
    }

    private func missing(_ reason: Finding, _ names: FunctionNames) -> Wording {
        let project = functions.first?.identity.project ?? FunctionIdentity.unknown
        let changed = listed(names)
        let sentence: Wording =
            switch reason.code {
            case .exportOld:
                """
                no log entries since \(reason.instant.map(CalendarText.minute) ?? "") UTC \
                (\(Figures.duration(hours: reason.value ?? 0))). Is the nightly export still running?
                """
            case .coverageGap:
                """
                no log entries on \(Finding.list(reason.days)). Export \
                \(reason.days.count == 1 ? "that day" : "these days") again.
                """
            case .failuresStopped:
                "no more failed requests. Check that stderr is still exported."
            default: "no more passed requests. Check for a severity filter, and that stdout is exported."
            }
        let noun = functions.count == 1 ? "verdict" : "verdicts"
        let verb = functions.contains { !verdictsBefore.contains($0.assessment.verdict) } ? "changes" : "concerns"
        return "\(name: project): \(sentence) This \(verb) the \(noun) of \(changed)."
    }

    private func verdict(_ function: FunctionSummary, _ label: Wording) -> Wording {
        let (old, now) = (before?.verdict.word ?? "", function.assessment.word)
        if function.assessment.verdict == .enforce {
            return "\(label) is ready (\(old) before): \(function.brief) would be refused."
        }
        // `enforced since 8 Oct`, `replaced by addmessage`.
        let goesOn = [.enforced, .superseded].contains(function.assessment.verdict) && !function.assessment.isLockout
        return "\(label) \(old == Verdict.insufficient.word ? "had" : "was") \(old) and is now \(now)"
            + (goesOn ? " " : ": ") + "\(function.brief)\(clients)."
    }

    private func verdicts(_ function: FunctionSummary, _ all: Wording) -> Wording {
        let now = function.assessment.word
        let words = Set(verdictsBefore.map(\.word))
        let old = words.count == 1 ? words.first : nil
        if function.assessment.verdict == .enforce {
            return "\(all) are ready" + (old.map { " (\($0) before)." } ?? ".")
        }
        let isNow: Wording =
            old.map { "\($0 == Verdict.insufficient.word ? "had" : "were") \($0) and are now \(now)" }
            ?? "are now \(now)"
        return "\(all) " + isNow + (urgency <= .worse ? ": \(function.brief)\(clients)." : ".")
    }

    private func ready(_ function: FunctionSummary, _ label: Wording) -> Wording {
        switch (before?.ready, function.assessment.readyDay) {
        case (let old?, let new?):
            "\(label) is expected to be ready on \(CalendarText.day(new)), not on \(CalendarText.day(old))."
        case (nil, let new?): "\(label) is expected to be ready on \(CalendarText.day(new))."
        default: "\(label) no longer has a date."
        }
    }
}

extension Change.Origin {
    fileprivate var wording: String? {
        switch self {
        case .newRequests: nil
        case .laterLogs(true): "This comes from logs added later, not from new requests."
        case .laterLogs(false): "Logs added later change the earlier answer, too."
        case .otherSettings(true): "This comes from other settings, not from new requests."
        case .otherSettings(false): "Other settings change the earlier answer, too."
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

    fileprivate func noun(_ count: Int) -> String {
        self == .neutral ? count == 1 ? "other change" : "other changes" : rawValue
    }

    fileprivate var mark: Verdict {
        switch self {
        case .act: .wait
        case .worse: .investigate
        case .better: .enforce
        case .neutral: .exempt
        }
    }
}
