import Readiness
import Rollout
import Verifications

extension NightlyReport {
    func document(_ view: TableView, rollouts: [RolloutHistory] = []) -> Document {
        let changes = changesByUrgency.map { Document.Section(blocks: $0.blocks) }
        return summary.document(view, answer: answer(view), after: changes, before: rollouts.map(\.section))
    }

    func answer(_ view: TableView) -> Document.Answer {
        var answer = summary.answer(view)
        answer.lines.append(changesLine)
        return answer
    }

    /// The changes, grouped by what the reader has to do: a heading, and a sentence for each change.
    var changesByUrgency: [(urgency: Change.Urgency, blocks: [Document.Block])] {
        let words = ChangeWording(self)
        return Change.Urgency.allCases.compactMap { urgency in
            let changes = changes.filter { $0.urgency == urgency }
            guard !changes.isEmpty else { return nil }
            let items = changes.map { Document.Block.item(words.sentences($0), mark: urgency.words.mark) }
            return (urgency, [.paragraph("\(urgency.words.heading)", .strong)] + items)
        }
    }

    var changesLine: Wording {
        guard let comparedTo else {
            let start = firstDay.map { ": the log begins on \(CalendarText.day($0))" } ?? ""
            return "Nothing to compare with\(start)."
        }
        let day = CalendarText.day(comparedTo)
        guard !changes.isEmpty else { return "Nothing has changed since \(day)." }
        let counts = Change.Urgency.allCases.compactMap { urgency -> String? in
            let found = changes.filter { $0.urgency == urgency }
            if found.isEmpty { return nil }
            guard urgency == .act else { return "\(Figures.grouped(found.count)) \(urgency.words.noun)" }
            let functions = found.compactMap(\.function?.identity)
            let isOfFunctions = functions.count == found.count
            let count = isOfFunctions ? Set(functions).count : found.count
            let noun = isOfFunctions ? "function" : "change"
            return "\(Figures.counted(count, noun)) \(count == 1 ? "needs" : "need") action"
        }
        return "Since \(day): \(counts.joined(separator: ", "))."
    }

    /// The morning report as a chat message: the answer, what changed, the functions, and every caution.
    ///
    /// Long lists are cut. Whatever was read, the message stays below `limit` characters of Markdown.
    /// With `isFolding`, a collapsed table of all functions follows where some were left out.
    func message(isFolding: Bool, limit: Int, _ view: TableView) -> Document {
        let day = summary.asOf.map { " · \(CalendarText.day($0.day))" } ?? ""
        var document = Document(title: ["App Check on callable functions\(day)"])
        var answer = answer(view)
        answer.conclusion = NightlyReport.short(answer.conclusion)
        answer.lines = answer.lines.map(NightlyReport.short)
        document.add([.answer(answer), .facts(summary.context.map(NightlyReport.short))])
        guard !view.isBrief else { return document.brief(summary.cautions + summary.enforcementNotes.map(\.wording)) }
        document.sections += summary.refusals
        let chatLimit = NightlyReport.messageLimit - NightlyReport.reserve
        for (_, blocks) in changesByUrgency {
            let items = blocks.dropFirst().map(NightlyReport.short)
            document.add(items, under: blocks.first, most: NightlyReport.listed, limit: chatLimit, "more change")
        }
        let cautions = summary.notes.filter(\.isCaution).map { Document.Block.note($0) }
        // Rows give way to cautions, but not to the last of many.
        let reserve = min(cautions.reduce(NightlyReport.reserve) { $0 + $1.markdown.count }, limit / 3)
        let listed = [20, 10, 5, 3, 1, 0].lazy.map { top -> [Document.Section] in
            var view = view
            view.limit = min(top, view.limit ?? top)
            return summary.listing(view)
        }.first { document.adding($0).markdown.count + reserve < limit }
        document = document.adding(listed ?? [])
        // In full: a chat has no page to look them up on.
        document.add(cautions, limit: limit - NightlyReport.reserve, "more caution")
        if isFolding, listed?.leavesOutFunctions ?? !summary.functions.isEmpty {
            let count = Figures.counted(summary.functions.count, "function")
            document.add([.folded(count, [.table(.ofVerdicts(summary, view))])])
        }
        return document
    }

    /// Chats cut longer messages.
    static let messageLimit = 4000
    /// Slack accepts more.
    static let slackLimit = 10_000
    private static let widestName = 48
    private static let listed = 8
    /// What is left for lines that are always there.
    private static let reserve = 300

    private static func short(_ block: Document.Block) -> Document.Block {
        if case .item(let wording, let mark) = block { .item(short(wording), mark: mark) } else { block }
    }

    private static func short(_ wording: Wording) -> Wording {
        var short = wording
        short.parts = wording.parts.map { part in
            guard case .name(let name) = part else { return part }
            return .name(DisplayText(name: name).cut(to: widestName, ellipsis: "…"))
        }
        return short
    }
}

extension [Document.Section] {
    fileprivate var leavesOutFunctions: Bool {
        flatMap(\.blocks).contains { block in
            if case .table(let table) = block { table.groups.contains { $0.rest != nil } } else { false }
        }
    }
}

extension Document {
    fileprivate func adding(_ more: [Section]) -> Document {
        var document = self
        document.sections += more
        return document
    }

    /// Adds as many of the blocks as fit into so many characters of Markdown, and says how many more there are.
    fileprivate mutating func add(
        _ blocks: [Block], under heading: Block? = nil, most: Int = .max, limit: Int, _ noun: String
    ) {
        let heading = heading.map { [$0] } ?? []
        var length = heading.reduce(markdown.count) { $0 + $1.markdown.count }
        var shown = blocks.prefix(most).filter { block in
            let size = block.markdown.count
            guard length + size < limit else { return false }
            length += size
            return true
        }
        let omitted = blocks.count - shown.count
        if omitted > 0 { shown.append(.paragraph("And \(Figures.counted(omitted, noun)).")) }
        if !shown.isEmpty { add(heading + shown) }
    }
}

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
        case .aftermath(let function, let aftermath): self.aftermath(aftermath, of: function)
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

    private func aftermath(_ aftermath: Aftermath, of function: ChangedFunction) -> Wording {
        let news: Wording = "\(label(function)): \(aftermath.news)"
        guard aftermath.answer == .more, let summary = functions[function.identity] else { return news }
        return """
            \(news) To roll back, deploy it again without \(code: "enforceAppCheck"), which takes minutes: \
            \(code: summary.deployment)
            """
    }

    private func lockout(_ lockout: Change.Lockout) -> Wording {
        let label = label(lockout.function)
        guard lockout.state != .ended else { return "\(label) no longer refuses signed-in users." }
        let summary = functions[lockout.function.identity]
        let since = summary.map { ", \($0.assessment.enforcement.span)" } ?? ""
        return """
            \(label)\(lockout.state == .continues ? " still" : "") refuses signed-in users: \
            \(Reason.share(lockout.blocked, lockout.admitted, "signed-in requests")) had no valid App Check token\(since).
            """ + (summary.map { " To roll back, deploy it without enforcement: \(code: $0.deployment)." } ?? "")
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
