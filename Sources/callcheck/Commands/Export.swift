import ArgumentParser
import Reports

/// The commands that give a good export, to copy.
struct Export: StatusCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the gcloud and bq commands that give a good export; nothing is run.",
        discussion: """
            Commented commands for a POSIX shell, for both generations of functions, stdout and stderr: what Cloud \
            Logging still has, a sink into a bucket, BigQuery, Log Analytics. Copy the part you need.

              callcheck export --project my-app
              callcheck export --project my-app --days 90 > export.sh
            """
    )

    @Option(help: "The project ID (default: the word PROJECT, to replace).")
    var project: String?

    @Option(help: "How many past days to read; Cloud Logging keeps 30 by default.")
    var days = 28

    func validate() throws {
        if project != nil, projectID == nil { throw ValidationError(Messages.noProjectID) }
        if !(1...ExportScript.longestRetention).contains(days) { throw ValidationError(Messages.badDays) }
    }

    func execute() throws -> ExitStatus {
        let script = ExportScript(project: projectID ?? .placeholder, days: days)
        return StandardOutput.write(script.text)
    }

    private var projectID: ProjectID? {
        project.flatMap(ProjectID.init)
    }
}
