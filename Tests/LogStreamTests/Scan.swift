import Foundation
import TestSupport
import Verifications

@testable import LogStream

/// What a scan found, with names in the place of indices.
struct Scan: Equatable {
    /// One verification.
    struct Found: Hashable {
        var identity: FunctionIdentity
        var app: TokenStatus
        var auth: TokenStatus
        var severity: PassSeverity
        var provenance = Provenance.labelled
        var instant: Instant?
        /// Nil for an entry that is known by its bytes.
        var fingerprint: UInt64?
    }

    struct ErrorStream: Hashable {
        var project: String
        var instant: Instant?
    }

    var found: [Found] = []
    /// Entries with the label that say something else than the SDK does.
    var foreign = 0
    /// The execution of each verification.
    var executions: [UInt64?] = []
    var errorStreams: [ErrorStream] = []
    var labels: [FunctionIdentity: ExactName] = [:]
    var summary = InputSummary()
    var services = ServiceCounts()

    /// The key under which tests make fingerprints.
    static let key = HashKey(low: 1, high: 2)

    /// Scans a file.
    static func file(_ input: LogInput, options: ScanOptions = ScanOptions(), isPipelined: Bool = false) -> Scan {
        var options = options
        options.fingerprintKey = key
        var scanner = RecordReader(options: options, sink: RecordingSink())
        let summary = scanner.scan(input, isPipelined: isPipelined, progress: ReadProgress()).summary
        return Scan(
            summary, sink: scanner.sink, functions: scanner.functions,
            projects: scanner.projects)
    }

    init(_ summary: InputSummary, sink: RecordingSink, functions: [ScannedFunction?], projects: [String]) {
        self.summary = summary
        found = sink.verifications.compactMap { one in
            functions[Int(one.function)].map {
                Found(
                    identity: $0.identity, app: one.app, auth: one.auth, severity: one.severity,
                    provenance: one.provenance, instant: one.instant,
                    fingerprint: one.fingerprint.flatMap { $0.isOfRecord ? nil : $0.value })
            }
        }
        foreign = sink.foreign.count
        services = sink.services
        executions = sink.verifications.map(\.execution)
        errorStreams = sink.errorStreams.map { ErrorStream(project: projects[Int($0.project)], instant: $0.instant) }
        for function in functions { if let function { labels[function.identity] = function.label } }
    }

    /// Scans bytes, through a file in memory that problems call `log`.
    static func bytes(
        _ bytes: [UInt8], options: ScanOptions = ScanOptions(), isPipelined: Bool = false
    ) throws -> Scan {
        let file = try MemoryFile(bytes)
        return withExtendedLifetime(file) {
            var scan = Scan.file(.file(file.path), options: options, isPipelined: isPipelined)
            scan.summary.problems = scan.summary.problems.renamed("log")
            return scan
        }
    }

    /// Scans text.
    static func text(_ text: String, options: ScanOptions = ScanOptions()) throws -> Scan {
        try bytes(Array(text.utf8), options: options)
    }

    /// The kinds of the problems, in their order.
    var kinds: [Problem.Kind] { summary.problems.entries.map(\.kind) }

    /// All that does not depend on how the bytes were compressed.
    var content: Scan {
        var content = self
        content.summary.bytesRead = 0
        content.summary.problems = content.summary.problems.renamed("log")
        return content
    }
}

extension ProblemLog {
    /// The same problems under another name: temporary files have a new one each time.
    fileprivate func renamed(_ source: String) -> ProblemLog {
        var log = ProblemLog()
        for problem in entries where problem.kind != .more {
            log.append(
                Problem(
                    source: source, kind: problem.kind, byteOffset: problem.byteOffset, record: problem.record,
                    detail: problem.detail))
        }
        log.drop(dropped)
        return log
    }
}

/// Keeps what a scanner tells.
struct RecordingSink: RecordSink {
    var verifications: [Verification] = []
    var errorStreams: [(project: Int32, instant: Instant?)] = []
    var rows: [RequestRow] = []
    var lines: [SDKLine] = []
    var foreign: [Int32] = []
    var services = ServiceCounts()

    mutating func endSource(_ hour: Instant?) -> Instant? { nil }
    mutating func register(_ function: FunctionIdentity, as index: Int32) {}
    mutating func discardForeign(_ provenance: Provenance, function: Int32, blocked: TokenStatus?) {
        foreign.append(function)
    }

    mutating func count(_ verification: Verification) {
        verifications.append(verification)
    }

    mutating func addErrorStream(project: Int32, at instant: Instant?) {
        errorStreams.append((project, instant))
    }

    mutating func add(_ row: RequestRow) { rows.append(row) }

    mutating func add(_ line: SDKLine) { lines.append(line) }

    mutating func add(_ services: ServiceCounts) { self.services.merge(services) }
}
