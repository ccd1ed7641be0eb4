/// Finds the fields of a console's line, whoever wrote it: ``FunctionsLogLine``, ``EmulatorLine``, ``SDKText``, or an
/// SDK's line in JSON.
extension EntryReader {
    mutating func readConsoleLine(_ line: RawText) throws(JSONFailure) {
        let uncoloured = TerminalColor.removed(from: line, into: scratch)
        let line = uncoloured.cut(uncoloured.indexOfNonSpace(from: 0)..<uncoloured.count)
        if let entry = FunctionsLogLine(line) {
            try readConsolePayload(entry.payload)
            // The time and severity before a payload are the entry's own.
            fields.timestamp = JSONValue(kind: .string, text: entry.time)
            fields.severity = JSONValue(kind: .string, text: entry.severity)
            fields.consoleName = entry.name
        } else if let emulated = EmulatorLine(line) {
            isEmulated = true
            try readConsolePayload(emulated.payload)
        } else if let text = PythonLine(line) {
            fields.severity = JSONValue(kind: .string, text: text.level)
            try readConsolePayload(text.message)
        } else {
            try readConsolePayload(line)
        }
    }

    private mutating func readConsolePayload(_ payload: RawText) throws(JSONFailure) {
        let start = payload.indexOfNonSpace(from: 0)
        guard start < payload.count, payload[start] == .openBrace else {
            fields.text = JSONValue(kind: .string, text: payload)
            return
        }
        scanner = JSONScanner(JSONCursor(payload))
        guard try scanner.openObject() else { return }
        try readLogEntry()
        // The emulator's own log goes on with data about the line.
        guard isEmulated || scanner.isAtEnd() else { throw JSONFailure() }
    }
}

enum ConsoleLine {
    /// True for a line that no log in JSON has.
    static func isKnown(_ line: RawText) -> Bool {
        FunctionsLogLine(line) != nil || EmulatorLine(line) != nil || PythonLine(line) != nil
            || SDKText.statuses(in: line) != nil
    }
}

/// One line of `firebase functions:log`.
///
/// ```
/// 2026-09-07T15:52:06.436708Z D adminGenerate: {"message":"Callable request verification passed","verifications":{…}}
/// 2026-09-07T15:52:06.456708Z D adminGenerate: Function execution took 20 ms, finished with status code: 204
/// ```
///
/// Time (`---` without one), first letter of the severity, name, and the entry's text or payload. Region, project,
/// insertId and labels are lost; the name is a function's or, of generation 2, a service's. Source: firebase-tools,
/// `src/functions/functionslog.ts`.
struct FunctionsLogLine {
    let time: RawText
    /// The severity's full name, as far as it matters: passed verifications are DEBUG or INFO.
    let severity: RawText
    let name: RawText
    let payload: RawText

    init?(_ line: RawText) {
        guard let timeEnd = line.index(of: UInt8(ascii: " "), from: 0), timeEnd + 3 < line.count,
            FunctionsLogLine.isTime(line.cut(0..<timeEnd)), line[timeEnd + 2] == UInt8(ascii: " ")
        else { return nil }
        let letter = line[timeEnd + 1]
        let nameStart = timeEnd + 3
        guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) || letter == UInt8(ascii: "?"),
            let colon = line.index(of: .colon, from: nameStart), colon > nameStart
        else { return nil }
        time = line.cut(0..<timeEnd)
        severity =
            switch letter {
            case UInt8(ascii: "D"): RawText("DEBUG")
            case UInt8(ascii: "I"): RawText("INFO")
            case UInt8(ascii: "?"): .empty
            default: RawText("ERROR")
            }
        name = line.cut(nameStart..<colon)
        payload = line.cut(min(colon + 2, line.count)..<line.count)
    }

    /// True for a line that goes on with the text of the entry above it.
    static func isContinuation(_ line: RawText) -> Bool {
        line[0] != .openBrace && FunctionsLogLine(line) == nil
    }

    static func isTime(_ text: RawText) -> Bool {
        guard text.count >= 20 else { return text == "---" }
        return text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") && text[10] == UInt8(ascii: "T")
            && text[13] == .colon && text[16] == .colon
    }
}

/// One line of what the Functions emulator shows of a function's output.
///
/// ```
/// >  {"verifications":{"app":"MISSING","auth":"MISSING"},"logging.googleapis.com/labels":{…},"severity":"DEBUG",…}
/// firebase > >  {…}                                         after the prompt of firebase functions:shell
/// [info] >  {…} {"user":{…},"metadata":{…}}                 in firebase-debug.log
/// functions-1  | >  {…}     2026-10-05T12:00:00.1234567Z >  {…}     from a container, in a log of CI
/// ```
///
/// The mark in front is coloured on a terminal. The emulator decodes tokens without verifying them, so that these lines
/// prove nothing, regardless of the text before the mark. Source: firebase-tools, `src/emulator/emulatorLogger.ts`,
/// `src/logger.ts`, `src/functionsShellCommandAction.ts`.
struct EmulatorLine {
    let payload: RawText

    /// Reads a line, coloured or not; nil if no lone `>` precedes its first object.
    init?(_ line: RawText) {
        // What was read last: a space, the mark after one, a space after the mark, or anything else.
        enum Last { case space, mark, markAndSpace, other }
        var last = Last.space
        var index = TerminalColor.end(in: line, from: 0)
        while index < line.count {
            switch line[index] {
            case .openBrace where last == .markAndSpace:
                payload = line.cut(index..<line.count)
                return
            // In front of a string of JSON there is no such mark: what is in the string may be a client's.
            case .openBrace, .quote: return nil
            case 0x09, UInt8(ascii: " "): last = last == .mark || last == .markAndSpace ? .markAndSpace : .space
            case UInt8(ascii: ">"): last = last == .other || last == .mark ? .other : .mark
            default: last = .other
            }
            index = TerminalColor.end(in: line, from: index + 1)
        }
        return nil
    }
}

/// Control sequences that colour text on a terminal: `ESC [ … letter` (ECMA-48, section 5.4).
enum TerminalColor {
    private static let escape: UInt8 = 0x1B

    static func end(in text: RawText, from start: Int) -> Int {
        var index = start
        while index + 1 < text.count, text[index] == escape, text[index + 1] == .openBracket {
            index += 2
            while index < text.count, !(0x40...0x7E).contains(text[index]) { index += 1 }
            index = min(index + 1, text.count)
        }
        return index
    }

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

/// The text that Logs Explorer puts on the clipboard: before each entry's JSON a line that sums it up, sometimes twice.
///
/// ```
/// DEBUG 2025-08-25T13:32:04.715384Z Callable request verification passed
/// {
///   "insertId": "68ac65d4000aea7843e7cf31",
/// ```
///
/// The line says nothing that the entry does not, and must not be counted next to it.
enum ExplorerText {
    private static let severities: [StaticString] = [
        "DEFAULT ", "DEBUG ", "INFO ", "NOTICE ", "WARNING ", "ERROR ", "CRITICAL ", "ALERT ", "EMERGENCY ",
    ]

    /// True when the beginning of a source holds such a line before any of a console, and an object that starts a line.
    static func isIn(_ sample: Sample) -> Bool {
        let first = sample.lines.first(where: { isSummary($0) || ConsoleLine.isKnown($0) })
        return first.map(isSummary) ?? false && sample.lines.contains { $0[0] == .openBrace }
    }

    /// True for a line that sums an entry up: severity and time, perhaps after `> `.
    static func isSummary(_ line: RawText) -> Bool {
        let text = line.hasPrefix("> ") ? line.cut(2..<line.count) : line
        guard let severity = severities.first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.cut(severity.utf8CodeUnitCount..<text.count)
        return rest.count >= 20 && rest[4] == UInt8(ascii: "-") && rest[10] == UInt8(ascii: "T")
    }
}
