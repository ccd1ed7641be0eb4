import ArgumentParser

/// The root of the command line.
struct Callcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callcheck",
        abstract: "Tells whether Firebase App Check enforcement can be switched on for callable functions.",
        discussion: """
            Reads Cloud Logging exports, gzipped or plain, and counts per function and region how many callable \
            requests carried a valid App Check token.

              callcheck export.json.gz
              gcloud storage cat 'gs://BUCKET/**' | callcheck
              callcheck --format json logs/ | jq .totals

            EXIT STATUS
              0   done
              64  the command line is wrong
              65  damaged or unreadable data; all that was readable is counted
              66  an input is missing or cannot be opened; the others are read
              70  a fault of callcheck itself
              74  reading or writing failed
            """,
        version: version,
        subcommands: [Summarize.self, Check.self, Explain.self, Ingest.self],
        defaultSubcommand: Summarize.self
    )

    static let version = "0.1.0"
}
