/// Text as GitHub Flavored Markdown that shows it and nothing else.
enum MarkdownText {
    /// A name or a command as a code span, in which markup, HTML, links and mentions are plain text.
    ///
    /// The characters that could end a span, split a table cell or open a formula (backtick, pipe, backslash, dollar)
    /// do not occur in function names; they are spelled out, as are spaces at either end, which a span would swallow.
    static func code(_ raw: String) -> String {
        let scalars = DisplayText(name: raw).text.unicodeScalars
        var span = "`"
        for index in scalars.indices {
            let scalar = scalars[index]
            let isEdge = index == scalars.startIndex || scalars.index(after: index) == scalars.endIndex
            switch scalar {
            case "`", "|", "\\", "$": span += scalar.visibleSpelling
            case " " where isEdge: span += scalar.visibleSpelling
            default: span.unicodeScalars.append(scalar)
            }
        }
        return span + "`"
    }

    /// Words of a sentence, with every character that could begin markup or a link escaped.
    static func words(_ raw: String) -> String {
        let scalars = Array(DisplayText(raw).text.unicodeScalars)
        var text = ""
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "@": text += "&#\(scalar.value);"
            // GitHub makes links of `https://` and `www.`, wherever they stand.
            case ":" where scalars[(index + 1)...].starts(with: "//".unicodeScalars): text += "&#58;"
            case "." where scalars[..<index].suffix(3).map(\.properties.lowercaseMapping) == ["w", "w", "w"]:
                text += "&#46;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Lines as they are, with nothing in them that could end the block.
    static func fenced(_ lines: [String], language: String) -> String {
        let body = lines.map { DisplayText($0).text.replacing("```", with: "<U+0060><U+0060><U+0060>") }
        return "```\(language)\n\(body.joined(separator: "\n"))\n```\n"
    }
}

extension Wording {
    /// The sentences as one line of Markdown.
    var markdown: String {
        parts.map { part in
            switch part {
            case .words(let text): MarkdownText.words(text)
            case .name(let text), .code(let text): MarkdownText.code(text)
            }
        }.joined()
    }
}
