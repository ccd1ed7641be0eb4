/// One cell of a CSV file (RFC 4180), safe to open in a spreadsheet.
enum CSVCell {
    case number(Int)
    case decimal(Double)
    /// A word that the report itself chose: a date, an instant, a code.
    case word(String)
    /// Text from a log.
    case name(String)
    /// Nothing known: an empty cell.
    case empty

    init(_ number: Int?) {
        self = number.map(CSVCell.number) ?? .empty
    }

    init(_ decimal: Double?) {
        self = decimal.map(CSVCell.decimal) ?? .empty
    }

    init(_ word: String?) {
        self = word.map(CSVCell.word) ?? .empty
    }

    /// The cell as it stands in the file, quoted where it must be.
    var text: String {
        switch self {
        case .number(let number): String(number)
        case .decimal(let decimal): decimal.isFinite ? decimal.description : ""
        case .word(let word): CSVCell.quoted(word)
        case .name(let name): CSVCell.quoted(CSVCell.inert(name))
        case .empty: ""
        }
    }

    /// Text that no spreadsheet treats as a formula and no terminal as a command.
    ///
    /// A name that starts with `=`, `+`, `-`, `@`, their full-width twins, a tab or a line break gets an apostrophe in
    /// front, as OWASP advises against formula injection. A lone `-`, which means that a log does not say, is not a
    /// formula and stays. Tabs and line breaks inside stay (the cell is quoted); other controls are spelled out.
    private static func inert(_ name: String) -> String {
        if name == "-" { return name }
        var text = ""
        for scalar in name.unicodeScalars {
            if scalar.isInert || scalar == "\t" || scalar == "\n" || scalar == "\r" {
                text.unicodeScalars.append(scalar)
            } else {
                text += scalar.visibleSpelling
            }
        }
        let start = text.unicodeScalars.first { $0 != " " }
        return start.map(formulaStarts.contains) ?? false ? "'" + text : text
    }

    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}", "\t", "\r", "\n",
    ]

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte > 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";")
        }
        if isPlain { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
