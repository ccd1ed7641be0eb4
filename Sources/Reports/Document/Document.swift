import Readiness
import Rollout

/// What a report says, before it is put into a format.
///
/// A report builds its document once; a renderer for each format writes it down. Nothing in a document is escaped: text
/// that came from a log is marked as a name, and each renderer makes it harmless in its own way.
struct Document {
    /// Its parts are shown next to each other: a function, and where it runs.
    var title: [Wording]
    /// False where the first lines on a terminal say enough without it.
    var isTitledOnTerminals = false
    var sections: [Section] = []

    /// Blocks that belong together; an empty line separates two sections.
    struct Section {
        var title: String?
        var blocks: [Block]

        init(title: String? = nil, blocks: [Block]) {
            self.title = title
            self.blocks = blocks
        }
    }

    enum Block {
        case answer(Answer)
        /// Short facts next to each other.
        case facts([Wording], first: Ink = .plain, rest: Ink = .plain)
        case paragraph(Wording, Ink = .plain)
        /// An item of a list, with the mark of a verdict or none.
        case item(Wording, mark: Verdict? = nil)
        /// Sentences next to numbers or commands.
        case figures([(figure: Wording, text: Wording)])
        /// What everything is based on.
        case provenance(Wording)
        case note(Note)
        /// Lines to copy, never broken.
        case code([String], language: String)
        /// The days of a function.
        case chart(Explanation)
        /// The days of an App Attest rollout.
        case rollout(RolloutHistory)
        case table(Table)
        /// What the marks in the table above mean, where the format shows any.
        case legend
        /// Blocks that can be hidden behind a summary, where the format can do that.
        case folded(String, [Block])
    }

    /// The answer in one sentence.
    struct Answer {
        /// The verdict whose colour it has.
        let tone: Verdict
        /// False where the terminal's first line begins with the sentence itself.
        var isMarked = true
        var conclusion: Wording
        var reason: Wording = ""
        /// Sentences below it.
        var lines: [Wording] = []
    }

    /// Only the answer, in one line.
    var brief: Document {
        var document = Document(title: title)
        for case .answer(let answer) in sections.lazy.flatMap(\.blocks) {
            document.add([.facts([answer.conclusion + answer.reason], first: .strong)])
        }
        return document
    }

    /// Adds a section; one without blocks is left out.
    mutating func add(_ blocks: [Block], title: String? = nil) {
        if !blocks.isEmpty { sections.append(Section(title: title, blocks: blocks)) }
    }
}

/// How a piece of text stands out where colour is allowed.
///
/// Nothing is conveyed by colour alone, and only marks are coloured.
enum Ink: Hashable {
    case plain, strong, faint, good, warning, bad
}
