import Readiness
import Verifications

/// Rows of typed cells under heads.
///
/// Rows are made one at a time, so that a table of many thousand functions takes no memory of its own.
struct Table {
    var columns: [Column]
    var rows: AnySequence<[Cell]>
    /// The last row, set apart from the others.
    var total: [Cell]?
    /// The days of a cell with marks; nil where nothing is dated.
    var days: Days?
    /// Ways to lay it out on a terminal, the widest first; the last one stands where none fits.
    var arrangements = [Arrangement()]

    struct Column {
        enum Kind {
            /// Names what the row is about; it gets the room that the other columns leave.
            case name
            case words
            case number
            /// One digit.
            case generation
            /// One mark a day.
            case marks
        }

        let head: String
        var kind = Kind.words
        /// Longer text is cut, however wide the terminal is.
        var widest = Int.max
        /// As wide as it gets when the name needs the room.
        var usual = Int.max
    }

    enum Cell {
        case empty
        case verdict(Assessment)
        case words(Wording, Ink = .plain)
        /// A project or a region.
        case place(String)
        case generation(Generation?)
        case number(Int, Ink = .plain)
        case share(Int, of: Int, isHigh: Bool)
        case days([DayTally])
    }

    struct Days {
        let range: ClosedRange<Day>
        /// True when the log begins before them.
        let isPart: Bool
    }

    /// What stands on the line of a row, and what on a line below it.
    struct Arrangement {
        enum Marks {
            case none
            /// On the line, at most so many.
            case inLine(Int)
            case below
        }

        var marks = Marks.none
        var hasShares = true
        /// The heads of the columns on the line below; those of one part belong together.
        var below: [[String]] = []
    }
}

extension Table {
    /// Columns as wide as their cells, numbers first.
    init(numbers: [String], words: [String] = [], rows: [[Cell]]) {
        columns = numbers.map { Column(head: $0, kind: .number) } + words.map { Column(head: $0) }
        self.rows = AnySequence(rows)
    }
}
