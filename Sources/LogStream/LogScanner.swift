public import Verifications

/// Scans sources one after another and reports to a sink what it finds.
///
/// One scanner serves one thread; several work side by side, each with its own sink. Function and project indices are
/// those of the scanner, for all its sources.
public struct LogScanner<Sink: RecordSink> {
    private var reader: RecordReader<Sink>
    private let options: ScanOptions

    public init(options: ScanOptions, sink: Sink) {
        self.options = options
        reader = RecordReader(options: options, sink: sink)
    }

    /// What the sink has received.
    public var sink: Sink { reader.sink }

    /// The functions by index; nil where an index stands for none.
    public var functions: [ScannedFunction?] {
        (0..<Int32(reader.functions.count)).map { index in
            guard index != NameTable.pooled else {
                return ScannedFunction(identity: .pooled, label: nil, rank: 0, hash: 0)
            }
            return reader.functions.identity(at: index).map { identity in
                let label = Int(index) < reader.labels.count ? reader.labels[Int(index)] : nil
                return ScannedFunction(
                    identity: identity, label: label, rank: reader.functions.rank(at: index),
                    hash: reader.functions.hash(at: index))
            }
        }
    }

    /// The app versions that rows name.
    package var clientVersions: ClientVersions { reader.clientVersions }

    /// The projects by index; nil where an index stands for none.
    package var projects: [ScannedProject?] {
        (0..<Int32(reader.projects.count)).map { index in
            guard index != NameTable.pooled else { return ScannedProject(name: FunctionIdentity.unknown, rank: 0) }
            return reader.projects.name(at: index).map { ScannedProject(name: $0.project, rank: $0.rank) }
        }
    }

    /// Reads one source to its end.
    ///
    /// - Parameters:
    ///   - input: The source.
    ///   - isPipelined: True to decompress on a thread of its own.
    ///   - progress: Counts the bytes that are read.
    /// - Returns: What was read, without the counts that the sink keeps.
    public mutating func scan(_ input: LogInput, isPipelined: Bool, progress: ReadProgress) -> InputSummary {
        SourceScanner(options: options).scan(input, isPipelined: isPipelined, progress: progress, into: &reader)
        reader.endCounts()
        reader.sink.endSource()
        return reader.summary
    }

    /// Reads objects of a source that has not ended.
    ///
    /// - Parameters:
    ///   - objects: Whole ones, as ``RecordSplitter`` hands them out.
    ///   - source: The source's name.
    /// - Returns: What was read, without the counts that the sink keeps.
    package mutating func scan(_ objects: [UInt8], of source: String) -> InputSummary {
        reader.begin(source)
        reader.begin(.values, isPubSub: false)
        var bytes = ByteCollector()
        // Safe: the collector copies the bytes.
        unsafe objects.withUnsafeBufferPointer { unsafe bytes.append($0) }
        var framer = ValueFramer(limit: options.maxRecordBytes)
        unsafe framer.consume(bytes.bytes, &reader)
        framer.finish(isDamaged: false, &reader)
        reader.sink.endSource()
        return reader.summary
    }
}

extension RecordSink {
    public mutating func note(_ row: RequestRow) {}
    public mutating func note(_ line: SDKLine) {}
    public mutating func count(_ row: CountedRow) {}
    public mutating func endCounts(isSound: Bool) {}
}

/// A function as a scanner knows it.
public struct ScannedFunction: Sendable {
    public let identity: FunctionIdentity
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package let label: ExactName?
    /// Unkeyed hash of the identity: when there are too many functions, those with the smallest ranks stay.
    package let rank: UInt64
    /// Keyed hash of the identity, as ``RequestRow/service`` has it.
    package let hash: UInt64
}

extension ScannedFunction {
    /// A function that another run has read of, as a scanner with this key would know it.
    package init(_ identity: FunctionIdentity, label: ExactName?, key: HashKey) {
        let (rank, hash) = NameKey.of(
            identity.project, region: identity.region, name: identity.name, tag: identity.generation?.rawValue ?? 0
        ) { name in
            (NameTable.hash(name, .fixed), NameTable.hash(name, key))
        }
        self.init(identity: identity, label: label, rank: rank, hash: hash)
    }
}

/// A project as a scanner knows it.
package struct ScannedProject: Sendable {
    /// ``FunctionIdentity/unknown`` for entries that name none, and for all projects beyond the limit.
    package let name: String
    /// Unkeyed hash of the name: when there are too many projects, those with the smallest ranks stay.
    package let rank: UInt64
}

extension ScannedProject {
    /// A project that another run has read of.
    package init(_ name: String) {
        self.init(name: name, rank: NameKey.of(name) { NameTable.hash($0, .fixed) })
    }
}

/// The options of a scan.
public struct ScanOptions: Sendable {
    /// Longer records are passed over and counted, in bytes; at most 4 GiB − 1, and more means that.
    public var maxRecordBytes = 16 << 20 {
        didSet { maxRecordBytes = min(maxRecordBytes, Int(UInt32.max)) }
    }
    /// How many functions, and how many projects, keep a name; at most a billion, and more means that.
    public var maxFunctions = 100_000 {
        didSet { maxFunctions = min(maxFunctions, 1_000_000_000) }
    }
    /// True to parse every record, not only those that show a hint of the marker.
    public var isStrict = false
    /// False to pass over everything but verifications.
    public var readsEvidence = false
    /// Makes fingerprints comparable between scanners that share it.
    public var fingerprintKey = HashKey.random()
    /// True when fingerprints outlive the run; within one, an execution is enough to know an entry by.
    package var keepsFingerprints = false
    /// Size of the pieces in which plain bytes are handled; tests make it small.
    public var chunkBytes = 256 << 10

    public init() {}
}

/// Receives what a scanner finds, record by record.
public protocol RecordSink {
    /// What came was all of the source.
    mutating func endSource()
    /// A function that an index stands for from now on.
    mutating func register(_ function: FunctionIdentity, as index: Int32)
    /// One verification that is neither malformed nor the emulator's; copies, provenance and time ranges are the sink's
    /// affair.
    mutating func count(_ verification: Verification)
    /// An entry that carries the SDK's label and not the SDK's message, or a message that contradicts its statuses.
    mutating func discardForeign(_ provenance: Provenance, function: Int32)
    /// An entry of generation 2's standard-error log, verification or not.
    mutating func noteErrorStream(project: Int32, at instant: Instant?)
    /// One row of a source that holds counts; all rows of the source come before ``endCounts(isSound:)``.
    mutating func count(_ row: CountedRow)
    /// The source has no more rows; where they do not hold, none of them counts.
    mutating func endCounts(isSound: Bool)
    /// A row of a request log; asked for with ``ScanOptions/readsEvidence``.
    mutating func note(_ row: RequestRow)
    /// What the SDK wrote next to a verification; asked for with ``ScanOptions/readsEvidence``.
    mutating func note(_ line: SDKLine)
    /// The function's index will stand for another one: what was counted under it belongs to index 0, which pools all
    /// functions beyond the limit.
    mutating func retire(function: Int32)
    /// As ``retire(function:)``, for a project.
    mutating func retire(project: Int32)
}
