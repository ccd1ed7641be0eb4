import ArgumentParser
import PolicyFile
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

    @Option(help: ArgumentHelp("The project ID (default: the word PROJECT, to replace).", valueName: "id"))
    var project: String?

    @Option(help: ArgumentHelp("How many past days to read; Cloud Logging keeps 30 by default.", valueName: "count"))
    var days = 28

    @OptionGroup var config: ConfigOptions

    /// The settings, and the project that is meant.
    var plan = Resolved<(settings: Settings, project: ProjectID)>()

    mutating func validate() throws {
        if let project, ProjectID(project) == nil { throw ValidationError(Messages.noProjectID) }
        if !(1...ExportScript.longestRetention).contains(days) { throw ValidationError(Messages.badDays) }
        plan = try Resolved {
            var (settings, globs) = (try Settings(config.config), project.map { [$0] } ?? [])
            settings.fill(&globs, .project)
            // What a setting selects may be several projects, or a pattern.
            let project = globs.count == 1 ? ProjectID(globs[0]) : nil
            return (settings, project ?? .placeholder)
        }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        plan.settings.announce(isQuiet: false)
        return StandardOutput.write(ExportScript(project: plan.project, days: days).text)
    }
}
