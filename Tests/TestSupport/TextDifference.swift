/// What has to be done to the lines of one text to get another, as `diff -u` shows it.
///
/// ```swift
/// "\(TextDifference(from: "a\nb\n", to: "a\nc\n"))"  // " a\n-b\n+c\n "
/// ```
///
/// Control characters are escaped, and lines are compared scalar by scalar: to `String`, texts that differ only in how
/// an accent is composed are the same.
package struct TextDifference: CustomStringConvertible, Sendable {
    package let description: String

    /// How many equal lines are shown around a change.
    private static let context = 2
    /// How many lines are shown at most.
    private static let limit = 60

    package init(from old: String, to new: String) {
        let before = TextDifference.lines(of: old)
        let after = TextDifference.lines(of: new)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var script: [(mark: Character, line: [UInt8])] = []
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            if removed.contains(left) {
                script.append(("-", before[left]))
                left += 1
            } else if inserted.contains(right) {
                script.append(("+", after[right]))
                right += 1
            } else {
                script.append((" ", after[right]))
                left += 1
                right += 1
            }
        }
        description = TextDifference.shown(script)
    }

    private static func lines(of text: String) -> [[UInt8]] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    }

    private static func shown(_ script: [(mark: Character, line: [UInt8])]) -> String {
        let changed = script.indices.filter { script[$0].mark != " " }
        let near = Set(changed.flatMap { max(0, $0 - context)...min(script.count - 1, $0 + context) }).sorted()
        var rows: [String] = []
        var last = -1
        for index in near {
            if index > last + 1 { rows.append("@@ line \(index + 1) @@") }
            last = index
            rows.append("\(script[index].mark)\(printable(script[index].line))")
        }
        let more = rows.count > limit ? ["(\(rows.count - limit) more lines)"] : []
        return (rows.prefix(limit) + more).joined(separator: "\n")
    }

    private static func printable(_ line: [UInt8]) -> String {
        String(decoding: line, as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}
