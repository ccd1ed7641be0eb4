/// What Logs Explorer puts on the clipboard: before each entry's JSON a line that sums it up, sometimes twice.
///
/// ```
/// DEBUG 2025-08-25T13:32:04.715384Z Callable request verification passed
/// {
///   "insertId": "68ac65d4000aea7843e7cf31",
/// ```
///
/// The line says nothing that the entry does not, and must not be counted beside it.
enum ExplorerText {
    private static let severities: [StaticString] = [
        "DEFAULT ", "DEBUG ", "INFO ", "NOTICE ", "WARNING ", "ERROR ", "CRITICAL ", "ALERT ", "EMERGENCY ",
    ]

    /// True when the beginning of a source holds such a line before any of a console, and an object that starts a line.
    static func isIn(_ sample: Sample) -> Bool {
        let first = sample.lines.first(where: { isSummary($0) || ConsoleLine.isKnown($0) })
        return first.map(isSummary) ?? false && sample.lines.contains { $0[0] == UInt8(ascii: "{") }
    }

    /// True for a line that sums an entry up: severity and time, perhaps behind `> `.
    static func isSummary(_ line: RawText) -> Bool {
        let text = line.hasPrefix("> ") ? line.cut(2..<line.count) : line
        guard let severity = severities.first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.cut(severity.utf8CodeUnitCount..<text.count)
        return rest.count >= 20 && rest[4] == UInt8(ascii: "-") && rest[10] == UInt8(ascii: "T")
    }
}
