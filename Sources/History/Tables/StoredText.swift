internal import GRDB

/// Text as the tables hold it: SQLite gives text back only to its first NUL, so that one is spelled out.
///
/// U+001A begins a spelling: `0` behind it stands for NUL, `1` for itself.
enum StoredText {
    private static let mark: Unicode.Scalar = "\u{1A}"

    static func cell(_ text: String) -> DatabaseValue {
        guard text.unicodeScalars.contains(where: { $0 == "\0" || $0 == mark }) else { return text.databaseValue }
        var stored = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": stored.append(contentsOf: [mark, "0"])
            case mark: stored.append(contentsOf: [mark, "1"])
            default: stored.append(scalar)
            }
        }
        return String(stored).databaseValue
    }

    static func text(_ stored: String) -> String {
        guard stored.unicodeScalars.contains(mark) else { return stored }
        var text = String.UnicodeScalarView()
        var isSpelling = false
        for scalar in stored.unicodeScalars {
            if isSpelling {
                text.append(scalar == "0" ? "\0" : mark)
                isSpelling = false
            } else if scalar == mark {
                isSpelling = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
