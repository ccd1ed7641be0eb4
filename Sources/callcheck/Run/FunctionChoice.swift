import ArgumentParser
import LogStream
import Platform
import Readiness
import Reports
import Verifications

enum FunctionChoice {
    case one(FunctionSummary)
    case none(String)
    case several(String)

    private static let listed = 20

    /// Finds the function among those that a glob selected.
    ///
    /// If several match, the one spelled exactly as typed is chosen; for both generations in one place, the second.
    init(_ typed: String, generation: Generation?, in summary: Summary, _ evaluator: Evaluator) {
        let matches = summary.functions.filter { function in
            function.isFunction && (generation == nil || function.identity.generation == generation)
        }
        let exact = matches.filter { ExactName($0.name) == ExactName(typed) }
        // What both generations of a function share.
        let places = matches.map(\.identity).map { [$0.project, $0.region, FunctionIdentity.normalized($0.name)] }
        let isOneName = Set(places).count == 1
        let second = isOneName ? matches.filter { $0.identity.generation == .second } : []
        if let only = [matches, second, exact].first(where: { $0.count == 1 })?.first {
            self = .one(only)
        } else if matches.isEmpty {
            self = .none(FunctionChoice.noMatch(typed, generation: generation, in: summary, evaluator))
        } else {
            self = .several(FunctionChoice.list(matches, typed))
        }
    }

    private static func noMatch(_ typed: String, generation: Generation?, in summary: Summary, _ evaluator: Evaluator)
        -> String
    {
        let name = Messages.short(typed)
        if let generation, summary.functions.contains(where: \.isFunction) {
            return "\(name): not a function of generation \(generation.rawValue); leave generation out"
        }
        if summary.input.verifications + summary.input.filtered == 0, MisplacedPath.exists(typed) {
            return "\(name): not a function; inputs come after the function: callcheck explain FUNCTION \(name)"
        }
        guard summary.input.faults.isEmpty else {
            return "\(name): no such function in what could be read; fix the inputs named above and run again"
        }
        if summary.input.records == 0 {
            return "\(name): nothing is known of it, as no input has a record; check that they are the right exports"
        }
        let glob = Glob(typed)
        let names = evaluator.tally.functions.keys.map { ($0, evaluator.displayName(of: $0)) }
        if let (elsewhere, _) = names.filter({ glob.matches($0.1) || glob.matches($0.0.name) })
            .min(by: {
                (ExactName($0.0.project), ExactName($0.0.region)) < (ExactName($1.0.project), ExactName($1.0.region))
            })
        {
            let place = DisplayText(name: "\(elsewhere.project), \(elsewhere.region)").text
            return "\(name): seen in \(place), which --project or --region leaves out"
        }
        if summary.functions.contains(where: { $0.listing == .notCallable }) {
            return """
                \(name): not a callable function, according to the inventory. An event, a schedule or plain HTTPS starts \
                it, so App Check does not apply
                """
        }
        if summary.functions.contains(where: { $0.listing == .withoutEntries }) {
            return """
                \(name): has requests in the log, but no App Check entry. Export without a filter by severity, which drops \
                passed requests; what is not callable has no entry
                """
        }
        for case .unmatched(let suggestion?, _) in summary.functions.map(\.listing) {
            return "\(name): no function in the log matches; did you mean \(Messages.short(suggestion))?"
        }
        let seen = Set(names.map { ExactName($0.1) }).sorted().map(\.text)
        return "\(name): no function in the log matches"
            + (seen.isEmpty
                ? ", and it has no other; check that these are the right exports"
                : "; the log has \(Messages.list(seen, atMost: listed))")
    }

    private static func list(_ matches: [FunctionSummary], _ typed: String) -> String {
        let names = FunctionNames(matches)
        let shown = matches.prefix(listed).map { "\n  \(names.arguments(for: $0))" }
        let rest = matches.count > listed ? "\n  and \(matches.count - listed) more" : ""
        let name = Messages.short(typed)
        return "\(name) matches \(matches.count) functions; explain takes one of them:\(shown.joined())\(rest)"
    }
}

enum MistypedName {
    private static let directoryLimit = 10_000

    /// The file that a path to nothing was probably meant to name; its numbers are equal, as every night has its own.
    static func file(near path: String) -> String? {
        guard !MisplacedPath.exists(path), let typed = path.split(separator: "/").last.map(String.init) else {
            return nil
        }
        let directory = ReplacedFile.directory(of: path)
        func digits(_ name: String) -> [Character] { name.filter { $0.isNumber } }
        let entries = FileSystem.names(in: SystemPath(directory).characters, limit: directoryLimit)
        let names = entries.filter { digits($0) == digits(typed) }
        return NearestName.of(typed, among: names).map { nearest in
            path.contains("/") ? (directory == "/" ? "" : directory) + "/" + nearest : nearest
        }
    }

    static func hint(near path: String) -> String {
        file(near: path).map { ". Did you mean \(DisplayText(name: $0).text)?" } ?? ""
    }

    /// The command whose name was mistyped; nil for a word that is not similar to any, or a file.
    static func command(near word: String) -> String? {
        guard !word.hasPrefix("-"), !MisplacedPath.exists(word) else { return nil }
        return NearestName.of(
            word, among: Callcheck.configuration.subcommands.compactMap { $0.configuration.commandName })
    }

    static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 } && text.first?.isLetter == true
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "*" }
    }
}

enum MisplacedPath {
    /// Endings that names of functions cannot have: they hold no full stop.
    private static let endings = [".json", ".jsonl", ".ndjson", ".gz", ".log", ".txt", ".csv", ".zz", ".zip"]

    static func exists(_ path: String) -> Bool { FileSystem.permits(SystemPath(path).characters, F_OK) }

    /// Returns the complaint; nil if it may well be a function's name.
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
