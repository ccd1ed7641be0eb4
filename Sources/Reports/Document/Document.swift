import Readiness
import Verifications

/// The content of a report, before it is put into a format.
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
        /// The identifier of a part that a page links to from its top.
        var anchor: String?
        var blocks: [Block]
    }

    enum Block {
        case answer(Headline)
        case facts([Wording], first: Ink = .plain, rest: Ink = .plain)
        case paragraph(Wording, Ink = .plain)
        case item(Wording, mark: Verdict? = nil)
        case figures([(figure: Wording, text: Wording)])
        case provenance(Wording)
        case note(Statement)
        /// Lines to copy, never broken.
        case code([String], language: String)
        case chart(DaySeries)
        case table(Table)
        /// The meaning of the marks in the table above, if the format shows any.
        case legend
        /// The same in a few words, and what else to type, on as few lines as possible.
        case footer([Wording])
    }

    struct Headline {
        let tone: Verdict
        /// False where the terminal's first line begins with the sentence itself.
        var isMarked = true
        var conclusion: Wording
        var reason: Wording = ""
        var lines: [Wording] = []
    }

    /// One line of statements, shorter where there is no room; those that only qualify the answer are counted then.
    static func brief(_ title: [Wording], _ statements: [[Wording]], qualifying: [Wording] = []) -> Document {
        var document = Document(title: title)
        func fits(_ line: Wording) -> Bool { line.text(ascii: false).count <= room }
        var rest = qualifying[...]
        let room = longestBrief - (rest.isEmpty ? 0 : 25)
        var shortest = statements.last?[...] ?? []
        while shortest.count > 1, !fits(shortest.joined) { shortest = shortest.dropLast() }
        var line = statements.map(\.joined).first(where: fits) ?? shortest.joined
        while let next = rest.first, fits(line + " " + next) {
            line = line + " " + next
            rest = rest.dropFirst()
        }
        let counted: Wording = line + " \(Figures.counted(rest.count, "warning")): \(code: "--verbose")."
        if !rest.isEmpty, counted.text(ascii: false).count <= longestBrief { line = counted }
        if !line.parts.isEmpty { document.add([.facts([line], first: .strong)]) }
        return document
    }

    /// In characters, as far as that is possible; ` 12 warnings: --verbose.` takes 25 of them.
    private static let longestBrief = 200

    /// Adds a section; one without blocks is left out.
    mutating func add(_ blocks: [Block], title: String? = nil) {
        if !blocks.isEmpty { sections.append(Section(title: title, blocks: blocks)) }
    }
}

extension Document {
    /// About how many lines of 80 columns its texts take.
    var estimatedLines: Int {
        func lines(_ wording: Wording) -> Int { wording.text(ascii: true).count / 70 + 1 }
        return sections.reduce(sections.count) { sum, section in
            section.blocks.reduce(sum + (section.title == nil ? 0 : 1)) { sum, block in
                switch block {
                case .answer(let answer): sum + lines(answer.conclusion + answer.reason) + answer.lines.count
                case .paragraph(let wording, _), .item(let wording, _), .provenance(let wording): sum + lines(wording)
                case .figures(let figures): figures.reduce(sum) { $0 + lines($1.text) }
                case .note(let note): sum + lines(note.sentence)
                case .code(let code, _): sum + code.count
                default: sum + 1
                }
            }
        }
    }

    init(blocks: [Block]) { self.init(title: [], sections: [Section(blocks: blocks)]) }
}

extension Document.Headline {
    /// Concludes with the first of some statements; the others follow.
    init(tone: Verdict, isMarked: Bool = true, statements: [Wording], lines: [Wording] = []) {
        self.init(
            tone: tone, isMarked: isMarked, conclusion: statements.first ?? "", lines: statements.dropFirst() + lines)
    }
}

/// How a piece of text is highlighted if colour is allowed.
///
/// Nothing is conveyed by colour alone, and only marks are coloured.
enum Ink: Hashable {
    case plain, strong, faint, good, warning, bad
}

/// Rows of typed cells in groups.
///
/// Rows are made one at a time, so that a table of many thousands of functions takes no extra memory.
struct Table {
    var columns: [Column]
    var groups: [Group]
    var total: [Cell]?
    /// The days of a cell with marks; nil where nothing is dated.
    var days: ClosedRange<Day>?
    /// False where the last of them has only begun.
    var isLastDayOver = true

    struct Group {
        /// The property that its rows have in common, in capitals; nil in a table of one kind of rows.
        var heading: String?
        /// The project of its rows, where rows are grouped by it.
        var project: Wording?
        /// The names of its columns on terminals, by their heads, where they differ.
        var heads: [String: String] = [:]
        var functions: [FunctionSummary] = []
        var rows: AnyRandomAccessCollection<[Cell]>
        var rest: Wording?
    }

    struct Column {
        enum Kind {
            /// Names what the row is about; it gets the room that the other columns leave.
            case name
            case words
            case number
            case mark
            case marks
        }

        let head: String
        var kind = Kind.words
        /// Longer text is cut, however wide the terminal is.
        var widest = Int.max
        /// False where the terminal's headings say it.
        var isHeadedOnTerminals = true
        var isOnTerminals = true
        /// True where a narrow terminal leaves it out first.
        var isSpare = false
    }

    enum Cell {
        case empty
        /// The verdict; on terminals only its mark, because the row is under a heading.
        case verdict(Assessment)
        /// A function, and what is unusual about its place; that is needed where another function has its name.
        case function(FunctionSummary, place: [Wording], isNeeded: Bool)
        case words(Wording, Ink = .plain)
        case number(Int, Ink = .plain)
        case share(Int, of: Int)
        /// The daily share of requests that are refused when enforced, and the share that is allowed.
        case days([DaySum], Admission, limit: Double)

        var isEmpty: Bool {
            switch self {
            case .empty: true
            case .words(let wording, _): wording.parts.isEmpty
            default: false
            }
        }

        /// The cell as text, with its words in a format; marks are for terminals and pages.
        func text(_ format: (Wording) -> String) -> String {
            switch self {
            case .empty, .days: ""
            case .verdict(let assessment): format("\(assessment.mark(unicode: true)) \(assessment.word)")
            case .function(let function, let place, _):
                (["\(name: function.name)"] + place).map(format).joined(separator: " ")
            case .words(let wording, _): format(wording)
            case .number(let number, _), .share(let number, of: 0): Figures.grouped(number)
            case .share(let part, let whole):
                part == 0 ? "0" : format("\(Figures.grouped(part)) (\(Figures.percent(part, of: whole)))")
            }
        }
    }
}

extension Table {
    init(lead: Column? = nil, numbers: [String] = [], words: [String] = [], rows: [[Cell]]) {
        columns =
            [lead].compactMap(\.self) + numbers.map { Column(head: $0, kind: .number) } + words.map { Column(head: $0) }
        groups = [Group(rows: AnyRandomAccessCollection(rows))]
    }
}
