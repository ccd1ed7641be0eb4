import Readiness
import Verifications

/// What pages say about one finding; each part is put into words only where it is shown.
struct Words {
    typealias Block = Document.Block
    /// What to do about a finding, as a section of `explain` shows it.
    typealias Remedy = (Explanation) -> [Block]

    /// One or two sentences for someone who has never heard of a confidence bound.
    let sentence: () -> Wording
    /// The same for a function that has been enforced since a day; nil where the sentence fits both.
    ///
    /// A window may begin before that day, so the sentence must be true of both sides.
    let enforced: ((Day) -> Wording)?
    /// The one number that decided, in requests and days rather than rates.
    let brief: () -> Wording
    let remedy: Remedy?

    /// Words of a finding that decides; without an export or a wait that helps it has no remedy.
    init(
        _ sentence: @escaping @autoclosure () -> Wording, enforced: ((Day) -> Wording)? = nil,
        brief: @escaping @autoclosure () -> Wording, remedy: Remedy?
    ) {
        self.sentence = sentence
        self.enforced = enforced
        self.brief = brief
        self.remedy = remedy
    }

    /// Words of a finding that is only ever listed after another one.
    init(aside sentence: @escaping @autoclosure () -> Wording, enforced: ((Day) -> Wording)? = nil) {
        self.sentence = sentence
        self.enforced = enforced
        brief = sentence
        remedy = nil
    }
}

extension Reason {
    /// The words of the reason, which is one of the assessment's.
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .settled(let finding): finding.words(assessment)
        case .passes(let finding): finding.words
        case .silence(let finding): finding.words
        case .excess(let finding): finding.words(assessment)
        case .sample(let finding): finding.words(assessment)
        case .completeness(let finding): finding.words
        case .failures(let finding): finding.words
        case .origin(let finding): finding.words
        case .safety(let finding): finding.words(assessment)
        case .callers(let finding): finding.words
        }
    }

    func wording(of assessment: Assessment, enforcedSince day: Day? = nil) -> Wording {
        let words = words(assessment)
        return day.flatMap { words.enforced?($0) } ?? words.sentence()
    }

    /// `84 of 4,200 requests (2%)`.
    static func share(_ part: Int, _ whole: Int, _ noun: String) -> String {
        let rate = whole > 0 ? " (\(Figures.rate(Double(part) / Double(whole))))" : ""
        return "\(Figures.grouped(part)) of \(Figures.grouped(whole)) \(noun)\(rate)"
    }

    /// What a lower bound says about a limit that it exceeds.
    static func atLeast(_ lower: Double, _ limit: Double, _ assessment: Assessment) -> String {
        let confidence = Figures.exactRate(assessment.policy.numbers.confidence)
        return """
            The true rate is at least \(Figures.rate(lower, .down, against: limit)) (\(confidence) confidence), more \
            than the \(Figures.exactRate(limit)) allowed.
            """
    }

    static func list(_ days: [Day]) -> String {
        var shown = days.prefix(3).map(CalendarText.day)
        if days.count > 3 { shown.append(Figures.counted(days.count - 3, "more day", plural: "more days")) }
        guard shown.count > 1, let last = shown.popLast() else { return shown.joined() }
        return "\(shown.joined(separator: ", ")) and \(last)"
    }
}

extension Assessment {
    /// The reasons in words.
    var reasonWordings: [Wording] {
        reasons.map { $0.wording(of: self, enforcedSince: enforcedSince) }
    }

    /// The day on which enforcement was switched on; nil where it is not on.
    var enforcedSince: Day? {
        for case .settled(.enforced(let since)) in reasons { return since }
        return nil
    }

    /// The reason that the verdict comes from; a lock-out matters more than that enforcement is on.
    ///
    /// Nil for many functions together.
    var decidingReason: Reason? {
        reasons.first { if case .settled(.lockout) = $0 { true } else { false } } ?? reasons.first
    }

    /// The one number that decided.
    var brief: Wording {
        decidingReason?.words(self).brief() ?? Assessment.pooled
    }

    static let pooled: Wording = "many functions together"
}
