import Glibc
import LogStream
import Reports

/// Notices a path where `explain` takes the name of a function.
enum MisplacedPath {
    /// Endings that names of functions cannot have: they hold no full stop.
    private static let endings = [".json", ".jsonl", ".ndjson", ".gz", ".log", ".txt", ".csv", ".zz", ".zip"]

    /// True when there is a file or a directory of that name.
    static func exists(_ path: String) -> Bool {
        unsafe access(SystemPath(path).characters, F_OK) == 0
    }

    /// What to say; nil when the name may well be one.
    ///
    /// A file of the function's name beside other inputs, or beside a pipe, is a coincidence.
    static func complaint(function: String, inputs: [String]) -> String? {
        let looksLikePath =
            function == "-" || function.contains("/") || endings.contains { function.lowercased().hasSuffix($0) }
        let isAlone = inputs.isEmpty && Terminal.isTerminal(STDIN_FILENO)
        guard looksLikePath || isAlone && exists(function) else { return nil }
        let path = DisplayText(name: function).text
        let name = inputs.first.map { DisplayText(name: $0).text }
        let isSwapped = name.map { !$0.contains("/") && !$0.contains(".") } ?? false
        return """
            \(path) is an input, and the function comes first: \
            callcheck explain \(isSwapped ? name ?? "" : "FUNCTION") \(path)
            """
    }
}
