import ArgumentParser
import Entries
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

struct Export: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print gcloud and bq commands for a complete export; runs nothing.",
        usage: "callcheck export [<part>] [--project <id>] [<options>]",
        discussion: """
              callcheck export --project my-app | sh
              callcheck export sink --project my-app > sink.sh
              gcloud logging tail "$(callcheck export filter)" --format=json

            Commented commands for a POSIX shell, for both generations of functions, stdout and stderr. The parts:

              read        what Cloud Logging still has (the default)
              sink        a sink into a bucket, for every night
              bigquery    a sink into BigQuery
              analytics   Log Analytics
              counts      queries that count in place; callcheck reads their results
              services    counts of Firestore and other services
              alert       a log-based metric, and an alert on people who are refused
              filter      the filter alone, for gcloud logging tail or the Logs Explorer
              schema      the JSON Schema of what -f json prints

            --set callers=none leaves out the request log, which shows who calls. --set from=LOG filters the request \
            log by the service names in this log.
            """)

    static let formats: [OutputFormat] = []

    @Argument(
        help: .value("read, sink, bigquery, analytics, counts, services, alert, filter or schema.", "part"),
        completion: .list(ExportScript.Part.allCases.map(\.rawValue)))
    var part = ExportScript.Part.read.rawValue

    @Option(help: .value("The project ID (default: the word PROJECT).", "id"))
    var project: String?

    @Option(help: .value("How many past days to read.", "n"))
    var days = ExportScript.usualDays

    @OptionGroup var settings: SettingsOptions

    func execute() throws -> ExitStatus {
        if let project, ProjectID(project) == nil { throw ValidationError(Messages.noProjectID) }
        if !(1...ExportScript.longestRetention).contains(days) {
            throw ValidationError("--days must be a number from 1 to \(ExportScript.longestRetention).")
        }
        guard let part = ExportScript.Part(rawValue: part) else {
            let parts = Messages.alternatives(ExportScript.Part.allCases.map(\.rawValue))
            throw ValidationError("There is no such part to export: write \(parts).")
        }
        let settings = try Settings(settings, [[\.project: [project].compactMap(\.self)]])
        let from = settings.from
        if from != nil, !part.hasFilter || settings.rowLimit == 0 { throw ValidationError(Messages.namesOfNothing) }
        let run = try Run(settings, inputs: from.map { [$0] })

        // A setting may select several projects, or be a pattern.
        let globs = settings.project ?? []
        let project = globs.count == 1 ? ProjectID(globs[0].pattern) : nil
        guard let from else {
            let script = ExportScript(
                project: project ?? .placeholder, days: days, asksForCallers: settings.rowLimit > 0)
            return StandardOutput.write(script.text(of: part))
        }
        var analysis = run.analysis
        (analysis.inputs, analysis.removesDuplicates, analysis.rowLimit) = (run.found.inputs, true, 0)
        let read = try analysis.run(with: run.found.stores)
        try read.input.refuseTooManyFunctions()
        Messages.print(Messages.faults(of: read.input, run.found, isStrict: run.isStrict))
        let status = ExitStatus.of(read.input, isStrict: run.isStrict, needsRecords: true)
        // A name that Cloud Run does not give would end the filter, or a command.
        let services = read.tally.functions.keys.filter { identity in
            identity.generation == .second && ExportScript.isService(identity.name)
                && project.map { $0.text == identity.project } ?? true
        }
        guard !services.isEmpty else {
            guard status == .success else { return status }
            throw Failure(Messages.noServices(DisplayText(name: from).text))
        }
        let projects = Set(services.map { ExactName($0.project) })
        let seen = projects.count == 1 ? projects.first.flatMap { ProjectID($0.text) } : nil
        let script = ExportScript(
            project: project ?? seen ?? .placeholder, days: days,
            services: Set(services.map { ExactName($0.name) }).sorted().map(\.text))
        return .mostSerious([status, StandardOutput.write(script.text(of: part))])
    }
}
