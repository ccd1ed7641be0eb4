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
        usage: "callcheck export [<part>] [--project <id>] [<options>]",
        discussion: """
              callcheck export --project my-app
              callcheck export sink --project my-app > sink.sh
              gcloud logging tail "$(callcheck export filter)" --format=json

            Commented commands for a POSIX shell, for both generations of functions, stdout and stderr. The parts:

              read        what Cloud Logging still has (the default)
              sink        a sink into a bucket, for every night
              bigquery    a sink into BigQuery
              analytics   Log Analytics
              counts      queries that count in place; callcheck reads their results
              alert       a log-based metric, and an alert on people who are refused
              filter      the filter alone, for gcloud logging tail or the Logs Explorer

            --set callers=none leaves out the request log, which shows who calls. --set from=LOG filters the request \
            log by the service names in this log.
            """)

    static let formats: [OutputFormat] = []

    @Argument(
        help: .value("read, sink, bigquery, analytics, counts, alert or filter.", "part"),
        completion: .list(ExportScript.Part.allCases.map(\.rawValue)))
    var part = ExportScript.Part.read.rawValue

    @Option(help: .value("The project ID (default: the word PROJECT).", "id"))
    var project: String?

    @Option(help: .value("How many past days to read.", "n"))
    var days = ExportScript.usualDays

    @OptionGroup var settings: SettingsOptions

    var plan = Resolved<Plan>()

    func typed() -> [SettingKey: [String]] { [.project: [project].compactMap(\.self)] }

    func resolve() throws -> Plan {
        if let project, ProjectID(project) == nil { throw ValidationError(Messages.noProjectID) }
        if !(1...ExportScript.longestRetention).contains(days) {
            throw ValidationError("--days must be a number from 1 to \(ExportScript.longestRetention).")
        }
        guard let part = ExportScript.Part(rawValue: part) else {
            let parts = Messages.alternatives(ExportScript.Part.allCases.map(\.rawValue))
            throw ValidationError("There is no such part to export: write \(parts).")
        }
        let settings = try Settings(settings, [self])
        let from = settings.text(.from)
        if from != nil, !part.hasFilter || settings.openLimit == 0 { throw ValidationError(Messages.namesOfNothing) }
        return try Plan(settings, .standardOutput, inputs: from.map { [$0] })
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        // A setting may select several projects, or be a pattern.
        let globs = plan.settings.texts(.project)
        let project = globs.count == 1 ? ProjectID(globs[0]) : nil
        let part = ExportScript.Part(rawValue: part) ?? .read
        let asksForCallers = plan.settings.openLimit > 0
        guard let from = plan.settings.text(.from) else {
            let script = ExportScript(project: project ?? .placeholder, days: days, asksForCallers: asksForCallers)
            return StandardOutput.write(script.text(of: part))
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
        return ExitStatus.mostSerious([status, StandardOutput.write(script.text(of: part))])
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
