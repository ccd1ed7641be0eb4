/// Names that nobody gives, to see that no format is broken by them.
enum HostileText {
    /// A mark in every name, so that a reader of the output finds the text that came from one.
    static let mark = "zq"

    /// Text that means something to a terminal, a spreadsheet, a page, a shell, a template or a database.
    private static let specials = [
        "\u{1b}[31m", "\u{1b}]0;title\u{7}", "\u{9b}31m", "\u{85}", "\u{7f}", "\u{8}", "\u{0}", "\n", "\r", "\r\n",
        "\t",
        "\u{202e}", "\u{2066}", "\u{2028}", "\u{2029}", "\u{200b}", "\u{200d}", "\u{feff}", "\u{e0041}", "\u{378}",
        "<b>", "<script>alert(1)</script>", "</td></tr>", "<!--", "&lt;", "&#60;", "\"", "'", "\"' onload='x",
        "=cmd|'/C calc'!A0", "+1", "-1", "@SUM(1)", "\u{ff1d}1", " =1", ",", ";", "|", "| --- |", "`", "```",
        "[x](http://y.z)",
        "![x](y)", "**", "_x_", "~~", "# x", "> x", "@someone", "https://x.example", "www.x.example", "{{x}}",
        "{{{x}}}",
        "{{#x}}", "{{/x}}", "{{>x}}", "\"} 1\nx{a=\"", "\\", "\\n", "\\\"", "'; DROP TABLE x; --", "$(id)", "%s%n",
        "日本語",
        "\u{1f600}",
    ]

    /// Each inside a name and at its start, alone and under a combining mark, which makes another character of it to
    /// code that compares characters.
    static let names = specials.flatMap { special in
        ["\(mark)\(special)qz", "\(mark)\(special)\u{301}qz", "\(special)\(mark)", "\(special)\u{301}\(mark)"]
    }

    /// A text as JSON, everything but letters and digits escaped.
    static func json(_ text: String) -> String {
        let units = text.utf16.map { unit -> String in
            if let scalar = Unicode.Scalar(unit), scalar.isASCII, scalar.properties.isAlphabetic {
                return String(scalar)
            }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + units.joined() + "\""
    }
}
