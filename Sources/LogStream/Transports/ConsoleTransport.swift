/// Finds the fields of console lines: `firebase functions:log`, the emulator, and what an SDK prints by itself.
///
/// ```
/// 2026-09-07T15:52:06.436708Z D adminGenerate: {"message":"Callable request verification passed","verifications":{…}}
/// >  {"verifications":{"app":"MISSING","auth":"MISSING"},"severity":"DEBUG","message":"Callable request …"}
/// WARNING:root:Callable request verification failed: $[('AppCheck token was rejected.', {'app': 'INVALID', …})]
/// ```
///
/// Sources: firebase-tools `src/functions/functionslog.ts` (time, first letter of the severity, name, payload; region,
/// project, insertId and labels are lost) and `src/emulator/emulatorLogger.ts`. The emulator decodes tokens without
/// verifying them, so that its lines are ignored.
extension EntryReader {
    /// Reads a line that is no JSON value as a whole.
    mutating func readConsoleLine(_ line: RawText) throws(JSONFailure) {
        fields = EntryFields()
        let line = withoutColor(line)
        if let rest = ConsoleLine.emulatorPayload(line) {
            isEmulated = true
            try readConsolePayload(rest)
        } else if let entry = ConsoleLine.FunctionsLog(line) {
            fields.timestamp = JSONValue(kind: .string, text: entry.time)
            fields.severity = JSONValue(kind: .string, text: entry.severity)
            fields.consoleName = entry.name
            try readConsolePayload(entry.payload)
        } else {
            try readConsolePayload(line)
        }
    }

    private mutating func readConsolePayload(_ payload: RawText) throws(JSONFailure) {
        guard payload.count > 0, payload[0] == UInt8(ascii: "{") else {
            fields.text = JSONValue(kind: .string, text: payload)
            return
        }
        // Safe: the payload lies in a line, or in the scratch, with slack behind it.
        scanner = JSONScanner(unsafe JSONCursor(base: payload.start, count: payload.count))
        guard try scanner.openObject() else { return }
        let (time, severity) = (fields.timestamp, fields.severity)
        try readLogEntry()
        // The time and severity in front of a payload are the entry's own.
        if !time.isAbsent { (fields.timestamp, fields.severity) = (time, severity) }
        guard scanner.isAtEnd() else { throw JSONFailure() }
    }

    /// The line without terminal colours (`ESC [ … letter`).
    private func withoutColor(_ line: RawText) -> RawText {
        let escape: UInt8 = 0x1B
        guard line.contains(escape) else { return line }
        return unsafe scratch.fill(capacity: line.count) { room in
            var count = 0
            var index = 0
            while index < line.count {
                if line[index] == escape, index + 1 < line.count, line[index + 1] == UInt8(ascii: "[") {
                    index += 2
                    while index < line.count, !(0x40...0x7E).contains(line[index]) { index += 1 }
                } else {
                    // Safe: never more bytes than the line has.
                    unsafe room[count] = line[index]
                    count += 1
                }
                index += 1
            }
            return count
        }
    }
}

/// The forms of console lines.
enum ConsoleLine {
    /// True for a line that no JSON log has: one of `functions:log`, of the emulator, or of an SDK that writes text.
    static func isKnown(_ line: RawText) -> Bool {
        FunctionsLog(line) != nil || isEmulated(line) || SDKText.statuses(in: line) != nil
    }

    /// True for an emulator's line, its colours not yet taken away.
    private static func isEmulated(_ line: RawText) -> Bool {
        var index = 0
        var sawMark = false
        while index < line.count {
            switch line[index] {
            case 0x1B:
                guard let end = line.index(of: UInt8(ascii: "m"), from: index) else { return false }
                index = end
            case UInt8(ascii: ">") where !sawMark: sawMark = true
            case UInt8(ascii: " ") where sawMark: break
            default: return sawMark && line[index] == UInt8(ascii: "{")
            }
            index += 1
        }
        return false
    }

    /// One line of `firebase functions:log`.
    struct FunctionsLog {
        let time: RawText
        /// The severity's full name, as far as it matters: passed verifications are DEBUG or INFO.
        let severity: RawText
        let name: RawText
        let payload: RawText

        init?(_ line: RawText) {
            guard let timeEnd = line.index(of: UInt8(ascii: " "), from: 0), timeEnd >= 20, line[4] == UInt8(ascii: "-"),
                line[10] == UInt8(ascii: "T"), timeEnd + 3 < line.count, line[timeEnd + 2] == UInt8(ascii: " ")
            else { return nil }
            let letter = line[timeEnd + 1]
            let nameStart = timeEnd + 3
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) || letter == UInt8(ascii: "?"),
                let colon = line.index(of: UInt8(ascii: ":"), from: nameStart), colon > nameStart
            else { return nil }
            time = line.cut(0..<timeEnd)
            severity =
                switch letter {
                case UInt8(ascii: "D"): RawText("DEBUG")
                case UInt8(ascii: "I"): RawText("INFO")
                default: .empty
                }
            name = line.cut(nameStart..<colon)
            payload = line.cut(min(colon + 2, line.count)..<line.count)
        }
    }

    /// The JSON behind the emulator's `>  `; nil when the line is none of its lines about a function's output.
    static func emulatorPayload(_ line: RawText) -> RawText? {
        guard line.count > 2, line[0] == UInt8(ascii: ">"), line[1] == UInt8(ascii: " ") else { return nil }
        var index = 1
        while index < line.count, line[index] == UInt8(ascii: " ") { index += 1 }
        return index < line.count && line[index] == UInt8(ascii: "{") ? line.cut(index..<line.count) : nil
    }
}

extension RawText {
    /// The place of a byte, at or behind `start`.
    func index(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    func contains(_ byte: UInt8) -> Bool {
        index(of: byte, from: 0) != nil
    }
}
