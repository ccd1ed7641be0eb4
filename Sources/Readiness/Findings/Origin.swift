import Verifications

/// Where the entries come from: which project, which SDK, or perhaps the function's own code.
package enum Origin: Hashable, Sendable {
    /// The log does not say which project the function belongs to.
    case unattributed
    /// The log has both text that claims to be the SDK's and labelled text, so some of it must be forged.
    case mixedText(unlabelled: Int, labelled: Int)
    /// Passes are at DEBUG and at another severity on that many days; the SDK uses one.
    case mixedSeverities(days: Int)
    /// Advice: judged on text that the function itself could have written.
    case textOnly
    /// Advice: passes were written at INFO only, by an SDK that cannot enforce and refuses INVALID already.
    case sdk3
    /// Passes were written at INFO only, in the whole log.
    case passesAtInfo
    /// Requests with a status that the SDK does not write.
    case otherStatus(requests: Int)
    /// Entries that the function's own code may have written.
    case discarded(Discarded)

    var facts: Finding {
        switch self {
        case .unattributed: .init("unattributed", .doubt)
        case .mixedText(let unlabelled, let labelled):
            .init("mixed-provenance", .doubt, value: Double(unlabelled) / Double(labelled), limit: 0.1)
        case .mixedSeverities(let days):
            .init("mixed-provenance", .doubt, value: Double(days), limit: Double(Origin.mixedDays))
        case .textOnly: .init("text-only", .advice)
        case .sdk3: .init("sdk-3", .advice, nil, .shared)
        case .passesAtInfo: .init("passes-at-info", .advice, nil, .shared)
        case .otherStatus(let requests):
            .init("other-status", .advice, value: Double(requests), .caution, [.shared, .countedOnly])
        case .discarded(let discarded): .init("discarded", .advice, value: Double(discarded.total), nil, .shared)
        }
    }
}

extension Origin {
    /// An update of the SDK explains one or two days at two severities.
    private static let mixedDays = 3

    static func findUnattributed(_ evaluation: Evaluation) -> [Reason] {
        evaluation.history.isUnattributed ? [.origin(.unattributed)] : []
    }

    /// Text that is more than a tenth of what the SDK wrote.
    static func mixedText(in tally: FunctionTally) -> Reason? {
        let (text, labelled) = (
            tally.discarded.unlabelledDistinct, tally.totals.total + tally.discarded.labelledOutside
        )
        guard tally.provenance == .labelled, 10 * text > labelled else { return nil }
        return .origin(.mixedText(unlabelled: text, labelled: labelled))
    }

    static func findMix(_ evaluation: Evaluation) -> [Reason] {
        if let mixed = evaluation.history.mixedText { return [mixed] }
        guard evaluation.history.provenance == .labelled else { return [] }
        let days = evaluation.days.count { $0.passSeverities.contains(.debug) && $0.passSeverities != .debug }
        return days >= mixedDays ? [.origin(.mixedSeverities(days: days))] : []
    }

    /// What holds for the whole log of a function.
    static func findInLog(of function: FunctionSummary) -> [Reason] {
        let (tally, totals) = (function.tally, function.totals)
        let isReported = function.assessment.listed.contains(.origin(.sdk3))
        return [
            totals.total > 0 && tally.passSeverities == .info && !isReported ? .passesAtInfo : nil,
            totals.other > 0 ? .otherStatus(requests: totals.other) : nil,
            tally.discarded.total > 0 ? Origin.discarded(tally.discarded) : nil,
        ].compactMap { $0.map(Reason.origin) }
    }

    static func findTextOnly(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        result.evaluation.history.provenance == .unlabelled ? .origin(.textOnly) : nil
    }

    /// All passes were written at INFO with a label: by firebase-functions 3.x.
    static func findSDK3(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        let evaluation = result.evaluation
        guard evaluation.history.provenance == .labelled,
            evaluation.days.reduce([], { $0.union($1.passSeverities) }) == PassSeverity.info
        else { return nil }
        return .origin(.sdk3)
    }
}

extension StatusMatrix {
    /// Verifications with a status that the SDK does not write, of either token.
    fileprivate var other: Int {
        TokenStatus.allCases.reduce(total(app: .other)) { $1 == .other ? $0 : $0 + self[$1, .other] }
    }
}
