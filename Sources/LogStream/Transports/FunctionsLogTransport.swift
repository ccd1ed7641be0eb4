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

    /// Reads a line; nil when it is none of this kind.
    init?(_ line: RawText) {
        guard let timeEnd = line.index(of: UInt8(ascii: " "), from: 0), timeEnd + 3 < line.count,
            FunctionsLogLine.isTime(line.cut(0..<timeEnd)), line[timeEnd + 2] == UInt8(ascii: " ")
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

    /// True when a line at the beginning of a source is one of these.
    static func isIn(_ sample: Sample) -> Bool {
        sample.lines.contains { FunctionsLogLine($0) != nil }
    }

    /// True for a line that goes on with the text of the entry above it.
    static func isContinuation(_ line: RawText) -> Bool {
        line[0] != UInt8(ascii: "{") && FunctionsLogLine(line) == nil
    }

    private static func isTime(_ text: RawText) -> Bool {
        guard text.count >= 20 else { return text == "---" }
        return text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") && text[10] == UInt8(ascii: "T")
            && text[13] == UInt8(ascii: ":") && text[16] == UInt8(ascii: ":")
    }
}
