import ArgumentParser
import LogStream
import PolicyFile
import Reports
import Verifications

struct ReadingOptions: ParsableArguments, SettingOptions {
    @Argument(help: "Files, directories (read recursively) or - for standard input.", completion: .file())
    var input: [String] = []

    @Flag(help: "Exit with 65 if anything could not be read.") var strict = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: .rare("How many threads may work at once (default: the number of cores).", "count"))
    var jobs: Int?

    @Option(help: .rare("Skip and count longer records; bytes, or with K, M or G (default: 16M).", "size"))
    var maxRecordBytes: ByteCount?

    @Option(help: .rare("Give up on more functions (default: 100000).", "count")) var maxFunctions: Int?

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
        if let maxFunctions, maxFunctions < 1 { throw ValidationError("--max-functions must be at least 1.") }
        if let maxRecordBytes, !ByteCount.recordLimits.contains(maxRecordBytes.value) {
            throw ValidationError("--max-record-bytes must be at least 1 and below 4G.")
        }
        for name in input where name.contains("://") {
            let fetch = name.hasPrefix("gs://") ? "gcloud storage cat" : "curl -fsS"
            let url = ShellWord(name, placeholder: "URL").quoted
            throw ValidationError("callcheck cannot read URLs. Pipe the object in instead: \(fetch) \(url) | callcheck")
        }
    }

    var typed: [PolicyKey: SettingValue?] {
        [
            .strict: strict ? .flag(true) : nil, .jobs: jobs.map(SettingValue.count),
            .maxRecordBytes: maxRecordBytes.map { .count($0.value) },
            .maxFunctions: maxFunctions.map(SettingValue.count),
        ]
    }
}

/// Whether duplicates count, and what else is kept of the inputs.
struct InputOptions: ParsableArguments {
    @Flag(name: .customLong("no-dedupe"), help: .rare("Count copies of an entry as well."))
    var keepsDuplicates = false

    @Option(help: .rare("What to read next to verifications: all, or none for no callers and no causes.", "what"))
    var evidence = EvidenceChoice.all

    @Option(help: .rare("How many requests to keep until everything was read; the oldest are dropped.", "n"))
    var maxOpen = 1_000_000

    @OptionGroup var fingerprints: FingerprintOptions

    func validate() throws {
        if maxOpen < 1 { throw ValidationError("--max-open must be at least 1.") }
    }

    var openLimit: Int { evidence == .none ? 0 : maxOpen }
}

struct FingerprintOptions: ParsableArguments {
    @Option(help: .rare("The key of fingerprints in snapshots and stores, any text: the same in every run.", "text"))
    var fingerprintKey: String?

    func validate() throws {
        if fingerprintKey == "" { throw ValidationError("--fingerprint-key must not be empty.") }
    }

    /// The key made from the text; nil for the usual one.
    var key: HashKey? { fingerprintKey.map { HashKey(phrase: $0) } }
}

/// What is read besides verifications: request rows, and the SDK's lines about refused tokens.
enum EvidenceChoice: String, ExpressibleByArgument, CaseIterable {
    case all, none
}

extension ByteCount: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

struct StoreOptions: ParsableArguments, SettingOptions {
    @Option(help: .value("The store, an SQLite database that callcheck maintains.", "file"), completion: .file())
    var store: String?

    var typed: [PolicyKey: SettingValue?] { [.store: store.map(SettingValue.text)] }

    func path(_ settings: Settings) throws -> String {
        guard let path = settings.text(.store) else {
            throw ValidationError(
                "--store is missing: pass a file such as history.db, or set store in callcheck.yml or CALLCHECK_STORE.")
        }
        try HistoryOptions.refuseNonFile(path)
        if path.contains("://") { throw ValidationError("--store takes a file on this machine, not a URL.") }
        return path
    }
}

struct HistoryOptions: ParsableArguments, SettingOptions {
    @Option(help: .value("Read what callcheck ingest has added to this store.", "file"), completion: .file())
    var store: String?

    var typed: [PolicyKey: SettingValue?] { [.store: store.map(SettingValue.text)] }

    /// The store to read; nil to read inputs.
    ///
    /// Inputs beat a store that only the settings name. Input that waits in a pipe must not be ignored silently.
    func path(_ settings: Settings, inputs: [String]) throws -> String? {
        guard store != nil || inputs.isEmpty, let path = settings.text(.store) else { return nil }
        if let place = settings.origin(of: .store).place, StandardStreams.hasInput {
            throw ValidationError(
                """
                Standard input is piped in, and \(place) names a store. Name - to read standard input, or \
                --store \(DisplayText(name: path).text) to read the store.
                """)
        }
        try HistoryOptions.refuseNonFile(path)
        return path
    }

    static func refuseNonFile(_ store: String) throws {
        if store.isEmpty || store == "-" { throw ValidationError("--store takes a file, such as history.db.") }
    }
}

struct RetentionOptions: ParsableArguments, SettingOptions {
    @Option(
        help: .value(
            """
            Keep fingerprints for this many days before the newest one, from now on (default: the store's setting, 90 \
            days in a new one). Entries of earlier days are not added.
            """, "days"),
        transform: PolicyKey.retention.read)
    var retention: SettingValue?

    var typed: [PolicyKey: SettingValue?] { [.retention: retention] }
}
