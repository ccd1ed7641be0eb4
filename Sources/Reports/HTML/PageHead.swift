import Readiness
import Verifications

/// What the page says beside its functions.
struct PageHead {
    private let page: HTMLPage

    init(_ page: HTMLPage) {
        self.page = page
    }

    private var summary: Summary {
        page.summary
    }

    var fields: Fields {
        let headline = Headline(summary)
        let count = summary.functions.count
        return [
            "policy": .text(ContentPolicy.text), "style": .text(ContentPolicy.style),
            "script": .text(ContentPolicy.script),
            "title": .text(headline.title.text(ascii: false)),
            "context": .list(summary.context(dash: "–").map { ["part": .fields($0.fields)] }),
            "headline": .fields(headline.title.fields), "lead": .list(headline.lead.map(\.fields)),
            "tone": .text(
                summary.functions.contains(where: \.assessment.isLockout) ? "lockout" : headline.mark.rawValue),
            "mark": .text(headline.mark.mark(unicode: true)),
            "tally": .list(tally), "changes": .fields(page.changes),
            "count": .text(Figures.counted(count, "function")), "isEmpty": .flag(count == 0),
            "hasSeveral": .flag(count > 1), "verdicts": .list(tally),
            "projects": .fields(choice(\.project)), "regions": .fields(choice(\.region)),
            "notes": .list(summary.notes.map(note)),
            "foundation": .fields(summary.foundation.fields),
            "basis": .fields((summary.policy.foundation + ".").fields),
        ]
    }

    /// How many functions have which verdict, in the order of the page.
    private var tally: [Fields] {
        Verdict.allCases.compactMap { verdict in
            let functions = summary.functions.filter { $0.assessment.verdict == verdict }
            guard !functions.isEmpty else { return nil }
            return [
                "verdict": .text(verdict.rawValue), "mark": .text(verdict.mark(unicode: true)),
                "number": .text(Figures.grouped(functions.count)), "meaning": .text(verdict.meaning),
            ]
        }
    }

    /// Values to choose from; nil when all functions have the same.
    private func choice(_ value: (FunctionIdentity) -> String) -> Fields? {
        let values = Set(summary.functions.map { DisplayText(name: value($0.identity)).text }).sorted()
        guard values.count > 1 else { return nil }
        return ["values": .list(values.map { ["value": .text($0)] })]
    }

    private func note(_ note: Note) -> Fields {
        ["isCaution": .flag(note.isCaution), "text": .fields(note.wording.fields)]
    }
}
