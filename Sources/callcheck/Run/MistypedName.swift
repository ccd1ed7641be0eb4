import ArgumentParser
import LogStream
import Platform
import Readiness
import Reports

/// Finds what an unknown word on the command line was probably meant to be.
enum MistypedName {
    /// How many names of a directory are looked at.
    private static let directoryLimit = 10_000

    /// The file that a path to nothing was probably meant to name; nil when no name is similar.
    ///
    /// Numbers must be equal: the export of another night is a different file.
    static func file(near path: String) -> String? {
        guard !MisplacedPath.exists(path), let typed = path.split(separator: "/").last.map(String.init) else {
            return nil
        }
        let directory = ReplacedFile.directory(of: path)
        func digits(_ name: String) -> [Character] { name.filter { $0.isNumber } }
        let names = names(in: directory).filter { digits($0) == digits(typed) }
        return NearestName.of(typed, among: names).map { nearest in
            path.contains("/") ? (directory == "/" ? "" : directory) + "/" + nearest : nearest
        }
    }

    /// The command whose name was mistyped; nil for a word that is not similar to any, or a file.
    static func command(near word: String) -> String? {
        guard !word.hasPrefix("-"), !MisplacedPath.exists(word) else { return nil }
        return NearestName.of(word, among: Callcheck.configuration.subcommands.map { $0._commandName })
    }

    /// True for what a command or a function could be called.
    static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 } && text.first?.isLetter == true
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "*" }
    }

    /// The visible entries of a directory; none when it cannot be read.
    private static func names(in directory: String) -> [String] {
        // Safe: the characters end in NUL.
        guard let stream = unsafe opendir(SystemPath(directory).characters) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < directoryLimit, let entry = unsafe readdir(stream) {
            // Safe: d_name ends in NUL, and is copied before the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

/// Recognizes a path where `explain` takes the name of a function.
enum MisplacedPath {
    /// Endings that names of functions cannot have: they hold no full stop.
    private static let endings = [".json", ".jsonl", ".ndjson", ".gz", ".log", ".txt", ".csv", ".zz", ".zip"]

    /// True when there is a file or a directory of that name.
    static func exists(_ path: String) -> Bool {
        unsafe access(SystemPath(path).characters, F_OK) == 0
    }

    /// What to say; nil when it may well be a function's name.
    ///
    /// A file with the function's name next to other inputs, or next to a pipe, is a coincidence.
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
