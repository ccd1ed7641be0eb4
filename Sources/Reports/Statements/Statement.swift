import Readiness
import Verifications

/// What is said about one finding, in the tense that fits the function: made here once, and only chosen, ordered and
/// cut by reports.
struct Statement {
    typealias Block = Document.Block
    typealias Steps = (Explanation) -> [Block]
    /// `LEAD: a (ITEM), b (ITEM).END`.
    typealias Shared = (lead: Wording, item: Wording?, end: Wording)

    let finding: Finding
    /// One or two sentences for someone who has never heard of a confidence bound.
    var sentence: Wording
    /// The same in a few words, where there is no room: the one number that decided, in requests and days.
    var short: Wording
    /// What to do about it; nil where neither an export nor a wait helps.
    var steps: Steps?
    /// How functions with the same finding share a line; nil where those with the same sentence do.
    var shared: Shared?
    /// True for what holds for the whole input.
    var isOfInput = false

    var isCaution: Bool { finding.urgency != .note }
    /// False for what a short answer only counts.
    var mayChangeAnswer: Bool { isCaution && !finding.display.contains(.countedOnly) }

    /// The statement for screens with little room.
    var inBrief: Statement {
        var statement = self
        statement.sentence = sentence.inBrief(finding)
        return statement
    }
}

extension Wording {
    func inBrief(_ finding: Finding) -> Wording { finding.display.contains(.whole) ? self : firstSentence }
}

extension Finding {
    /// The statement on a function's finding; each family of findings has a file next to this one.
    func statement(of assessment: Assessment) -> Statement {
        serviceStatement(assessment) ?? enforcementStatement(assessment) ?? segmentStatement(assessment)
            ?? requestStatement(assessment) ?? platformStatement(assessment) ?? logStatement(assessment)
            ?? says("\(name).")
    }

    func says(
        _ sentence: Wording, short: Wording? = nil, steps: Statement.Steps? = nil, shared: Statement.Shared? = nil
    ) -> Statement {
        Statement(finding: self, sentence: sentence, short: short ?? sentence, steps: steps, shared: shared)
    }

    /// The statement on what functions usually share; one that has it alone says it in the same way.
    func says(lead: Wording, item: Wording? = nil, end: Wording = "") -> Statement {
        says(lead + (item.map { ": " + $0 } ?? "") + "." + end, shared: (lead, item, end))
    }

    /// The value and the limit of what is counted.
    var number: Int { Int(value ?? 0) }
    var bar: Int { Int(limit ?? 0) }

    /// `84 of 4,200 requests (2%)`, `all 160 requests`, `the only request`; `ending` follows the noun.
    func share(_ noun: String = "request", _ ending: String = "") -> String {
        let requests = Figures.counted(total, noun) + ending
        guard total > 0 else { return "\(Figures.grouped(count)) of \(requests)" }
        if count == total { return total == 1 ? "the only \(noun)\(ending)" : "all \(requests)" }
        return "\(Figures.grouped(count)) of \(requests) (\(Figures.rate(Double(count) / Double(total))))"
    }

    /// What a share, which exceeds it beyond chance, is held against.
    var tooMany: String { "Limit: \(Figures.exactRate(limit ?? 0))." }

    static func list(_ days: [Day]) -> String {
        var shown = days.prefix(3).map(CalendarText.day)
        if days.count > 3 { shown.append(Figures.counted(days.count - 3, "more day")) }
        guard shown.count > 1, let last = shown.popLast() else { return shown.joined() }
        return "\(shown.joined(separator: ", ")) and \(last)"
    }
}

extension Assessment {
    var statements: [Statement] { listed.map { $0.statement(of: self) } }
}
