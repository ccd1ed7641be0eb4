import LogStream
import Platform
import Reports
import Verifications

extension Messages {
    /// What went wrong with inputs, or why they hold nothing.
    ///
    /// `functions` are those of the log, for a command that can choose among them. What `isShown` in the report is not
    /// repeated. A run that is not `isWhole` ended early: nobody knows what the other inputs hold.
    static func faults(
        of input: InputSummary, _ found: FoundInputs, isStrict: Bool, store: String? = nil,
        functions: [String]? = nil, isShown: Bool = false, isWhole: Bool = true
    ) -> [String] {
        let problems = isShown ? hints(of: input, functions) : problemLines(of: input, functions)
        var messages = problems + found.emptyDirectories.map(noFiles)
        if input.faults.contains(.tooManyFunctions) { messages.append(tooManyFunctions) }
        if isStrict && !input.isWhole { messages.append(notWhole(input)) }
        guard isWhole, input.faults.isEmpty, input.records == 0 else { return messages }
        if let store {
            messages.append(emptyStore(store))
        } else if !found.inputs.isEmpty || found.emptyDirectories.isEmpty {
            // Empty directories have been named one by one.
            let empty = found.inputs == [.standardInput] ? emptyPipe : noRecord
            messages.append(input.bytesDecompressed > 0 ? emptyResult : empty)
        }
        return messages
    }

    /// One line for each input with a problem, as many as can be read in an email, and one that counts the others.
    private static func problemLines(of input: InputSummary, _ functions: [String]?) -> [String] {
        let problems = input.problems.entries.filter { !$0.kind.isRecord && $0.kind != .more }
        let lines = problems.prefix(problemLimit).map { problem in
            let source = problem.source.map { $0 == "-" ? "standard input: " : "\(DisplayText(name: $0).text): " }
            return "\(source ?? "")\(problem.detail)\(hint(on: problem, functions).map { ". \($0)" } ?? "")"
        }
        let rest = problems.count - lines.count
        guard rest > 0 else { return lines }
        return lines + ["\(rest) more such \(rest == 1 ? "problem" : "problems"); --format json lists all of them"]
    }

    private static let problemLimit = 20

    private static func hints(of input: InputSummary, _ functions: [String]?) -> [String] {
        input.problems.entries.compactMap { problem in
            hint(on: problem, functions).map { "\(DisplayText(name: problem.source ?? "-").text): \($0)" }
        }
    }

    /// What an input that does not exist was probably meant to be: the default command takes any word as a file.
    private static func hint(on problem: Problem, _ functions: [String]?) -> String? {
        guard problem.kind == .unreadable, let source = problem.source, !source.isEmpty,
            !MisplacedPath.exists(source), errno == ENOENT
        else { return nil }
        let isWord = MistypedName.isWord(source)
        if let functions, isWord {
            if functions.contains(where: { Glob(source).matches($0) }) {
                return "It is a function of the log: choose it with --function \(source)"
            }
            if let command = MistypedName.command(near: source) { return "Did you mean the command \(command)?" }
        }
        if let file = MistypedName.file(near: source) { return "Did you mean \(DisplayText(name: file).text)?" }
        guard functions != nil, isWord else { return nil }
        return "It is not a command either: see callcheck --help; --function chooses functions"
    }
}
