import Verifications

extension Finding.Code {
    /// The log does not say which project the function belongs to.
    package static let unattributed = Finding.Code("unattributed", .doubt, nil, .ofLog)
    /// The log has both text that claims to be the SDK's and labelled text, so some of it must be forged.
    package static let mixedText = Finding.Code("mixed-provenance", .doubt, nil, .ofLog)
    /// Passes are at DEBUG and at another severity on that many days; the SDK uses one.
    package static let mixedSeverities = Finding.Code("mixed-provenance", .doubt, nil, .ofLog)
    /// Sources without an `insertId` overlap on this many days, and may be one log in two shapes.
    package static let twoShapes = Finding.Code("two-shapes", .doubt, nil, .ofLog)
    /// Advice: judged on text that the function itself could have written.
    package static let textOnly = Finding.Code("text-only", .advice, nil, .ofLog)
    /// Advice: passes were written at INFO only, by an SDK that cannot enforce and refuses INVALID already.
    package static let sdk3 = Finding.Code("sdk-3", .advice, nil, [.shared, .ofLog])
    /// Passes were written at INFO only, in the whole log.
    package static let passesAtInfo = Finding.Code("passes-at-info", .advice, nil, .shared)
    /// Requests with a status that the SDK does not write.
    package static let otherStatus = Finding.Code("other-status", .advice, .caution, [.shared, .countedOnly])
    /// Entries that the function's own code may have written; ``Finding/counts`` has those without the SDK's label,
    /// without its message, and those that were not the first of their request.
    package static let discarded = Finding.Code("discarded", .advice, nil, .shared)
}

/// The origin of the entries: the project, the SDK, or perhaps the function's own code.
enum Origin {
    /// An update of the SDK explains one or two days at two severities.
    private static let mixedDays = 3

    static func findUnattributed(_ evaluation: Evaluation) -> [Finding] {
        evaluation.history.isUnattributed ? [Finding(code: .unattributed)] : []
    }

    /// Text that is more than a tenth of what the SDK wrote.
    static func mixedText(in table: CellTable) -> Finding? {
        let (text, labelled) = (
            table.discarded.unlabelledDistinct, table.totals.total + table.discarded.labelledOutside
        )
        guard table.provenance == .labelled, 10 * text > labelled else { return nil }
        return Finding(
            code: .mixedText, value: Double(text) / Double(labelled), limit: 0.1, count: text, total: labelled)
    }

    static func findMix(_ evaluation: Evaluation) -> [Finding] {
        if let mixed = evaluation.history.mixedText { return [mixed] }
        guard evaluation.history.provenance == .labelled else { return [] }
        let days = evaluation.traffic.count { $0.severities.contains(.debug) && $0.severities != .debug }
        return days >= mixedDays
            ? [Finding(code: .mixedSeverities, value: Double(days), limit: Double(mixedDays))] : []
    }

    static func findTwoShapes(_ evaluation: Evaluation) -> [Finding] {
        guard let window = evaluation.window else { return [] }
        let days = evaluation.history.twoShapes.count { window.days.contains($0) }
        return days > 0 ? [Finding(code: .twoShapes, value: Double(days))] : []
    }

    /// Returns the findings that hold for the whole log of a function.
    static func findInLog(of function: FunctionSummary) -> [Finding] {
        let (table, totals, discarded) = (function.table, function.totals, function.table.discarded)
        let isReported = function.assessment.listed.has(.sdk3)
        return [
            totals.total > 0 && table.passSeverities == .info && !isReported ? Finding(code: .passesAtInfo) : nil,
            totals.other > 0 ? Finding(code: .otherStatus, value: Double(totals.other)) : nil,
            discarded.total > 0
                ? Finding(
                    code: .discarded, value: Double(discarded.total),
                    counts: [discarded.unlabelled, discarded.otherMessage, discarded.repeated]) : nil,
        ].compactMap(\.self)
    }

    static func findTextOnly(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        result.evaluation.history.provenance == .unlabelled ? Finding(code: .textOnly) : nil
    }

    /// All passes were written at INFO with a label: by firebase-functions 3.x.
    static func findSDK3(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        guard evaluation.history.provenance == .labelled,
            evaluation.traffic.reduce([], { $0.union($1.severities) }) == PassSeverity.info
        else { return nil }
        return Finding(code: .sdk3)
    }
}

extension StatusMatrix {
    /// Verifications with a status that the SDK does not write, of either token.
    fileprivate var other: Int {
        TokenStatus.allCases.reduce(total(app: .other)) { $1 == .other ? $0 : $0 + self[$1, .other] }
    }
}
