/// One line of what the Functions emulator shows of a function's output.
///
/// ```
/// >  {"verifications":{"app":"MISSING","auth":"MISSING"},"logging.googleapis.com/labels":{…},"severity":"DEBUG",…}
/// ```
///
/// The mark in front is coloured on a terminal. The emulator decodes tokens without verifying them, so that these lines
/// say nothing. Source: firebase-tools, `src/emulator/emulatorLogger.ts`.
struct EmulatorLine {
    let payload: RawText

    /// Reads a line whose colours were taken away; nil when it is none of this kind, or holds no JSON.
    init?(_ line: RawText) {
        guard line.hasPrefix("> ") else { return nil }
        let start = line.indexOfNonSpace(from: 1)
        guard start < line.count, line[start] == UInt8(ascii: "{") else { return nil }
        payload = line.cut(start..<line.count)
    }

    /// True for a line of this kind, coloured or not.
    static func isIt(_ line: RawText) -> Bool {
        let mark = TerminalColor.end(in: line, from: 0)
        guard mark < line.count, line[mark] == UInt8(ascii: ">") else { return false }
        let space = TerminalColor.end(in: line, from: mark + 1)
        guard space < line.count, line[space] == UInt8(ascii: " ") else { return false }
        var start = space
        while start < line.count, line[start] == UInt8(ascii: " ") {
            start = TerminalColor.end(in: line, from: start + 1)
        }
        return start < line.count && line[start] == UInt8(ascii: "{")
    }
}

/// Control sequences that colour text on a terminal: `ESC [ … letter` (ECMA-48, section 5.4).
enum TerminalColor {
    private static let escape: UInt8 = 0x1B

    /// The place behind the sequences that start at `start`.
    static func end(in text: RawText, from start: Int) -> Int {
        var index = start
        while index + 1 < text.count, text[index] == escape, text[index + 1] == UInt8(ascii: "[") {
            index += 2
            while index < text.count, !(0x40...0x7E).contains(text[index]) { index += 1 }
            index = min(index + 1, text.count)
        }
        return index
    }

    /// The text without the sequences.
    static func removed(from text: RawText, into scratch: TextScratch) -> RawText {
        guard text.contains(escape) else { return text }
        return unsafe scratch.fill(capacity: text.count) { room in
            var count = 0
            var index = end(in: text, from: 0)
            while index < text.count {
                // Safe: never more bytes than the text has.
                unsafe room[count] = text[index]
                count += 1
                index = end(in: text, from: index + 1)
            }
            return count
        }
    }
}
