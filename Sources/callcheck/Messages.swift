import LogStream
import Platform
import Readiness
import Reports
import Verifications

/// The messages of commands on standard error: what happened, where, why, and what to do next.
enum Messages {
    static let noInput = """
        No input: standard input is a terminal. Name a file or a directory, or pipe an export in:
          callcheck export.json.gz
          gcloud storage cat 'gs://BUCKET/**' | callcheck
        callcheck export prints the commands that make one.
        """

    static let noProjectID = """
        --project is not a project ID: write 6 to 30 lower-case letters, digits and hyphens, starting with a letter and \
        not ending with a hyphen. gcloud projects list shows your project IDs.
        """

    static let tooManyFunctions = """
        There are more functions than max-functions allows, so none can be judged. Raise it (default: 100000), or read \
        fewer inputs.
        """

    static func countsBesideEntries(of projects: [String]) -> String {
        let names = projects.prefix(3).map { DisplayText(name: $0).text }.joined(separator: ", ")
        return """
            There are query results and log entries of \(names)\(projects.count > 3 ? " and others" : ""), and it is \
            unknown which requests are in both. For each project, leave out the query results or the logs.
            """
    }

    static func overlappingPeriods(of projects: [String]) -> String {
        """
        The metrics of \(list(projects.map { DisplayText(name: $0).text }, atMost: 3)) were read in periods that overlap, such as by the hour and by the day, so \
        requests would count twice. Pass reads with the same periods.
        """
    }

    static func foreignModes(of projects: [String]) -> [String] {
        guard !projects.isEmpty else { return [] }
        return [
            """
            Modes of \(list(projects.map { DisplayText(name: $0).text }, atMost: 3)) were not used, as no service of that \
            project was counted. Pass counts and modes of the same project.
            """
        ]
    }

    static func storeIsHeld(_ path: String) -> String {
        "\(DisplayText(name: path).text): another program holds the store; waiting for up to ten minutes"
    }

    static let copiesInStore = "A store counts each entry once: leave out dedupe=false."

    static func blindGate(failOn: String, callers: String) -> String {
        """
        fail-on=lockout (\(failOn)) checks whom enforcement refuses, and callers=none (\(callers)) leaves out the request \
        log, which shows it; leave out callers=none.
        """
    }

    static let noVerification =
        "no record is a request that the SDK of a deployed function logged; callcheck export prints commands for a complete export"

    static let waiting = "Waiting for the first entry."

    static let namesOfNothing = """
        from filters the request log by service name: use it with read, sink, bigquery, analytics or filter, and \
        without callers=none.
        """

    static func noServices(_ name: String) -> String {
        "\(name) names no service of a generation 2 function; only these have a request log."
    }

    static let emptyPipe = "standard input: nothing came: check whether the command before the pipe failed"

    static let emptyResult = """
        the input is an empty result, such as []: the filter matched nothing. gcloud logging read looks back one day unless \
        --freshness says more
        """

    static let noRecord = "none of the files contains a record; name the folder that the sink or the download wrote to"

    static func comparison(_ day: Day, notBefore asOf: Day) -> String {
        "--changes-since \(day) is not before \(asOf), the day of the report; name an earlier day"
    }

    static func comparison(_ day: Day, before first: Day) -> String {
        "--changes-since \(day): the log of these functions starts on \(first), after that night; name a later day, or read "
            + "older exports too"
    }

    static func comparison(earlierEndsOn last: Day, notBefore newest: Day?) -> String {
        let end = newest.map { "the inputs end on \($0)" } ?? "the inputs have no dated request"
        return "the earlier logs end on \(last), and \(end); pass earlier logs to --before"
    }

    static func noFormat(_ output: String, endings: String) -> String {
        "The ending of --output \(DisplayText(name: output).text) does not name a format: end it in \(endings), or add "
            + "--format."
    }

    /// `table, json or markdown`.
    static func alternatives(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
    }

    static func unmatched(_ option: String, _ pattern: String, among names: [String]) -> String {
        let complaint = "\(option) \(short(pattern)): no function in the log matches"
        if let name = NearestName.of(pattern, among: names) {
            return "\(complaint); did you mean \(short(name))?"
        }
        return "\(complaint); the log has \(list(names, atMost: 5))"
    }

    /// A name for a message; the middle of a very long one is left out.
    static func short(_ name: String) -> String { DisplayText(name: name).cut(to: 100, ellipsis: "...") }

    /// Names with commas between them, and how many more there are.
    static func list(_ names: [String], atMost count: Int) -> String {
        let rest = names.count > count ? " and \(names.count - count) more" : ""
        return names.prefix(count).map(short).joined(separator: ", ") + rest
    }

    static func settings(from file: String) -> String { "settings from \(file)" }

    static func store(_ path: String, from place: String) -> String {
        "reading the store \(DisplayText(name: path).text) (from \(place))"
    }

    static func emptyStore(_ path: String) -> String {
        "\(DisplayText(name: path).text): the store contains no record; add logs to it with callcheck store add"
    }

    static func tooOld(_ late: [String], firstDay: Day) -> String {
        let others = late.count - 1
        let rest = others == 0 ? "" : " and \(others) more \(others == 1 ? "input" : "inputs")"
        return """
            \(DisplayText(name: late[0]).text)\(rest): nothing was added, as the store keeps no entries from before \
            \(firstDay); to count them, add all exports to a new store with a longer retention, such as --set retention=365d
            """
    }

    /// Inputs that were passed twice: one is named, and the others are counted.
    static func repeated(_ inputs: [(input: LogInput, read: LogInput)]) -> [String] {
        guard let first = inputs.first else { return [] }
        let isSameName = first.input.name == first.read.name
        let which = "\(name(first.input)) \(isSameName ? "comes twice" : "is the same as \(name(first.read))")"
        let rest = inputs.count - 1
        guard rest > 0 else { return ["\(which); it is read once"] }
        return ["\(which), and \(rest) more \(rest == 1 ? "comes" : "come") twice; each is read once"]
    }

    /// Stores that were found in directories, which nobody named.
    static func storesInFolders(_ folders: [(folder: String, count: Int)]) -> [String] {
        folders.map { folder, count in
            let stores =
                count == 1
                ? "1 store in \(DisplayText(name: folder).text) was"
                : "\(count) stores in \(DisplayText(name: folder).text) were"
            return "\(stores) not read: name \(count == 1 ? "it" : "them")"
        }
    }

    /// Reports that were found in directories, in the place of logs.
    static func reportsInFolders(_ folders: [(folder: String, count: Int)]) -> [String] {
        folders.map { folder, count in
            let reports = count == 1 ? "1 report of callcheck" : "\(count) reports of callcheck"
            return "\(reports) in \(DisplayText(name: folder).text) \(count == 1 ? "was" : "were") not read"
        }
    }

    static func readTwice(_ pipe: LogInput) -> String {
        "\(name(pipe)) cannot be read twice, as the log and for --before; write it into a file, and name that."
    }

    private static func name(_ input: LogInput) -> String {
        input == .standardInput ? "standard input" : DisplayText(name: input.name).text
    }

    static func noFiles(in directory: String) -> String {
        "\(DisplayText(name: directory).text): this directory contains no files; name the folder that the sink or the "
            + "download wrote to"
    }

    static func notWhole(_ input: InputSummary) -> String {
        guard input.malformed > 0 else {
            let requests = input.unread.total.map { "up to \($0)" } ?? "any number of"
            return "\(requests) requests could not be read, and --strict is set; export again, or leave out --strict"
        }
        let first = input.problems.entries.first { $0.kind == .malformedRecord }
        let source = first?.source.map { DisplayText(name: $0).text } ?? "-"
        let place = first.map { " (first: \(source)\($0.record.map { ", record \($0)" } ?? ""))" } ?? ""
        let noun = input.malformed == 1 ? "record" : "records"
        return "\(input.malformed) malformed \(noun)\(place), and --strict is set; export again, or leave out --strict"
    }

    /// Returns the advice on a file that cannot be read; follows the system's message.
    static func advice(onReading error: Int32) -> String {
        switch error {
        case ENOENT, ENOTDIR: "correct the path"
        case EACCES, EPERM: "let this user read it (chmod, chown), or run as a user who may"
        case EISDIR: "name a file in it"
        case ELOOP: "correct the symbolic link"
        default: "fix the cause and run again, or name a copy of it"
        }
    }

    /// Returns the advice on a failed write; follows the system's message.
    static func advice(onWriting error: Int32) -> String {
        switch error {
        case ENOSPC, EDQUOT: "; make room there, or write elsewhere with --output, and run again"
        case EACCES, EPERM, EROFS: "; write elsewhere with --output, or run as a user who may write there"
        case EFBIG: "; raise the limit on the size of files (ulimit -f), or write elsewhere with --output"
        case ENOENT, ENOTDIR: "; create the directory first, or correct the path"
        case ENAMETOOLONG: "; choose a shorter name"
        case EISDIR: "; name a file in it"
        case ELOOP: "; correct the symbolic link, or name another file"
        case EBADF: "; it is closed, or open for reading only: redirect it somewhere, or use --output"
        default: "; fix the cause and run again, or write elsewhere with --output"
        }
    }

    static func print(_ messages: [String]) {
        for message in messages { StandardError.write("callcheck: \(message)") }
    }

    /// Returns messages on what went wrong with inputs, or on why they contain nothing.
    ///
    /// `functions` are those of the log, for a command that can choose among them. What `isShown` in the report is not
    /// repeated. A run that is not `isWhole` ended early: the other inputs are unknown.
    static func faults(
        of input: InputSummary, _ found: FoundInputs, isStrict: Bool, store: String? = nil,
        functions: [String]? = nil, isShown: Bool = false, isWhole: Bool = true
    ) -> [String] {
        let problems = isShown ? hints(of: input, found, functions) : problemLines(of: input, found, functions)
        var messages = problems + found.emptyDirectories.map(noFiles)
        if input.faults.contains(.tooManyFunctions) { messages.append(tooManyFunctions) }
        if isStrict && !input.isWhole { messages.append(notWhole(input)) }
        guard isWhole, input.faults.isEmpty, input.records == 0 else { return messages }
        if let store {
            messages.append(emptyStore(store))
        } else if input.bytesDecompressed > 0 {
            messages.append(emptyResult)
        } else if found.inputs == [.standardInput] {
            if input.problems.isEmpty { messages.append(emptyPipe) }
        } else if !found.inputs.isEmpty || found.emptyDirectories.isEmpty {
            // Empty directories have been named one by one.
            messages.append(noRecord)
        }
        return messages
    }

    /// One line for each input with a problem, as many as can be read in an email, and one that counts the others.
    private static func problemLines(
        of input: InputSummary, _ found: FoundInputs, _ functions: [String]?
    ) -> [String] {
        let problems = input.problems.entries.filter { !$0.kind.isRecord && $0.kind != .more }
        let lines = problems.prefix(problemLimit).map { problem in
            let source = problem.source.map { $0 == "-" ? "standard input: " : "\(DisplayText(name: $0).text): " }
            return "\(source ?? "")\(problem.detail)\(hint(on: problem, found, functions).map { ". \($0)" } ?? "")"
        }
        let rest = problems.count - lines.count
        guard rest > 0 else { return lines }
        return lines + ["\(rest) more such \(rest == 1 ? "problem" : "problems"); --format json lists all of them"]
    }

    private static let problemLimit = 20

    private static func hints(of input: InputSummary, _ found: FoundInputs, _ functions: [String]?) -> [String] {
        input.problems.entries.compactMap { problem in
            hint(on: problem, found, functions).map { "\(DisplayText(name: problem.source ?? "-").text): \($0)" }
        }
    }

    /// Suggests what a missing input was probably meant to be: the default command takes any word as a file.
    private static func hint(on problem: Problem, _ found: FoundInputs, _ functions: [String]?) -> String? {
        guard problem.kind == .unreadable, let source = problem.source, !source.isEmpty,
            FileSystem.status(ofLink: SystemPath(source).characters) == nil, errno == ENOENT
        else { return nil }
        let isWord = MistypedName.isWord(source)
        let others = found.inputs.filter { $0.name != source }.map {
            " " + ShellWord.plain($0.name, placeholder: "LOG")
        }
        let explaining = "callcheck explain \(source)\(others.count > 3 ? " LOG..." : others.joined())"
        if let functions, isWord {
            if functions.contains(where: { Glob(source).matches($0) }) {
                return "It is a function of the log. Did you mean: \(explaining)?"
            }
            if let command = MistypedName.command(near: source) { return "Did you mean the command \(command)?" }
        }
        if let file = MistypedName.file(near: source) { return "Did you mean \(DisplayText(name: file).text)?" }
        guard functions != nil, isWord else { return nil }
        return "It is not a command either. Did you mean: \(explaining)?"
    }
}
