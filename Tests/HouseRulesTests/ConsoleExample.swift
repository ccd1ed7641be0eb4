/// A command in a page, and what the page says that it prints.
///
/// A block that is fenced as `console` holds one after the other: a line that starts with `$ ` is a command, with the
/// next line if it ends in a backslash; the lines after it are the output of both streams. A line with only `…` matches
/// any number of lines.
struct ConsoleExample: Equatable {
    var command: String
    var output: [String]

    static let ellipsis = "…"

    /// How wide the place is that the command prints to: a terminal, or the end of a pipe, which has no width.
    var columns: String { command.contains("|") ? "" : "80" }

    static func all(in block: MarkdownPage.Block) -> [ConsoleExample] {
        var examples: [ConsoleExample] = []
        var isContinued = false
        for line in block.lines {
            if isContinued {
                examples[examples.count - 1].command += "\n" + line
            } else if line.hasPrefix("$ ") {
                examples.append(ConsoleExample(command: String(line.dropFirst(2)), output: []))
            } else if !examples.isEmpty {
                examples[examples.count - 1].output.append(line)
                continue
            }
            isContinued = line.hasSuffix("\\") && !examples.isEmpty
        }
        return examples
    }

    /// True when the lines are what the page says; blank lines at the end do not count.
    func isMet(by printed: [String]) -> Bool {
        ConsoleExample.matches(trimmed(output)[...], trimmed(printed)[...])
    }

    private func trimmed(_ lines: [String]) -> [String] {
        Array(lines.prefix((lines.lastIndex { !$0.isEmpty } ?? -1) + 1))
    }

    private static func matches(_ expected: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return printed.isEmpty }
        if first == ellipsis {
            if matches(expected.dropFirst(), printed) { return true }
            return !printed.isEmpty && matches(expected, printed.dropFirst())
        }
        return first == printed.first && matches(expected.dropFirst(), printed.dropFirst())
    }
}
