import ArgumentParser
import Glibc
import LogStream
import Reports

/// What to read, and how.
struct ReadingOptions: ParsableArguments {
    @Argument(help: "Files, directories (read to the last file) or - for standard input.")
    var input: [String] = []

    @Flag(help: "Parse every record; any malformed record makes the exit status 65.")
    var strict = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: "How many threads may work at once (default: the number of cores).")
    var jobs: Int?

    @Option(help: "Skip and count longer records; bytes, or with K, M or G.")
    var maxRecordBytes = ByteCount(16 << 20)

    @Option(help: "How many functions to list; the others are pooled as (other).")
    var maxFunctions = 100_000

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
        if maxFunctions < 1 { throw ValidationError("--max-functions must be at least 1.") }
        guard (1..<1 << 32).contains(maxRecordBytes.value) else {
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
        scan.maxRecordBytes = maxRecordBytes.value
        scan.maxFunctions = maxFunctions
        return scan
    }

    /// How many threads may work at once.
    var threads: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// What to read, and whether copies count.
struct InputOptions: ParsableArguments {
    @OptionGroup var reading: ReadingOptions

    @Flag(name: .customLong("no-dedupe"), help: "Count copies of an entry as well.")
    var keepsDuplicates = false

    @Option(help: "What to read next to verifications: all, or none for no callers and no causes.")
    var evidence = EvidenceChoice.all

    @Option(help: "How many requests to keep until everything was read; the oldest are given up.")
    var maxOpen = 1_000_000

    func validate() throws {
        if maxOpen < 1 { throw ValidationError("--max-open must be at least 1.") }
    }

    /// How many requests are kept; 0 for none.
    var openLimit: Int { evidence == .none ? 0 : maxOpen }
}

/// What is read next to verifications: request rows, and the SDK's lines about refused tokens.
enum EvidenceChoice: String, ExpressibleByArgument, CaseIterable {
    case all
    case none
}

/// A number of bytes: `65536`, `64K`, `16M`, `1G`, optionally followed by `iB` or `B`.
struct ByteCount: ExpressibleByArgument {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let shift: Int
        switch argument.dropFirst(digits.count).lowercased() {
        case "", "b": shift = 0
        case "k", "kb", "kib": shift = 10
        case "m", "mb", "mib": shift = 20
        case "g", "gb", "gib": shift = 30
        default: return nil
        }
        guard number <= Int.max >> shift else { return nil }
        value = number << shift
    }

    var defaultValueDescription: String {
        value % (1 << 20) == 0 ? "\(value >> 20)M" : "\(value)"
    }
}
