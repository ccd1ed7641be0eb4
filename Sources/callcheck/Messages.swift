import Verifications

/// The words that commands say on standard error: what, where, why, and what to do next.
enum Messages {
    static let noInput = """
        No input: standard input is a terminal. Name a file or a directory, or pipe an export in:
          callcheck export.json.gz
          gcloud logging read '\(exportFilter)' --project=PROJECT --freshness=28d --format=json | jq -c '.[]' | callcheck
        """

    /// Finds the verifications of both generations.
    static let exportFilter = #"labels."firebase-log-type"="callable-request-verification""#

    static func noLogs(in inputs: Int) -> String {
        inputs == 0
            ? "the directories given hold no files; name the folder that the sink or the download wrote to"
            : "none of the files holds a single record"
    }

    static let noVerification = """
        no callable-request-verification entry among the records. Either the log was exported with a filter that drops \
        them (severity>=INFO does), or these functions are no callable functions of firebase-functions 3.14 or later. \
        A sink needs the filter
          \(exportFilter)
        and a one-off export of both generations is
          gcloud logging read '\(exportFilter)' --project=PROJECT --freshness=28d --format=json | jq -c '.[]' | gzip > export.json.gz
        """

    /// Says what went wrong with the inputs, and what an empty result means.
    static func explain(_ input: InputSummary, inputs: Int, isQuiet: Bool) {
        for problem in input.problems.entries where !problem.kind.isRecord {
            StandardError.write("callcheck: \(problem.source.map { "\($0): " } ?? "")\(problem.detail)")
        }
        guard !isQuiet, input.verifications + input.filtered + input.duplicates == 0, input.faults.isEmpty else { return }
        StandardError.write("callcheck: " + (input.records == 0 ? noLogs(in: inputs) : noVerification))
    }
}
