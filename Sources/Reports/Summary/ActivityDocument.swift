import Readiness
import Verifications

extension Summary {
    /// The last hour, functions with the most refused requests first; empty unless it was requested.
    ///
    /// A function that is in front comes first, with the clients of its refused requests.
    func activitySections(inFront front: Glob?) -> [Document.Section] {
        guard let activity else { return [] }
        let rows = functions.compactMap { function in
            activity.functions[function.identity].map { FunctionActivity(function, $0, activity) }
        }
        let chosen = functions.filter { function in
            front.map { $0.matches(function.name) || $0.matches(function.identity.name) } ?? false
        }
        func isChosen(_ row: FunctionActivity) -> Bool { chosen.contains { $0 === row.function } }
        let sorted = rows.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if isChosen(first) != isChosen(second) { return isChosen(first) }
            return first.rank == second.rank ? left.offset < right.offset : first.rank > second.rank
        }.map(\.element)
        var sections = [Document.Section(blocks: [.table(table(sorted, activity))] + Summary.meaning(sorted, names))]
        if rows.isEmpty {
            sections[0].blocks = [.paragraph("No request in the hour until \(CalendarText.clock(activity.end)) UTC.")]
        }
        sections += sorted.filter(isChosen).map { $0.section(names) }
        if let front, chosen.isEmpty {
            sections[0].blocks.append(.paragraph("No request of \(name: front.pattern) yet.", .warning))
        }
        return sections
    }

    /// The table of all functions has the others.
    private static let mostActive = 8

    /// Which of the refused requests are refused, and which would be.
    private static func meaning(_ rows: [FunctionActivity], _ names: FunctionNames) -> [Document.Block] {
        let enforced = rows.filter(\.isEnforced)
        if enforced.count == rows.count { return [] }
        let refused = rows.compactMap { row in
            row.function.assessment.enforcement.recent.map { names[row.function] + ": " + $0.wording }
        }
        var meaning: Wording = "Refused means: would be refused if enforcement were on."
        if !enforced.isEmpty {
            meaning = """
                Refused means: refused by \(list: enforced.map { names[$0.function] }), would be refused by the others.
                """
        } else if !refused.isEmpty {
            meaning = "Refused means: would be refused; some were answered 401 already."
        }
        return [.paragraph(meaning, .faint)] + refused.map { .paragraph($0, .warning) }
    }

    private func table(_ rows: [FunctionActivity], _ activity: Activity) -> Table {
        let names = names
        var table = Table(rows: [])
        table.columns =
            [Table.Column(head: "function", kind: .name, widest: 120, isHeadedOnTerminals: false)]
            + ["15 min", "refused", "1 hour", "refused ", "401"].map { Table.Column(head: $0, kind: .number) }
            + [Table.Column(head: "expected", widest: 24), Table.Column(head: "", kind: .marks)]
        let shown = rows.prefix(Summary.mostActive)
        let cells = shown.map { row -> [Table.Cell] in
            let (recent, hour) = (row.counts(15), row.counts(60))
            return [
                .function(row.function, place: names.place(of: row.function)), .words(row.perMinute(15, activity)),
                .share(recent.blocked, of: recent.requests), .words(row.perMinute(60, activity)),
                .share(hour.blocked, of: hour.requests), .number(row.hour.last(60).unauthenticated), row.expectedCell,
                .minutes(row.hour.minutes.map { $0.counts(row.admission).requests }),
            ]
        }
        let rest = rows.count - shown.count
        table.groups = [
            Table.Group(
                heading: "UNTIL \(CalendarText.clock(activity.end)) UTC", rows: AnyRandomAccessCollection(cells),
                rest: rest > 0 ? "and \(Figures.counted(rest, "function")) more" : nil)
        ]
        (table.keepsPlaces, table.countsMinutes) = (names.areAmbiguous, true)
        return table
    }
}

/// The last hour of one function, and what it is compared with.
private struct FunctionActivity {
    /// What is expected to be refused.
    private enum Expectation {
        case yesterday(requests: Int, blocked: Int)
        /// A share of the requests, by the prediction.
        case predicted(rate: Double, upper: Double)
    }

    let function: FunctionSummary
    let hour: Activity.Hour
    private let expectation: Expectation?

    init(_ function: FunctionSummary, _ hour: Activity.Hour, _ activity: Activity) {
        (self.function, self.hour) = (function, hour)
        let assessment = function.assessment
        let yesterday = hour.yesterday.counts(assessment.policy.numbers.admission)
        if let aftermath = assessment.aftermath, let rate = aftermath.predictedRate,
            let upper = aftermath.predictedRateUpper
        {
            expectation = .predicted(rate: rate, upper: upper)
        } else if activity.knowsYesterday, yesterday.requests > 0 {
            expectation = .yesterday(requests: yesterday.requests, blocked: yesterday.blocked)
        } else if !assessment.enforcement.isOn, assessment.counts.activeDays > 1,
            let rate = assessment.counts.blockedRate
        {
            expectation = .predicted(rate: rate, upper: assessment.counts.blockedRateUpper)
        } else {
            expectation = nil
        }
    }

    var admission: Admission { function.assessment.policy.numbers.admission }
    var isEnforced: Bool { function.assessment.enforcement.isOn }

    func counts(_ minutes: Int) -> (requests: Int, blocked: Int) { hour.last(minutes).counts(admission) }

    func perMinute(_ minutes: Int, _ activity: Activity) -> Wording {
        "\(Figures.amount(Double(counts(minutes).requests) / activity.covered(minutes)))/min"
    }

    /// The higher, the more it needs a look.
    var rank: Int { (isMore ? 1 << 40 : 0) + counts(60).blocked << 20 + min(counts(60).requests, 1 << 20 - 1) }

    /// True when more is refused in the last hour than is expected, beyond chance.
    var isMore: Bool {
        let (requests, blocked) = counts(60)
        switch expectation {
        case nil: return false
        case .predicted(_, let upper):
            let confidence = function.assessment.policy.numbers.confidence
            let lower = ClopperPearson.lower(
                blocked: Double(blocked), requests: Double(requests), confidence: confidence)
            return lower > upper
        case .yesterday(let requestsThen, let blockedThen):
            return min(requests, requestsThen) >= FunctionActivity.fewestRequests
                && Proportions.differ(
                    Double(blockedThen), of: Double(requestsThen), from: Double(blocked), of: Double(requests),
                    dispersion: 1)
                && blocked * requestsThen > blockedThen * requests
        }
    }

    /// Fewer requests in an hour show nothing.
    private static let fewestRequests = 30

    var expectedCell: Table.Cell {
        switch expectation {
        case nil: return .empty
        case .yesterday(let requests, let blocked):
            return .words(
                "yesterday \(Figures.grouped(blocked)) of \(Figures.grouped(requests))", isMore ? .bad : .plain)
        case .predicted(let rate, _):
            return .words("\(isEnforced ? "predicted" : "usually") \(predicted(rate))", isMore ? .bad : .plain)
        }
    }

    private func predicted(_ rate: Double) -> String { Figures.amount(rate * Double(counts(60).requests)) }

    /// What is refused in the last hour, who sends it, and how to roll back if that is more than expected.
    func section(_ names: FunctionNames) -> Document.Section {
        let (requests, blocked) = counts(60)
        let expected: Wording =
            switch expectation {
            case nil: "."
            case .yesterday(let requests, let blocked):
                "; in the same hour yesterday \(Figures.grouped(blocked)) of \(Figures.grouped(requests))."
            case .predicted(let rate, _): "; \(predicted(rate)) \(isEnforced ? "were predicted" : "are usual")."
            }
        let count: Wording = """
            \(names[function]): \(Figures.grouped(blocked)) of \(Figures.counted(requests, "request"))
            """
        var blocks: [Document.Block] = [.paragraph(count + expected + (isMore ? " More than expected." : ""))]
        let clients = hour.callers.admitted(admission)
        let lines = clients.refusedLines
        if !lines.isEmpty { blocks.append(.figures(lines)) }
        if clients.clients.count(where: { $0.value.blocked > 0 }) > lines.count {
            blocks.append(.paragraph("and others", .faint))
        }
        // A lock-out is shown above, with all of this.
        if !function.assessment.isLockout {
            if let aftermath = function.assessment.aftermath {
                blocks.append(.paragraph(aftermath.wording(function.assessment.enforcement)))
            }
            if isEnforced, isMore { blocks += function.rollback }
        }
        return Document.Section(
            title: "\(isEnforced ? "Refused" : "Would be refused") in the last hour", blocks: blocks)
    }
}
