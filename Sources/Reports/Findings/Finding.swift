import Readiness
import Verifications

/// One statement about functions, a project or the input; every report and format lists the same ones.
///
/// What decides about a function are its reasons. The others are found and worded in ``Summary/notes``.
struct Finding {
    enum Subject {
        case functions([FunctionSummary])
        case project(String)
        case input
    }

    enum Urgency: String {
        case act
        /// Counts or shares may be wrong because of it.
        case caution
        /// It only explains them.
        case note
    }

    /// The spelling in machine-readable output.
    let code: String
    let subject: Subject
    let urgency: Urgency
    var value: Double?
    /// True for what every answer of a gate includes.
    var isInAnswers = false
    /// In a sentence, about some of its functions.
    private(set) var words: ([FunctionSummary]) -> Wording

    var isCaution: Bool { urgency != .note }

    /// False for what a short answer only counts: it changes nothing about the functions shown.
    var mayChangeAnswer: Bool {
        let others: Set = [
            "short-span", "after-as-of", "days-pooled", "other-status", "bad-day", "callers-unknown", "passed-over",
        ]
        return isCaution && !others.contains(code)
    }

    /// What screens print: the first sentence, unless the rest is to be copied.
    var inBrief: Finding {
        let toCopy: Set = ["enforced-by-log", "policy-contradicted", "cut-pull"]
        if toCopy.contains(code) { return self }
        var brief = self
        brief.words = { [words] in words($0).firstSentence }
        return brief
    }

    var wording: Wording {
        if case .functions(let functions) = subject { words(functions) } else { words([]) }
    }
}

extension Finding {
    init(_ code: String, _ urgency: Urgency, about subject: Subject = .input, value: Int? = nil, _ words: Wording) {
        self.init(code: code, subject: subject, urgency: urgency, value: value.map(Double.init)) { _ in words }
    }

    /// Nil without a function.
    init?(
        _ code: String, _ urgency: Urgency, of functions: [FunctionSummary], isInAnswers: Bool = false,
        _ words: @escaping ([FunctionSummary]) -> Wording
    ) {
        guard !functions.isEmpty else { return nil }
        self.init(
            code: code, subject: .functions(functions), urgency: urgency, isInAnswers: isInAnswers, words: words)
    }
}

extension Reason {
    var urgency: Finding.Urgency {
        switch self {
        case .settled(.lockout), .failing, .silence(.exportOld): .act
        case .settled(.switchUnclear): .caution
        default: kind == .safe || kind == .advice || isSettled ? .note : .caution
        }
    }

    private var isSettled: Bool { if case .settled = kind { true } else { false } }
}

extension JSONWriter {
    /// All findings, each once.
    mutating func addFindings(of summary: Summary) {
        array(.lines, key: "findings") { json in
            for function in summary.functions {
                for reason in function.assessment.listed {
                    json.add(
                        .functions([function]), function, reason.code, reason.value, reason.limit,
                        reason.wording(of: function.assessment), reason.urgency)
                }
            }
            for note in summary.notes {
                guard case .functions(let functions) = note.subject else {
                    json.add(note.subject, nil, note.code, note.value, nil, note.wording, note.urgency)
                    continue
                }
                for function in functions where !function.assessment.reasons.contains(where: { $0.code == note.code }) {
                    json.add(
                        note.subject, function, note.code, note.value, nil, note.words([function]), note.urgency)
                }
            }
        }
    }

    private mutating func add(
        _ subject: Finding.Subject, _ function: FunctionSummary?, _ code: String, _ value: Double?, _ limit: Double?,
        _ wording: Wording, _ urgency: Finding.Urgency
    ) {
        let (scope, name): (String, String?) =
            switch subject {
            case .functions: ("function", function?.path)
            case .project(let project): ("project", project)
            case .input: ("input", nil)
            }
        object(
            nil,
            [
                "scope": scope, "of": name, "code": code, "value": value, "limit": limit,
                "detail": wording.text(ascii: false), "urgency": urgency.rawValue,
            ])
    }
}

extension FunctionSummary {
    /// `demo-prod/us-central1/addMessage`.
    var path: String { "\(identity.project)/\(identity.region)/\(name)" }
}
