/// What another program has put before each line of a log: `grep`, or Docker Compose.
///
/// ```
/// 12:2026-09-07T15:52:06.436708Z D fn: {…}             grep -n; with -C also 12-
/// day.log:12:2026-09-07T15:52:06.436708Z D fn: {…}     grep -Hn; with -C also day.log-12-
/// day.log:2026-09-07T15:52:06.436708Z D fn: {…}        grep -H
/// web-1  | 2026-09-07T15:52:06.436708Z D fn: {…}       docker compose logs
/// ```
///
/// The first console or JSON line decides for the whole source. If it has no prefix, none is removed: a client may have
/// chosen text that looks like one. Only one prefix is ever removed.
enum LinePrefix: CaseIterable {
    case none
    case number
    case nameAndNumber
    case name
    case service

    init(of text: TextLines) {
        self = .none
        for line in text {
            let kind = LinePrefix.allCases.first { LinePrefix.isKnown($0.removed(from: line)) }
            if let kind {
                self = kind
                return
            }
        }
    }

    /// The line without the prefix; as it is where it has none of this kind.
    func removed(from line: RawText) -> RawText { line.cut((end(in: line) ?? 0)..<line.count) }

    /// True if more of a name precedes a time than was removed, as of `day-2026-09-07.log-12-`.
    ///
    /// It is not looked for: it may as well be a client's text.
    static func leavesName(in line: RawText) -> Bool {
        let end = endOfName(in: line, from: 0)
        return end > 0 && line[end - 1] == hyphen && FunctionsLogLine.isTime(line.cut(end..<line.count))
    }

    private static func isKnown(_ line: RawText) -> Bool {
        if line.first == .openBrace {
            return LookaheadChunk(line, end: line.count).firstKey(ofObjectAt: 0).map(RecordKeys.contains) ?? false
        }
        return ConsoleLine.isKnown(line)
    }

    private func end(in line: RawText) -> Int? {
        switch self {
        case .none: return 0
        case .number:
            let end = line.endOfDigits(from: 0)
            guard end > 0, end < line.count else { return nil }
            return line[end] == .colon || line[end] == LinePrefix.hyphen ? end + 1 : nil
        case .nameAndNumber:
            return LinePrefix.endOfNumber(between: .colon, in: line)
                ?? LinePrefix.endOfNumber(between: LinePrefix.hyphen, in: line)
        case .name:
            let name = LinePrefix.endOfName(in: line, from: 0)
            return line.index(of: .colon, from: 0, before: name).flatMap { $0 > 0 ? $0 + 1 : nil }
        case .service:
            let start = TerminalColor.end(in: line, from: 0)
            let name = LinePrefix.endOfName(in: line, from: start)
            let bar = line.indexOfNonSpace(from: name)
            guard name > start, bar > name, bar < line.count, line[bar] == UInt8(ascii: "|") else { return nil }
            let end = TerminalColor.end(in: line, from: bar + 1)
            return end < line.count && line[end] == UInt8(ascii: " ") ? end + 1 : nil
        }
    }

    private static let hyphen = UInt8(ascii: "-")

    /// The end of the first number between two of these bytes in a name; nil when there is none.
    private static func endOfNumber(between separator: UInt8, in line: RawText) -> Int? {
        let name = endOfName(in: line, from: 0)
        var place = 1
        while let start = line.index(of: separator, from: place, before: name) {
            let end = line.endOfDigits(from: start + 1)
            if end > start + 1, end < name, line[end] == separator { return end + 1 }
            place = start + 1
        }
        return nil
    }

    /// The end of what may be a file's name or a service's, at the latest where a time begins.
    private static func endOfName(in line: RawText, from start: Int) -> Int {
        (start..<line.count).first { place in
            switch line[place] {
            case 0...UInt8(ascii: " "), .quote, .openBrace: true
            default: FunctionsLogLine.isTime(line.cut(place..<line.count))
            }
        } ?? line.count
    }
}
