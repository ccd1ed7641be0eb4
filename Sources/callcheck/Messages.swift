import Analysis
import Glibc
import LogStream
import Readiness
import Reports
import Verifications

/// The words that commands say on standard error: what, where, why, and what to do next.
enum Messages {
    static let noInput = """
        No input: standard input is a terminal. Name a file or a directory, or pipe an export in:
          callcheck export.json.gz
          gcloud storage cat 'gs://BUCKET/**' | callcheck
        callcheck export prints the commands that make one.
        """

    static let noProjectID = """
        --project is no id of a project: 6 to 30 lower-case letters, digits and hyphens, a letter first and no hyphen \
        last. gcloud projects list shows the ids of yours.
        """

    static let momentForms = "write a date (2026-10-13) or RFC 3339 (2026-10-13T12:00:00Z)."

    static let sinceForms = """
        write a date (2026-10-13), RFC 3339 (2026-10-13T12:00:00Z) or an age (90m, 36h, 7d, 2w).
        """

    static let copiesInStore = "A store counts each entry once: --no-dedupe is not for it."

    static let summaryOfStore = """
        summarize reads exports. Of a store, report shows all functions, explain one of them, and check is the gate: each \
        takes --store FILE.
        """

    static let badDays = "--days must be a number from 1 to \(ExportScript.longestRetention)."

    static let emptyPipe = "standard input holds no record: see whether the command in front of the pipe failed"

    static let noRecord = """
        none of the files holds a single record; name the folder that the sink or the download wrote to
        """

    static func comparison(_ day: Day, notBefore asOf: Day) -> String {
        "--compare-to \(day) is not before \(asOf), the day that is reported on; name an earlier one"
    }

    static func comparison(_ day: Day, before first: Day) -> String {
        "--compare-to \(day): the log of these functions begins on \(first), so nothing is known of that night; name a "
            + "later day, or read older exports too"
    }

    static func overlap(_ option: String, _ path: String, _ clash: String) -> String {
        "\(option) \(DisplayText(name: path).text) \(clash). Nothing was read or written; name another file."
    }

    static func noFormat(_ output: String, endings: String) -> String {
        "The ending of --output \(DisplayText(name: output).text) does not name a format: end it in \(endings), or add "
            + "--format."
    }

    static func noStore(made path: String) -> String {
        "\(DisplayText(name: path).text): no store was made, as there was no input that could be read"
    }

    static func emptyStore(_ path: String) -> String {
        "\(DisplayText(name: path).text): the store holds no record; add logs to it with callcheck ingest"
    }

    /// What a run says of inputs that came too late for a store.
    static func tooOld(_ late: LateInputs) -> String {
        let others = late.count - 1
        let rest = others == 0 ? "" : " and \(others) more \(others == 1 ? "input" : "inputs")"
        return """
            \(DisplayText(name: late.first).text)\(rest): nothing was added, as the store takes no entries of days \
            before \(late.sealedBefore) any more; to count them, ingest all exports into a new \
            store, with a --retention that reaches back to them
            """
    }

    static func noFiles(in directory: String) -> String {
        "\(DisplayText(name: directory).text): this directory holds no files; name the folder that the sink or the "
            + "download wrote to"
    }

    /// Beside a page whose notes say more.
    static let noVerification = """
        no verification of a deployed function among the records; callcheck export prints the commands that give a good \
        export
        """

    static func malformed(_ input: InputSummary) -> String {
        let first = input.problems.entries.first { $0.kind == .malformedRecord }
        let source = first?.source.map { DisplayText(name: $0).text } ?? "-"
        let place = first.map { " (first: \(source)\($0.record.map { ", record \($0)" } ?? ""))" } ?? ""
        let noun = input.malformed == 1 ? "record" : "records"
        return "\(input.malformed) malformed \(noun)\(place), and --strict was given; export again, or leave it out"
    }

    /// What to do about a file that cannot be read, behind the words of the system.
    static func advice(onReading error: Int32) -> String {
        switch error {
        case ENOENT, ENOTDIR: "correct the path"
        case EACCES, EPERM: "let this user read it (chmod, chown), or run as one who may"
        case EISDIR: "name a file in it"
        case ELOOP: "correct the symbolic link"
        default: "run again when the cause is gone, or name a copy of it"
        }
    }

    /// What to do about an error of the system, behind its words; empty where they say it.
    static func advice(onWriting error: Int32) -> String {
        switch error {
        case ENOSPC, EDQUOT: "; make room there, or write elsewhere with --output, and run again"
        case EACCES, EPERM, EROFS: "; write elsewhere with --output, or run as a user who may write there"
        case EFBIG: "; raise the limit on the size of files (ulimit -f), or write elsewhere with --output"
        case ENOENT, ENOTDIR: "; create the directory first, or correct the path"
        case EISDIR: "; name a file in it"
        case ELOOP: "; correct the symbolic link, or name another file"
        case EBADF: "; it is closed, or open for reading only: redirect it somewhere, or use --output"
        default: "; run again when the cause is gone, or write elsewhere with --output"
        }
    }

    /// Says each of several things on a line of its own.
    static func tell(_ messages: [String]) {
        for message in messages { StandardError.write("callcheck: \(message)") }
    }

    /// Says what went wrong with the inputs of a plan, and what an empty result means.
    static func explain(_ summary: Summary, of plan: RunPlan, isQuiet: Bool) {
        var input = summary.input
        if !isQuiet, let days = summary.noteOnDays { StandardError.write("callcheck: \(days)") }
        // Damage of earlier nights was told when it was read; `history list` still knows it.
        if plan.store != nil { input.problems = ProblemLog() }
        let isStrict = plan.analysis.scan.isStrict
        guard tellFaults(of: input, plan.found, isStrict: isStrict, store: plan.store) else { return }
        if !isQuiet, input.sawNoVerification, let reason = summary.reasonForNothing {
            StandardError.write("callcheck: \(plan.format.hasNotes ? noVerification : reason)")
        }
    }

    /// Says what may have been expected of a run and did not happen, though nothing went wrong.
    static func explain(_ run: IngestRun, isQuiet: Bool) {
        if !run.report.isDryRun, !run.isKept { tell([noStore(made: run.report.store)]) }
        if !isQuiet, let late = run.tooOld { tell([tooOld(late)]) }
    }

    /// Says what went wrong with inputs.
    ///
    /// - Returns: True when all were read and hold records.
    @discardableResult
    static func tellFaults(
        of input: InputSummary, _ found: FoundInputs, isStrict: Bool, store: String? = nil
    ) -> Bool {
        tell(problemLines(of: input))
        for directory in found.emptyDirectories { StandardError.write("callcheck: \(noFiles(in: directory))") }
        if isStrict && input.malformed > 0 { StandardError.write("callcheck: \(malformed(input))") }
        guard input.faults.isEmpty else { return false }
        guard input.records == 0 else { return true }
        if let store {
            tell([emptyStore(store)])
        } else if !found.inputs.isEmpty || found.emptyDirectories.isEmpty {
            // Empty directories have been named one by one.
            tell([found.inputs == [.standardInput] ? emptyPipe : noRecord])
        }
        return false
    }

    /// One line for each input with a problem, up to a number that can be read in a mail, and one that counts the
    /// others.
    static func problemLines(of input: InputSummary) -> [String] {
        let problems = input.problems.entries.filter { !$0.kind.isRecord && $0.kind != .more }
        let lines = problems.prefix(problemLimit).map { problem in
            let source = problem.source.map { $0 == "-" ? "standard input: " : "\(DisplayText(name: $0).text): " }
            return "\(source ?? "")\(problem.detail)\(mistakenCommand(problem) ?? "")"
        }
        let rest = problems.count - lines.count
        guard rest > 0 else { return lines }
        return lines + ["\(rest) more such \(rest == 1 ? "problem" : "problems"); --format json lists all of them"]
    }

    private static let problemLimit = 20

    /// What to add when somebody may have meant a command: the default command takes any word for a file.
    private static func mistakenCommand(_ problem: Problem) -> String? {
        guard problem.kind == .unreadable, let source = problem.source, !source.isEmpty,
            source.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
            unsafe access(source, F_OK) != 0, errno == ENOENT
        else { return nil }
        return ". It is no command either: see callcheck --help"
    }
}

extension InputSummary {
    /// True when not one record was a verification of a deployed function, nor can have been.
    fileprivate var sawNoVerification: Bool {
        verifications + filtered + duplicates + malformed + oversized == 0
    }
}
