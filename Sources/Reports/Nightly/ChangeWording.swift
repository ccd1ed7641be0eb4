import Readiness
import Verifications

/// Puts the changes of a report into words: what happened, and what to do about it, in one or two sentences.
struct ChangeWording {
    private let functions: [FunctionIdentity: FunctionSummary]
    private let names: FunctionNames

    init(_ report: NightlyReport) {
        let shown = report.summary.functions.filter(\.isFunction)
        functions = Dictionary(shown.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        names = report.summary.names
    }

    func sentences(_ change: Change) -> Wording {
        switch change {
        case .lockout(let lockout): self.lockout(lockout)
        case .aftermath(let function, let aftermath): "\(label(function)): \(aftermath.news)"
        case .missingExport(let missing): self.missing(missing)
        case .verdict(let change): verdict(change)
        case .rate(let function, let rate):
            "\(label(function)): \(rate.isRise ? "more" : "fewer") would be refused, \(rate.wording). Still \(verdict(of: function))."
        case .clients(let function, let kind, let rate):
            """
            \(label(function)): \(rate.isRise ? "more" : "fewer") from \(kind.claim) would be refused, \(rate.wording) \
            with a row in the request log.
            """
        case .silent(let silence): self.silence(silence)
        case .appeared(let appearance): self.appearance(appearance)
        }
    }

    func label(_ function: ChangedFunction) -> Wording { names[function.identity, function.name] }

    private func lockout(_ lockout: Change.Lockout) -> Wording {
        let label = label(lockout.function)
        guard lockout.state != .ended else { return "\(label) no longer refuses signed-in users." }
        return """
            \(label)\(lockout.state == .continues ? " still" : "") refuses signed-in users: \
            \(Reason.share(lockout.blocked, lockout.admitted, "signed-in requests")) had no valid App Check token. \
            Redeploy it without enforcement.
            """
    }

    private func missing(_ missing: MissingExport) -> Wording {
        let sentence: Wording =
            switch missing.kind {
            case .everything(let newest, let hours):
                """
                \(name: missing.project): nothing has arrived since \(CalendarText.minute(newest)) UTC, for \
                \(Figures.duration(hours: hours)): check that the nightly export still runs.
                """
            case .days(let days):
                """
                \(name: missing.project): nothing arrived for \(Reason.list(days)). Check whether the export of \
                \(days.count == 1 ? "that day failed, and read it" : "these days failed, and read them") again.
                """
            case .failures(let generation, let days, let perDay):
                """
                \(name: missing.project): no failed verification\(generation.map { " of generation \($0.rawValue)" } ?? "") \
                for \(Figures.days(days)), after \(Figures.frequency(perDay)): check that the log that \
                carries failures (stderr) is still exported.
                """
            case .passes:
                """
                \(name: missing.project): no passed verification of \(labels(missing.verdicts)) arrives any more: check \
                for a severity filter, and that stdout is exported.
                """
            }
        guard missing.kind != .passes, !missing.verdicts.isEmpty else { return sentence }
        let noun = missing.verdicts.count == 1 ? "verdict" : "verdicts"
        return sentence + " This changes the \(noun) of \(labels(missing.verdicts))."
    }

    private func labels(_ changes: [VerdictChange]) -> Wording {
        "\(list: changes.map { label($0.function) })"
    }

    private func verdict(_ change: VerdictChange) -> Wording {
        let label = label(change.function)
        let brief = functions[change.function.identity]?.brief ?? ""
        let now = verdict(of: change.function)
        let rate: Wording = change.rate.map { " Would be refused: \($0.wording)." } ?? ""
        if change.now == .enforce {
            return "\(label) can be enforced (\(change.before.word) before): \(brief)." + rate
        }
        if change.before == .enforce {
            return "\(label) is no longer ready, now \(now): \(brief)." + rate
        }
        return "\(label) went from \(change.before.word) to \(now): \(brief)." + rate
    }

    private func silence(_ silence: Change.Silence) -> Wording {
        let verdict = silence.verdict.map { " It went from \($0.before.word) to \($0.now.word)." } ?? ""
        return """
            \(label(silence.function)) has fallen silent: no request since \(CalendarText.day(silence.last)), after \
            \(Figures.frequency(silence.perDay)).\(verdict)
            """
    }

    private func appearance(_ appearance: Change.Appearance) -> Wording {
        let requests = Figures.counted(appearance.verifications, "request")
        let (label, verdict) = (label(appearance.function), appearance.verdict.word)
        guard let last = appearance.silentSince else {
            return "\(label) is new: \(requests) since \(CalendarText.day(appearance.first)). Verdict: \(verdict)."
        }
        return """
            \(label) is called again: \(requests) since \(CalendarText.day(appearance.first)), after silence since \
            \(CalendarText.day(last)). Verdict: \(verdict).
            """
    }

    private func verdict(of function: ChangedFunction) -> String {
        functions[function.identity]?.assessment.word ?? ""
    }
}

extension RateChange {
    fileprivate var wording: String {
        func side(_ side: Side) -> String {
            "\(Figures.rate(side.rate)) of \(Figures.counted(side.admitted, "request"))"
        }
        let (old, new) = (before.window, now.window)
        return """
            \(side(now)) (\(CalendarText.span(from: new.from, to: new.to))) after \(side(before)) \
            (\(CalendarText.span(from: old.from, to: old.to)))\(client.map { ", above all from \($0.claim)" } ?? "")
            """
    }
}

extension Change.Urgency {
    /// Its spelling for programs, a heading over its changes, what follows their number, and a verdict with its mark.
    var words: (name: String, heading: String, noun: String, mark: Verdict) {
        switch self {
        case .act: ("act", "Act now", "to act on", .wait)
        case .worse: ("worse", "Worse", "worse", .investigate)
        case .better: ("better", "Better", "better", .enforce)
        case .neutral: ("neutral", "Also changed", "otherwise changed", .exempt)
        }
    }
}
