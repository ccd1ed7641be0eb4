import Analysis
import LogStream
import Reports
import Verifications

/// The words that commands say on standard error: what, where, why, and what to do next.
enum Messages {
    static let noInput = """
        No input: standard input is a terminal. Name a file or a directory, or pipe an export in:
          callcheck export.json.gz
          gcloud logging read '\(exportFilter)' --project=PROJECT --freshness=28d --format=json | callcheck
        """

    /// Finds the verifications of both generations.
    static let exportFilter = #"labels."firebase-log-type"="callable-request-verification""#

    static let emptyPipe = "standard input holds no record: see whether the command in front of the pipe failed"

    static let noRecord = """
        none of the files holds a single record; name the folder that the sink or the download wrote to
        """

    static func noFiles(in directory: String) -> String {
        "\(DisplayText(name: directory).text): this directory holds no files; name the folder that the sink or the "
            + "download wrote to"
    }

    static let noVerification = """
        no callable-request-verification entry among the records. Either the log was exported with a filter that drops \
        them (severity>=INFO does), or these functions are no callable functions of firebase-functions 3.14 or later. \
        A sink needs the filter
          \(exportFilter)
        and a one-off export of both generations is
          gcloud logging read '\(exportFilter)' --project=PROJECT --freshness=28d --format=json | gzip > export.json.gz
        """

    static func malformed(_ input: InputSummary) -> String {
        let first = input.problems.entries.first { $0.kind == .malformedRecord }
        let source = first?.source.map { DisplayText(name: $0).text } ?? "-"
        let place = first.map { " (first: \(source)\($0.record.map { ", record \($0)" } ?? ""))" } ?? ""
        let noun = input.malformed == 1 ? "record" : "records"
        return "\(input.malformed) malformed \(noun)\(place), and --strict was given"
    }

    /// Says each of several things on a line of its own.
    static func tell(_ messages: [String]) {
        for message in messages { StandardError.write("callcheck: \(message)") }
    }

    /// Says what went wrong with the inputs of a plan, and what an empty result means.
    static func explain(_ input: InputSummary, of plan: RunPlan, isQuiet: Bool) {
        explain(input, of: plan.found, isStrict: plan.analysis.scan.isStrict, isQuiet: isQuiet)
    }

    /// Says what went wrong with inputs, and what an empty result means.
    static func explain(_ input: InputSummary, of found: FoundInputs, isStrict: Bool, isQuiet: Bool) {
        for problem in input.problems.entries where !problem.kind.isRecord && problem.kind != .more {
            let source = problem.source.map { "\(DisplayText(name: $0).text): " } ?? ""
            StandardError.write("callcheck: \(source)\(problem.detail)\(mistakenCommand(problem) ?? "")")
        }
        for directory in found.emptyDirectories { StandardError.write("callcheck: \(noFiles(in: directory))") }
        if isStrict && input.malformed > 0 { StandardError.write("callcheck: \(malformed(input))") }
        guard input.faults.isEmpty, input.sources > 0 else { return }
        if input.records == 0 {
            StandardError.write("callcheck: \(found.inputs == [.standardInput] ? emptyPipe : noRecord)")
        } else if !isQuiet, input.sawNoVerification {
            StandardError.write("callcheck: \(noVerification)")
        }
    }

    /// What to add when somebody may have meant a command: the default command takes any word for a file.
    private static func mistakenCommand(_ problem: Problem) -> String? {
        let isWord = problem.source?.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return problem.kind == .unreadable && isWord == true ? ". It is no command either: see callcheck --help" : nil
    }
}

extension InputSummary {
    /// True when not one record had anything to do with a verification, nor can have had.
    fileprivate var sawNoVerification: Bool {
        verifications + filtered + duplicates + ignored + malformed + oversized == 0
    }
}
