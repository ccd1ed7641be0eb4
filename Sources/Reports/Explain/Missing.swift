import Readiness
import Verifications

extension Explanation {
    /// What is missing for a verdict, one step per reason, with the export that would show it.
    var missing: [Document.Block] {
        let assessment = function.assessment
        guard !assessment.reasons.isEmpty else {
            return [.item("Select one function: \(name: function.name) is many together.")]
        }
        // Of a function whose passes are not seen, and of a silent one, nothing else is worth counting.
        return assessment.reasons.filter { reason in
            assessment.verdict == .blind ? reason.isAboutPasses : !assessment.isSilent || reason.isAboutSilence
        }.flatMap(step)
    }

    private func step(_ reason: Reason) -> [Document.Block] {
        switch reason {
        case .tooFewRequests(let missing, _, _, _): [.item(requests(missing))]
        case .tooFewDays(let age, let limit): [.item(more(limit - age, "day of log", "days of log"))]
        case .tooFewActiveDays(let days, let limit):
            [.item(more(limit - days, "day with requests", "days with requests"))]
        case .coverageGap(let days): gap(days)
        case .failuresNotSeen, .failuresStopped:
            [
                .item("An export that has the failures too, which generation 2 writes to a log of their own, stderr:"),
                .code(commands.export(days: exportDays), language: "sh"),
            ]
        case .passesNotSeen: blindness
        case .noTraffic, .stale: silence
        case .exportOld:
            [.item("A newer export:"), .code(commands.export(days: exportDays), language: "sh")]
        case .notConfirmed(let nights, let required):
            [.item(more(required - nights, "day with the same answer", "days with the same answer"))]
        default: []
        }
    }

    private func more(_ count: Int, _ one: String, _ several: String) -> Wording {
        "\(Figures.counted(count, one.prefixed, plural: several.prefixed))."
    }

    private func requests(_ missing: Int) -> Wording {
        let requests: Wording = """
            \(Figures.counted(missing, "more request", plural: "more requests")), all with a valid token.
            """
        let evidence = function.assessment.evidence
        let numbers = function.assessment.policy.numbers
        guard let window = evidence.window, evidence.admitted > 0 else { return requests }
        // A young function has had fewer days than its window has.
        let perDay = Double(evidence.admitted) / Double(max(1, min(window.dayCount, function.assessment.ageDays)))
        // What comes in at one end of the longest window goes out at the other.
        let longest = max(numbers.maxWindow, numbers.window)
        let length = Int((Double(evidence.admitted + missing) / perDay).rounded(.up))
        guard length <= longest else {
            let weeks = (length + numbers.window - 1) / numbers.window * numbers.window
            return requests + """
                 At \(Figures.amount(perDay)) a day a window of \(Figures.counted(longest, "day")) never holds that \
                many: collect \(Figures.counted(weeks, "day")) of log and allow \(code: "--max-window \(weeks)d").
                """
        }
        let days = Int((Double(missing) / perDay).rounded(.up))
        return requests + " At \(Figures.amount(perDay)) a day that takes about \(Figures.counted(days, "day"))."
    }

    private func gap(_ days: [Day]) -> [Document.Block] {
        guard let first = days.first, let last = days.last else { return [] }
        return [
            .item(
                """
                \(days.count == 1 ? "The day" : "The days") without data, \(Reason.list(days)). If nothing was called \
                then, say so with \(code: "--assume-complete"); else read this as well:
                """),
            .code(commands.export(of: first...last), language: "sh"),
        ]
    }

    private var blindness: [Document.Block] {
        [
            .item("Is there any pass in the log?"), .code(commands.passes, language: "sh"),
            .item("If so, your export drops them. Export everything, without a severity filter:"),
            .code(commands.export(days: exportDays), language: "sh"),
            .item(
                """
                If not: an exclusion filter of the log bucket drops DEBUG lines; or it is a Python function, whose \
                passes need \(code: "logging.getLogger().setLevel(logging.INFO)"); or really everything fails.
                """),
        ]
    }

    private var silence: [Document.Block] {
        [
            .item(
                """
                Requests: is it still deployed and called? \(code: "firebase functions:list") shows what is deployed; \
                an app that is not launched yet can enforce at once.
                """)
        ]
    }

    private var exportDays: Int {
        max(function.assessment.policy.numbers.maxWindow, function.assessment.policy.numbers.window)
    }
}

extension Reason {
    fileprivate var isAboutPasses: Bool {
        if case .passesNotSeen = self { true } else { false }
    }

    fileprivate var isAboutSilence: Bool {
        switch self {
        case .noTraffic, .stale, .exportOld: true
        default: false
        }
    }
}

extension String {
    /// `day of log` as in `1 more day of log`.
    fileprivate var prefixed: String {
        "more " + self
    }
}
