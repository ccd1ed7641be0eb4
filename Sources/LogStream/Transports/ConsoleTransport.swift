/// Finds the fields of a console's line, whoever wrote it: ``FunctionsLogLine``, ``EmulatorLine``, ``SDKText``, or an
/// SDK's line in JSON.
extension EntryReader {
    /// Reads a line, a record by itself.
    mutating func readConsoleLine(_ line: RawText) throws(JSONFailure) {
        fields = EntryFields()
        let uncoloured = TerminalColor.removed(from: line, into: scratch)
        let line = uncoloured.cut(uncoloured.indexOfNonSpace(from: 0)..<uncoloured.count)
        if let emulated = EmulatorLine(line) {
            isEmulated = true
            try readConsolePayload(emulated.payload)
        } else if let entry = FunctionsLogLine(line) {
            try readConsolePayload(entry.payload)
            // The time and severity in front of a payload are the entry's own.
            fields.timestamp = JSONValue(kind: .string, text: entry.time)
            fields.severity = JSONValue(kind: .string, text: entry.severity)
            fields.consoleName = entry.name
        } else if let text = PythonLine(line) {
            fields.severity = JSONValue(kind: .string, text: text.level)
            try readConsolePayload(text.message)
        } else {
            try readConsolePayload(line)
        }
    }

    private mutating func readConsolePayload(_ payload: RawText) throws(JSONFailure) {
        let start = payload.indexOfNonSpace(from: 0)
        guard start < payload.count, payload[start] == UInt8(ascii: "{") else {
            fields.text = JSONValue(kind: .string, text: payload)
            return
        }
        scanner = JSONScanner(JSONCursor(payload))
        guard try scanner.openObject() else { return }
        try readLogEntry()
        guard scanner.isAtEnd() else { throw JSONFailure() }
    }
}

/// What lines of consoles have in common.
enum ConsoleLine {
    /// True for a line that no log in JSON has.
    static func isKnown(_ line: RawText) -> Bool {
        EmulatorLine.isIt(line) || FunctionsLogLine(line) != nil || PythonLine(line) != nil
            || SDKText.statuses(in: line) != nil
    }

    /// True when a line at the beginning of a source is one of these.
    static func isIn(_ sample: Sample) -> Bool {
        sample.lines.contains(where: isKnown)
    }
}
