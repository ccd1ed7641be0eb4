import Analysis
import ArgumentParser
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

struct Export: StatusCommand, SettingOptions {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print gcloud and bq commands for a complete export; runs nothing.",
        usage: "callcheck export [--project <id>] [<options>]",
        discussion: """
            Commented commands for a POSIX shell, for both generations of functions, stdout and stderr: what Cloud \
            Logging still has, a sink into a bucket, BigQuery, Log Analytics. Copy the part you need.

              callcheck export --project my-app
              callcheck export --project my-app --days 90 > export.sh
              callcheck export --read --project my-app
              gcloud logging tail "$(callcheck export --filter)" --format=json
            """)

    @Option(help: .value("The project ID (default: the word PROJECT, to replace).", "id"))
    var project: String?

    @Option(help: .value("How many past days to read; Cloud Logging keeps 30 by default.", "count"))
    var days = 28

    @Option(help: .value("Ask for the requests of the services in this log, by name.", "log"))
    var from: String?

    @Option(help: .value("What to ask for next to verifications: all, or none for no callers.", "what"))
    var evidence = EvidenceChoice.all

    @Flag(help: "Instead, print a log-based metric and an alert on people who are refused.")
    var metric = false

    @Flag(help: "Instead, print queries that count in Log Analytics or BigQuery; callcheck reads the result.")
    var counts = false

    @Flag(help: "Only the filter, for gcloud logging tail or the Logs Explorer.") var filter = false

    @Flag(help: "Only the command for a first look.") var read = false

    /// Accepted as by every command, although nothing here has a colour.
    @Flag(help: .private) var noColor = false

    @OptionGroup var config: ConfigOptions

    var plan = Resolved<Plan>()
    var typed: [PolicyKey: SettingValue?] { [.project: project.map { .texts([$0]) }] }

    func resolve() throws -> Plan {
        if let project, ProjectID(project) == nil { throw ValidationError(Messages.noProjectID) }
        if !(1...ExportScript.longestRetention).contains(days) {
            throw ValidationError("--days must be a number from 1 to \(ExportScript.longestRetention).")
        }
        if from != nil, metric || counts || evidence == .none { throw ValidationError(Messages.namesOfNothing) }
        if [metric, counts, filter, read].count(where: \.self) > 1 {
            throw ValidationError("Only one of --metric, --counts, --filter and --read.")
        }
        return try Plan(Settings(config.config, [self]), .standardOutput, inputs: from.map { [$0] })
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        // A setting may select several projects, or be a pattern.
        let globs = plan.settings.globs(.project)
        let project = globs.count == 1 ? ProjectID(globs[0]) : nil
        guard let from else {
            return StandardOutput.write(
                text(ExportScript(project: project ?? .placeholder, days: days, asksForCallers: evidence == .all)))
        }
        var analysis = LogAnalysis(inputs: plan.found.inputs, horizon: Clock.now().adding(seconds: 86_400))
        analysis.openLimit = 0
        let read = analysis.run()
        let seen = SeenServices(read.tally.functions.keys, project: project)
        let status = ExitStatus.of(read.input, isStrict: false)
        guard !seen.names.isEmpty, seen.fitsIntoFilter else {
            throw Failure(
                status: status == .success ? .usage : status,
                message: status == .noInput
                    ? "\(DisplayText(name: from).text) cannot be opened, so its services cannot be listed."
                    : Messages.noServices(DisplayText(name: from).text, isEmpty: seen.names.isEmpty))
        }
        let script = ExportScript(project: seen.project ?? .placeholder, days: days, services: seen.names)
        return ExitStatus.mostSerious([status, StandardOutput.write(text(script))])
    }

    private func text(_ script: ExportScript) -> String {
        if metric { return script.metric }
        if counts { return script.counts }
        return filter ? script.filterText : read ? script.readCommand : script.text
    }
}

/// The services of generation 2 that a log names, as far as a filter can name them.
private struct SeenServices {
    let names: [String]
    /// The project given, or the only one of the log.
    let project: ProjectID?

    /// A filter of Cloud Logging has at most 20,000 characters; the rest of it takes fewer than 1,000 of them.
    var fitsIntoFilter: Bool { names.reduce(0) { $0 + $1.utf8.count + 20 } < 19_000 }

    init(_ functions: some Sequence<FunctionIdentity>, project: ProjectID?) {
        let services = functions.filter { identity in
            identity.generation == .second && (project.map { $0.text == identity.project } ?? true)
                && ExportScript.isService(identity.name)
        }
        names = Set(services.map { ExactName($0.name) }).sorted().map(\.text)
        let projects = Set(services.map { ExactName($0.project) })
        self.project = project ?? (projects.count == 1 ? projects.first.flatMap { ProjectID($0.text) } : nil)
    }
}
