import Readiness
import Verifications

/// A row per function for spreadsheets and scripts: RFC 4180 with a header line, `CRLF` line ends and UTF-8.
///
/// Columns are named as the leaves of the JSON report (`app.VALID`, `appByAuth.MISSING.VALID`); what is null there is
/// an empty cell here. Days, kinds of clients and app versions have no column; reasons and problems are listed by their
/// codes, with spaces between them. `word` and `who` are as people read them. The last columns repeat in every row what
/// all numbers are based on.
struct CSVReport {
    private typealias Column = Field<FunctionRow>.Column

    func write(_ summary: Summary, _ view: TableView = TableView(), to sink: inout some TextOutputStream) {
        let codes = (summary.comparison?.changes ?? []).reduce(into: [FunctionIdentity: [String]]()) { codes, change in
            for function in change.functions { codes[function.identity, default: []].append(change.code) }
        }
        let more = [
            Column(path: "word") { .text($0.function.assessment.word) },
            Column(path: "who") { .text($0.function.who.text(ascii: false)) },
            Column(path: "changes.code") { .text(codes[$0.function.identity, default: []].joined(separator: " ")) },
            Column(path: "ready.date") { $0.function.assessment.readyDay.leaf },
            Column(path: "owner") { $0.function.owner.leaf },
        ]
        let columns = FunctionRow.columns + more + CSVReport.caveats(of: summary)
        sink.write(columns.map(\.path).joined(separator: ",") + "\r\n")
        for function in summary.functions where view.includes(function) {
            let row = FunctionRow(function)
            sink.write(columns.map { $0.leaf(row).cell }.joined(separator: ",") + "\r\n")
        }
    }

    /// Returns the caveats on the numbers of every row: a row that is cut out of the file still has them.
    private static func caveats(of summary: Summary) -> [Column] {
        let (policy, input) = (summary.policy, summary.input)
        let caveats: JSONWriter.Members = [
            "comparedTo": summary.comparison?.since, "policy.assumeComplete": policy.assumeComplete.rawValue,
            "policy.confirm": policy.confirm,
            "policy.settings.file": policy.settings?.file,
            "policy.settings.loosened": policy.settings?.loosened.map(\.json),
            "input.malformed": input.malformed, "input.oversized": input.oversized,
            "input.unexpected": input.unexpected, "input.unread": input.unread.total,
            "input.problems.kind": Set(input.problems.entries.map(\.kind.rawValue)).sorted(),
        ]
        return caveats.map { path, value in
            let leaf = value.leaf
            return Column(path: path) { _ in leaf }
        }
    }
}

extension Leaf {
    /// One cell of a CSV file, safe to open in a spreadsheet; what is not known is an empty one.
    fileprivate var cell: String {
        switch self {
        case .number(let number): String(number)
        case .decimal(let decimal): decimal.description
        case .flag(let flag): flag ? "true" : "false"
        case .text(let text): Leaf.quoted(Leaf.inert(text))
        case .day(let day): day.description
        case .instant(let instant): instant.description
        case .list(let texts): Leaf.text(texts.joined(separator: " ")).cell
        case .null: ""
        }
    }

    /// Text that no spreadsheet treats as a formula and no terminal as a command.
    ///
    /// A name that starts with `=`, `+`, `-`, `@` or their full-width twins gets an apostrophe in front,
    /// as OWASP advises against formula injection. A lone `-`, which means that a log does not say, is not a formula
    /// and stays. Line breaks, tabs and other controls are spelled out: not every reader of lines knows quotes.
    private static func inert(_ name: String) -> String {
        if name == "-" { return name }
        let text = name.spelling { $0.isInert ? nil : $0.visibleSpelling }
        let start = text.unicodeScalars.first { $0 != " " }
        return start.map(formulaStarts.contains) ?? false ? "'" + text : text
    }

    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}",
    ]

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte > 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";")
        }
        return isPlain ? text : "\"\(text.spelling { $0 == "\"" ? "\"\"" : nil })\""
    }
}
