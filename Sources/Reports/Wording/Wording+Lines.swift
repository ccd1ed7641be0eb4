extension Wording {
    /// The sentences on one line.
    func text(ascii: Bool) -> String {
        parts.map { part in
            switch part {
            case .words(let text), .code(let text): DisplayText(text, ascii: ascii).text
            case .name(let text): DisplayText(name: text, ascii: ascii).text
            }
        }.joined()
    }

    /// The sentences as lines of at most `columns`, broken at spaces; a name or command is never broken.
    func lines(columns: Int, ascii: Bool) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words(ascii: ascii) {
            if line.isEmpty {
                line = word
            } else if displayWidth(of: line) + 1 + displayWidth(of: word) <= columns {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// What stands between two places where a line may break.
    private func words(ascii: Bool) -> [String] {
        var words: [String] = []
        var current = ""
        for part in parts {
            switch part {
            case .name(let text):
                current += DisplayText(name: text, ascii: ascii).text
            case .code(let text):
                current += DisplayText(text, ascii: ascii).text
            case .words(let text):
                for character in DisplayText(text, ascii: ascii).text {
                    if character != " " {
                        current.append(character)
                    } else if !current.isEmpty {
                        words.append(current)
                        current = ""
                    }
                }
            }
        }
        return current.isEmpty ? words : words + [current]
    }
}
