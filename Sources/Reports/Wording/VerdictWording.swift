import Readiness
import Verifications

extension Verdict {
    var word: String { words.word }

    var meaning: String { words.meaning }

    /// A sign that tells verdicts apart at a glance, without colour.
    func mark(unicode: Bool) -> String { unicode ? words.mark : words.ascii }

    var ink: Ink { words.ink }

    private var words: (word: String, mark: String, ascii: String, ink: Ink, meaning: String) {
        switch self {
        case .enforce: ("ready", "✓", "+", .good, "Can be enforced")
        case .wait: ("not safe", "✗", "x", .bad, "Not safe: enforcement would refuse too many requests")
        case .investigate: ("bad tokens", "✗", "x", .bad, "Not safe: clients send tokens that are refused")
        case .insufficient: ("not enough data", "?", "?", .warning, "Not enough data yet")
        case .blind: ("incomplete log", "?", "?", .warning, "Incomplete: the log lacks passed requests")
        case .exempt: ("exempt", "–", "-", .faint, "Exempt by policy")
        case .enforced: ("enforced", "✓", "+", .good, "Enforced already")
        case .superseded: ("replaced", "–", "-", .faint, "Replaced by another function")
        }
    }
}

extension Assessment {
    static let lockoutWord = "refusing users"
    static let almostReady = "almost ready"

    var word: String {
        if isLockout { return Assessment.lockoutWord }
        if reasons.first?.code == .notConfirmed { return Assessment.almostReady }
        return verdict.word
    }

    /// The verdict's sign; enforcement that refuses signed-in people gets no tick.
    func mark(unicode: Bool) -> String {
        isLockout ? Verdict.wait.mark(unicode: unicode) : verdict.mark(unicode: unicode)
    }

    var ink: Ink { isLockout ? .bad : verdict.ink }
}

extension FunctionSummary {
    /// The one number that decided, in requests and days rather than rates: `about 4, at most 31 of 4,200 a day`.
    var brief: Wording {
        switch listing {
        case .seen: assessment.brief
        case .deployed(.callable): "deployed, no requests"
        case .deployed: "deployed, no requests, perhaps not callable"
        case .unmatched(_, let inputs) where !inputs.isEmpty: "\(list: inputs.map(\.wording))"
        case .unmatched(let suggestion?, _): "no such function; did you mean \(name: suggestion)?"
        case .unmatched: "no such function"
        case .withoutEntries: "requests, but no App Check entry"
        case .notCallable: "not callable: an event, a schedule or plain HTTPS starts it"
        }
    }
}

extension InputWithoutRecords {
    var wording: Wording {
        (source == "-" ? "standard input" : "\(name: source)") + (isEmpty ? " has no record" : " cannot be read")
    }
}
