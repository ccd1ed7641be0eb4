import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Reports
import Verifications

/// What to read, and how.
struct ReadingOptions: ParsableArguments {
    @Argument(help: "Files, directories (read recursively) or - for standard input.", completion: .file())
    var input: [String] = []

    @Flag(help: "Exit with 65 if any record is malformed.")
    var strict = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp(
            "How many threads may work at once (default: the number of cores).", valueName: "count",
            visibility: .hidden))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Skip and count longer records; bytes, or with K, M or G (default: 16M).", valueName: "size",
            visibility: .hidden))
    var maxRecordBytes: ByteCount?

    @Option(
        help: ArgumentHelp(
            "How many functions to list (default: 100000); the others are pooled as (other).", valueName: "count",
            visibility: .hidden))
    var maxFunctions: Int?

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

    /// How to read records.
    var scan: ScanOptions {
        var scan = ScanOptions()
        scan.isStrict = strict
        if let maxRecordBytes { scan.maxRecordBytes = maxRecordBytes.value }
        if let maxFunctions { scan.maxFunctions = maxFunctions }
        return scan
    }

    mutating func fill(from settings: inout Settings) {
        settings.fill(&strict, .strict)
        settings.fill(&jobs, .jobs) { $0.counts[.jobs] }
        settings.fill(&maxRecordBytes, .maxRecordBytes) { $0.counts[.maxRecordBytes].map { ByteCount($0) } }
        settings.fill(&maxFunctions, .maxFunctions) { $0.counts[.maxFunctions] }
    }

    /// How many threads may work at once.
    var threads: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// Whether duplicates count, and what else is kept of the inputs.
struct InputOptions: ParsableArguments {
    @Flag(name: .customLong("no-dedupe"), help: ArgumentHelp("Count copies of an entry as well.", visibility: .hidden))
    var keepsDuplicates = false

    @Option(
        help: ArgumentHelp(
            "What to read next to verifications: all, or none for no callers and no causes.", valueName: "what",
            visibility: .hidden))
    var evidence = EvidenceChoice.all

    @Option(
        help: ArgumentHelp(
            "How many requests to keep until everything was read; the oldest are given up.", valueName: "n",
            visibility: .hidden))
    var maxOpen = 1_000_000

    @OptionGroup var fingerprints: FingerprintOptions

    func validate() throws {
        if maxOpen < 1 { throw ValidationError("--max-open must be at least 1.") }
    }

    /// How many requests are kept; 0 for none.
    var openLimit: Int { evidence == .none ? 0 : maxOpen }
}

/// How snapshots are written and read.
struct FingerprintOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of fingerprints in snapshots, any text: the same wherever they are made and read.",
            valueName: "text", visibility: .hidden))
    var fingerprintKey: String?

    func validate() throws {
        if fingerprintKey == "" { throw ValidationError("--fingerprint-key must not be empty.") }
    }

    /// The key made from the text; nil for the usual one.
    var key: HashKey? { fingerprintKey.map { HashKey(phrase: $0) } }
}

/// What is read besides verifications: request rows, and the SDK's lines about refused tokens.
enum EvidenceChoice: String, ExpressibleByArgument, CaseIterable {
    case all
    case none
}

extension ByteCount: ExpressibleByArgument {
    init?(argument: String) {
        self.init(argument)
    }

    var defaultValueDescription: String {
        value % (1 << 20) == 0 ? "\(value >> 20)M" : "\(value)"
    }
}
