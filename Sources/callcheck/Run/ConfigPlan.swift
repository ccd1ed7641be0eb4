import LogStream
import PolicyFile
import Readiness
import Reports

/// What `config` shows: each setting in effect, as the commands that take it would resolve it.
struct ConfigPlan {
    let listing: SettingsListing
    let output: ListOutput

    init(_ command: Config) throws {
        try command.output.validate(command.printing)
        var settings = try Settings(command.config.config)
        var (selection, functions, verdict) = (command.selection, command.functions, command.verdict)
        var (reading, retention) = (command.reading, command.retention)
        var store = command.history.store
        settings.fill(&store, path: .store)
        selection.fill(from: &settings)
        functions.fill(from: &settings)
        verdict.fill(from: &settings)
        reading.fill(from: &settings)
        retention.fill(from: &settings)
        output = ListOutput(command.output, command.printing, &settings)
        let gate = command.gate.filled(from: &settings)
        // The list itself may have another format than the pages.
        var format = command.output.format.flatMap { OutputFormat(rawValue: $0.rawValue) }
        settings.fill(&format, .format) { $0.words[.format].flatMap(OutputFormat.init(rawValue:)) }
        let destination = output.printing.destination
        try RunFiles(
            texts: settings.texts + [("the file of --policy", verdict.policy)], store: store, output: destination
        )
        .refuseOverlaps()

        let policy = try settings.policy(verdict.policy)
        let numbers = verdict.rules(policy?.document, over: settings.file?.document, since: nil).numbers
        for (key, isFlag) in verdict.numbersByFlag { settings.trace(key, isFlag: isFlag, policy) }

        let scan = reading.scan
        let values: [PolicyKey: String?] = [
            .project: ConfigPlan.text(selection.projects), .region: ConfigPlan.text(selection.regions),
            .function: ConfigPlan.text(functions.functions), .store: store, .policy: policy?.file,
            .inventory: verdict.inventory, .maxBlocked: ConfigPlan.text(share: numbers.maxBlocked),
            .confidence: ConfigPlan.text(share: numbers.confidence), .minDays: "\(numbers.minDays)d",
            .window: "\(numbers.window)d", .maxWindow: "\(numbers.maxWindow)d", .confirm: "\(numbers.confirm)d",
            .requiresAuth: "\(numbers.requiresAuth)", .assumeComplete: ConfigPlan.text(numbers.assumeComplete),
            .failOn: gate.failOn.rawValue, .acceptTogether: "\(gate.acceptsTogether)",
            .format: (format ?? .table).rawValue, .color: (output.printing.color ?? .auto).rawValue,
            .quiet: "\(output.printing.quiet)", .noProgress: "\(output.printing.noProgress)",
            .strict: "\(scan.isStrict)", .jobs: "\(reading.threads)",
            .maxRecordBytes: ByteCount(scan.maxRecordBytes).defaultValueDescription,
            .maxFunctions: "\(scan.maxFunctions)", .retention: retention.retention.map { "\($0)d" },
        ]
        let rows = PolicySection.settingsFile.keys.compactMap { key -> SettingsListing.Row? in
            guard let value = values[key] ?? nil else { return nil }
            return settings.origin(of: key).row(key, value)
        }
        listing = SettingsListing(file: settings.file?.name, rows: rows)
    }

    private static func text(_ globs: [String]) -> String? {
        globs.isEmpty ? nil : globs.joined(separator: ", ")
    }

    /// A share as it may be written: a percentage, to seven digits after the point.
    private static func text(share: Double) -> String {
        let percent = "\((share * 1e9).rounded() / 1e7)"
        return (percent.hasSuffix(".0") ? String(percent.dropLast(2)) : percent) + "%"
    }

    private static func text(_ assumed: AssumeComplete) -> String {
        switch assumed {
        case .nothing: "false"
        case .failures: "failures"
        case .everything: "true"
        }
    }
}

extension SettingOrigin {
    fileprivate func row(_ key: PolicyKey, _ value: String) -> SettingsListing.Row {
        let source: SettingsListing.Source =
            switch self {
            case .flag: .flag
            case .variable: .environment
            case .file: .file
            case .builtIn: .builtIn
            }
        let place = self == .flag ? "--\(key.rawValue)" : place
        return SettingsListing.Row(key: key.rawValue, value: value, source: source, place: place)
    }
}
