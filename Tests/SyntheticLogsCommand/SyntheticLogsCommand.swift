import ArgumentParser
import SyntheticLogs

@main
struct SyntheticLogsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synthetic-logs",
        abstract: "Writes a realistic Cloud Logging export, and the exact counts of what is in it.",
        discussion: """
            The same preset, seed, size and transport always give the same bytes. The log is not compressed:

              synthetic-logs --preset mixed --bytes 1G --output - --truth truth.json | gzip > mixed.json.gz

            The truth holds what the transport carries: functions:log, for example, knows no project.
            """)

    @Option(help: "What the log shows: a corpus (mixed, dense) of any size, or a sample.")
    var preset: Preset?

    @Option(help: "Rows of Google Analytics about an App Attest rollout, instead of a preset.")
    var appAttest: AnalyticsPreset?

    @Option(help: "How such rows leave BigQuery.")
    var rows: AnalyticsTransport = .extract

    @Option(help: "About how large the plain log is, such as 500K, 20M or 1G; by default 100M, or the sample as it is.")
    var bytes: ByteCount?

    @Option(help: "The shape in which the log has travelled.")
    var transport: Transport = .lines

    @Option(help: "Seed of all that is random.")
    var seed: UInt64 = 1

    @Option(name: .shortAndLong, help: "File to write, or - for standard output.")
    var output: String = "-"

    @Option(help: "File for the exact counts, as JSON.")
    var truth: String?

    @Option(help: "Number of files to deal the entries to; their names get -0, -1, … before the ending.")
    var shards: Int = 1

    @Option(help: "Share of entries that are written twice, 0 to 1.")
    var duplicates: Double?

    @Option(help: "Share of verifications without a time, 0 to 1.")
    var undated: Double?

    @Option(help: "Share of entries that arrive hours late, 0 to 1.")
    var late: Double?

    func validate() throws {
        guard (preset == nil) != (appAttest == nil) else {
            throw ValidationError("Name one of --preset and --app-attest.")
        }
        guard (1...1000).contains(shards) else { throw ValidationError("--shards is a number from 1 to 1000.") }
        guard shards == 1 || output != "-" else {
            throw ValidationError("--shards writes several files: name one with --output.")
        }
        for share in [duplicates, undated, late].compactMap(\.self) where !(0...1).contains(share) {
            throw ValidationError("--duplicates, --undated and --late are shares from 0 to 1.")
        }
    }

    func run() throws {
        if let appAttest { return try write(appAttest) }
        guard let preset else { return }
        var scenario = preset.scenario(seed: seed)
        if let duplicates { scenario.duplicateShare = duplicates }
        if let undated { scenario.undatedShare = undated }
        if let late { scenario.lateShare = late }
        if let count = bytes?.count ?? (preset.isCorpus ? 100_000_000 : nil) {
            scenario = try scenario.scaled(toBytes: count, as: transport)
        }

        let files = try outputPaths.map { try OutputFile(path: $0) }
        let counts = try scenario.write(as: transport, shards: shards) { try files[$0].write($1) }
        if let truth { try OutputFile(path: truth).write(counts.json()) }
    }

    private func write(_ preset: AnalyticsPreset) throws {
        try OutputFile(path: output).write(rows.bytes(preset.rows(seed: seed)))
        if let truth { try OutputFile(path: truth).write(preset.scenario(seed: seed).truth()) }
    }

    /// `corpus.json` becomes `corpus-0.json`, `corpus-1.json` and so on.
    private var outputPaths: [String] {
        guard shards > 1 else { return [output] }
        let name = output.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let ending = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        let stem = output.dropLast(ending.count)
        return (0..<shards).map { "\(stem)-\($0)\(ending)" }
    }
}
