import Readiness
import Verifications

/// What the page says beside its functions.
struct PageHead {
    private let page: HTMLPage

    /// Longer pages are laid out as they are scrolled through.
    private static let longest = 50

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
            "context": .list(summary.context.map { ["part": .fields($0.fields)] }),
            "headline": .fields(headline.title.fields),
            "lead": .list((headline.lead + (page.nextLine.map { [$0] } ?? [])).map(\.fields)),
            "tone": .text(
                summary.functions.contains(where: \.assessment.isLockout) ? "lockout" : headline.mark.rawValue),
            "mark": .text(headline.mark.mark(unicode: true)),
            "tally": .list(tally), "changes": .fields(page.changes),
            "count": .text(Figures.counted(count, "function")), "isEmpty": .flag(count == 0),
            "isLong": .flag(count > PageHead.longest),
            "hasSeveral": .flag(count > 1), "verdicts": .list(tally),
            "projects": .fields(choice(\.project)), "regions": .fields(choice(\.region)),
            "cautions": .text(cautions),
            "notes": .list(summary.notes.map(note)),
            "foundation": .fields(summary.provenance.fields),
            "basis": .fields((summary.policy.terms + ".").fields),
        ]
    }

    /// How many functions have which verdict, in the order of the page.
    private var tally: [Fields] {
        let byLabel = Dictionary(grouping: summary.functions, by: \.assessment.word)
        let labels = [Assessment.lockoutWord] + Verdict.allCases.map(\.word)
        return (labels + [Assessment.almostReady]).compactMap { label in
            guard let functions = byLabel[label], let assessment = functions.first?.assessment else { return nil }
            return [
                "label": .text(label), "tone": .text(assessment.pageTone),
                "mark": .text(assessment.mark(unicode: true)),
                "number": .text(Figures.grouped(functions.count)), "meaning": .text(assessment.pageMeaning),
            ]
        }
    }

    /// Values to choose from; nil when all functions have the same.
    private func choice(_ value: (FunctionIdentity) -> String) -> Fields? {
        let values = Set(summary.functions.map { ExactName(DisplayText(name: value($0.identity)).text) }).sorted()
        guard values.count > 1 else { return nil }
        return ["values": .list(values.map { ["value": .text($0.text)] })]
    }

    /// What the page says in full further down must not be missed at the top.
    private var cautions: String? {
        let count = summary.notes.count(where: \.isCaution)
        return count == 0 ? nil : Figures.counted(count, "caution") + " about the log"
    }

    private func note(_ note: Note) -> Fields {
        ["isCaution": .flag(note.isCaution), "text": .fields(note.wording.fields)]
    }
}

extension Assessment {
    /// The class that has its colours.
    var pageTone: String {
        isLockout ? "lockout" : verdict.rawValue
    }

    /// What the label means.
    var pageMeaning: String {
        isLockout ? "Enforced, and signed-in people are locked out" : verdict.meaning
    }
}
