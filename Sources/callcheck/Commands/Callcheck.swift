import ArgumentParser

/// The root of the command line.
struct Callcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callcheck",
        abstract: "Show whether Firebase App Check enforcement can be switched on for callable functions.",
        discussion: """
            Reads exports of Cloud Logging, gzipped or plain, as gcloud, a sink, BigQuery or a terminal wrote them. For \
            each callable function it shows how many requests carried a valid App Check token and whether enforcement \
            can be switched on. The default command is summarize.

              callcheck export --project my-app          how to get an export
              callcheck export.json.gz                   what it says
              callcheck explain addMessage export.json.gz
              callcheck check --function addMessage logs/ && firebase deploy

            EXIT STATUS
              0   done; check: every selected function can be enforced
              1   check: at least one is not safe
              2   check: for at least one there is no answer yet, or nothing
                  was selected
              64  the command line, the settings or the policy is wrong
              65  damaged or unreadable data; all that was readable is counted;
                  ingest and report: no record at all
              66  an input or the store is missing or cannot be opened; other
                  inputs are read
              70  a fault of callcheck itself
              74  reading or writing failed

            Where several apply, the first of 64, 74, 66, 65, 1, 2 is used.
            """,
        version: Version.text,
        subcommands: [
            Export.self, Summarize.self, Explain.self, Check.self, Ingest.self, NightlyCommand.self,
            HistoryCommand.self, SnapshotCommand.self, Watch.self, RolloutCommand.self, Config.self,
        ],
        defaultSubcommand: Summarize.self
    )
}
