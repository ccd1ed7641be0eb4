import Readiness
import Verifications

/// Rows of typed cells in groups.
///
/// Rows are made one at a time, so that a table of many thousands of functions takes no memory of its own.
struct Table {
    var columns: [Column]
    var groups: [Group]
    /// The last row, set apart from the others.
    var total: [Cell]?
    /// The days of a cell with marks; nil where nothing is dated.
    var days: Days?
    /// Ways to lay it out on a terminal, the widest first; the last one is used where none fits.
    var arrangements = [Arrangement()]

    struct Group {
        /// What its rows have in common, in capitals; nil in a table of one kind of rows.
        var heading: String?
        var rows: AnySequence<[Cell]>
        /// What is left out, and how to see it.
        var rest: Wording?
    }

    struct Column {
        enum Kind {
            /// Names what the row is about; it gets the room that the other columns leave.
            case name
            /// Words that may run on where the cells to their right are empty.
            case words
            case number
            /// A verdict's mark.
            case mark
            /// One mark a day.
            case marks
        }

        let head: String
        var kind = Kind.words
        /// Longer text is cut, however wide the terminal is.
        var widest = Int.max
        /// False where the terminal's headings say it.
        var isHeadedOnTerminals = true
    }

    enum Cell {
        case empty
        /// The verdict; on terminals only its mark, because the row is under a heading.
        case verdict(Assessment)
        /// A function, and where it runs as far as that distinguishes it from others.
        case function(FunctionSummary, place: [Wording])
        case words(Wording, Ink = .plain)
        case number(Int, Ink = .plain)
        case share(Int, of: Int)
        /// The daily share of requests that are refused when enforced, and the share that is allowed.
        case days([DayTally], Admission, limit: Double)

        var isEmpty: Bool {
            switch self {
            case .empty: true
            case .words(let wording, _): wording.parts.isEmpty
            default: false
            }
        }
    }

    struct Days {
        let range: ClosedRange<Day>
        /// True when the log begins before them.
        let isPart: Bool
    }

    /// What a terminal of some width has room for.
    struct Arrangement {
        /// The largest number of marks.
        var marks = 0
        var hasShares = true
        /// The heads of columns that are left out.
        var without: Set<String> = []
    }
}

extension Table {
    /// Columns as wide as their cells, numbers first.
    init(numbers: [String], words: [String] = [], rows: [[Cell]]) {
        columns = numbers.map { Column(head: $0, kind: .number) } + words.map { Column(head: $0) }
        groups = [Group(rows: AnySequence(rows))]
    }
}
