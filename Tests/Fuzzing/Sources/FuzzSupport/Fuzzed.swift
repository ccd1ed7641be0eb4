public import LogStream
internal import Platform
public import Verifications

/// What a scan of fuzzed bytes found, for comparison with another scan of the same content.
public struct Fuzzed: Equatable {
    /// One verification, without the scanner's indices.
    public struct Found: Hashable {
        let app: TokenStatus
        let auth: TokenStatus
        let function: FunctionIdentity?
        let instant: Instant?
        let fingerprint: UInt64?
    }

    public var found: [Found] = []
    /// The names of the functions, one for each verification.
    public var names: [String] { found.compactMap(\.function?.name) }
    public var summary = InputSummary()

    private static let file = ScratchFile()
    private static let key = HashKey(low: 1, high: 2)

    /// Scans bytes as a named file.
    public init(
        _ bytes: [UInt8], chunkBytes: Int = 4096, isPipelined: Bool = false, isStrict: Bool = false,
        readsEvidence: Bool = false
    ) {
        var options = ScanOptions()
        options.chunkBytes = chunkBytes
        options.isStrict = isStrict
        options.readsEvidence = readsEvidence
        options.maxRecordBytes = 64 << 10
        options.maxFunctions = 50
        options.fingerprintKey = Fuzzed.key
        Fuzzed.file.replace(with: bytes)
        var scanner = RecordReader(options: options, sink: Sink())
        summary = scanner.scan(.file(Fuzzed.file.path), isPipelined: isPipelined, progress: ReadProgress()).summary
        summary.ignored += scanner.sink.foreign
        let functions = scanner.functions
        found = scanner.sink.verifications.map { verification in
            Found(
                app: verification.app, auth: verification.auth,
                function: functions[Int(verification.function)]?.identity, instant: verification.instant,
                fingerprint: verification.fingerprint?.value)
        }
    }

    /// Bytes as a named file, until the next ones come.
    public static func input(_ bytes: [UInt8]) -> LogInput {
        file.replace(with: bytes)
        return .file(file.path)
    }

    /// True when each record is in one class only.
    public var addsUp: Bool {
        let classed = found.count + summary.ignored + summary.malformed + summary.oversized
        return classed <= summary.records
    }

    private struct Sink: RecordSink {
        var verifications: [Verification] = []
        var foreign = 0

        mutating func count(_ verification: Verification) {
            verifications.append(verification)
        }

        mutating func endSource(_ hour: Instant?) -> Instant? { nil }
        mutating func register(_ function: FunctionIdentity, as index: Int32) {}
        mutating func discardForeign(_ provenance: Provenance, function: Int32, blocked: TokenStatus?) { foreign += 1 }
        mutating func addErrorStream(project: Int32, at instant: Instant?) {}
    }
}

/// Stops the fuzzer, which keeps the input that led here.
public func require(_ condition: Bool, _ claim: StaticString) {
    if !condition { fatalError("\(claim)") }
}

/// A file in memory that is written anew for each input.
private final class ScratchFile: Sendable {
    private let descriptor: Int32
    let path: String

    init() {
        let name = "/dev/shm/callcheck-fuzzing-\(getpid())"
        descriptor = unsafe open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
        unsafe unlink(name)
        path = "/proc/self/fd/\(descriptor)"
        require(descriptor >= 0, "no file in memory")
    }

    func replace(with bytes: [UInt8]) {
        // Safe: pwrite reads as many bytes as there are.
        let isWritten = unsafe ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        require(isWritten, "the file in memory cannot be written")
    }
}
