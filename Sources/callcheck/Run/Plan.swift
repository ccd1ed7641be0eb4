import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Reports
import Verifications

/// A command that ends with a status.
///
/// All of them run alike. The command line is resolved into a plan while it is parsed: a wrong one ends the command
/// before anything is read or written. Then the output must be writable, and the command runs.
protocol StatusCommand: ParsableCommand {
    associatedtype Plan: CommandPlan
    var plan: Resolved<Plan> { get set }

    func resolve() throws -> Plan
    func run(_ plan: Plan) throws -> ExitStatus
}

extension StatusCommand {
    mutating func validate() throws {
        plan = try Resolved { try resolve() }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        if plan.isAnnounced, !plan.settings.isQuietByFlag {
            if let file = plan.settings.file { Messages.print([Messages.settings(from: file.name)]) }
            if let store = plan.storeRead, let place = plan.settings.origin(of: .store).place {
                Messages.print([Messages.store(store, from: place)])
            }
        }
        try plan.output.prepare()
        return try run(plan)
    }
}

/// What a command line means: a value that never changes.
protocol CommandPlan {
    var settings: Settings { get }
    var output: Destination { get }
    /// The store to read, which is named when no option names it.
    var storeRead: String? { get }
    /// True when the settings file is named.
    var isAnnounced: Bool { get }
}

extension CommandPlan {
    var storeRead: String? { nil }
    var isAnnounced: Bool { true }
}

/// The plan of a command that judges nothing.
struct Plan: CommandPlan {
    let settings: Settings
    let output: Destination
    let format: OutputFormat
    let found: FoundInputs
    /// The store that the command works on.
    let store: String?
    let isAnnounced: Bool
    let now = Clock.now()

    /// Finds inputs, none where they are nil; the output must not be one of the files that are read.
    init(
        _ settings: Settings, _ output: Destination, _ format: OutputFormat = .table, inputs: [String]? = nil,
        store: String? = nil, patch: String? = nil, isAnnounced: Bool = true
    ) throws {
        (self.settings, self.output, self.format) = (settings, output, format)
        (self.store, self.isAnnounced) = (store, isAnnounced)
        var found = try inputs.map(FoundInputs.init) ?? .none
        if let store { found.leaveOut(store: store) }
        self.found = found
        try RunFiles(settings: settings, inputs: found.inputs, store: store, output: output, patch: patch)
            .refuseOverlaps()
    }

    func write(_ list: any ListReport) -> ExitStatus {
        output.write { format == .json ? list.writeJSON(to: &$0) : list.writeTable(to: &$0) }
    }
}

/// What is printed as a table or as JSON.
protocol ListReport {
    func writeTable(to sink: inout some TextOutputStream)
    func writeJSON(to sink: inout some TextOutputStream)
}

extension IngestReport: ListReport {}
extension SettingsListing: ListReport {}
extension StoreListing: ListReport {}
extension UpkeepReport: ListReport {}

/// What a command line was resolved into while it was parsed.
///
/// Validation is the last step of parsing, and the only one whose errors the parser prints with the usage of the
/// command. Failures that are not about the command line's form wait here until the command runs: `--help` goes first.
struct Resolved<Plan>: Decodable {
    private var result: Result<Plan, Failure>?

    init() {}

    /// Never called: the parser keeps the value that the property has.
    init(from decoder: any Decoder) {}

    init(_ make: () throws -> Plan) throws {
        do {
            result = .success(try make())
        } catch let failure as Failure {
            result = .failure(failure)
        }
    }

    func get() throws(Failure) -> Plan {
        guard let result else { preconditionFailure("the parser validates every command") }
        return try result.get()
    }
}
