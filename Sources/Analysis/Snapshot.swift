internal import Entries
internal import LogStream
internal import Readiness
internal import Verifications

/// What runs have read, and what stores have sealed; merging is a union.
///
/// ```
/// magic, format, options, number of sections
/// sections: name, head, parts by day
/// the first day that is not sealed, sums of those that are
/// checksum of all before it
/// ```
struct Snapshot {
    /// What files and sections must have in common to be counted together.
    struct Options: Equatable {
        /// ``HashKey/check`` of the key of fingerprints.
        var key: UInt64
        var isStrict: Bool
        var maxRecordBytes: Int

        init(_ scan: ScanOptions) {
            key = scan.fingerprintKey.check
            isStrict = scan.isStrict
            maxRecordBytes = scan.maxRecordBytes
        }
    }

    struct Section: Sendable {
        let name: String
        var source: PackedSource

        /// An order that depends on nothing but what is written.
        static func precedes(_ left: Section, _ right: Section) -> Bool {
            let (sum, other) = (left.source.head.checkSum, right.source.head.checkSum)
            if sum != other { return sum < other }
            return left.source.head == right.source.head
                ? ExactName(left.name) < ExactName(right.name)
                : left.source.head.lexicographicallyPrecedes(right.source.head)
        }

        /// Adds the days that another file has of the same source; of one day that both have the same stays.
        mutating func merge(_ other: Section) {
            var parts = Dictionary(uniqueKeysWithValues: source.parts.map { ($0.day, $0) })
            for part in other.source.parts {
                guard let known = parts[part.day], known.bytes != part.bytes else {
                    parts[part.day] = part
                    continue
                }
                if known.bytes.lexicographicallyPrecedes(part.bytes) { parts[part.day] = part }
            }
            source.parts = parts.values.sorted { $0.day < $1.day }
        }
    }

    /// A byte that is not ASCII, a name, and line ends that transports of text change.
    static let magic = [0x89] + Array("CCS\r\n\u{1A}\n".utf8)
    static let version = 10

    private(set) var options: Options
    private(set) var sections: [Section] = []
    private(set) var sealed = SealedDays()

    init(_ options: Options, sections: [Section] = [], sealed: SealedDays = SealedDays()) {
        self.options = options
        self.sealed = sealed
        add(sections)
    }

    /// Reads a whole file, which may be anything, for a run with these options.
    ///
    /// - Throws: Why it is refused; what sections say has not been looked at.
    init(_ bytes: [UInt8], for options: Options) throws(SnapshotFault) {
        let content = bytes.dropLast(8)
        var decoder = ByteDecoder(content.dropFirst(Snapshot.magic.count))
        var end = ByteDecoder(bytes.suffix(8))
        self.options = options
        guard let version = try? decoder.number(0, in: 0...Int.max) else { throw .damaged }
        guard version == Snapshot.version else { throw .version(version) }
        guard let sum = try? end.word(0), sum == content.checkSum else { throw .damaged }
        do {
            try code(&decoder)
            try decoder.end()
        } catch { throw .damaged }
        guard self.options.key == options.key else { throw .otherKey }
        guard self.options == options else { throw .otherOptions }
        add([])
    }

    /// The file.
    var bytes: [UInt8] {
        var (encoder, snapshot) = (ByteEncoder(after: Snapshot.magic), self)
        encoder.number(Snapshot.version, in: 0...Int.max)
        snapshot.code(&encoder)
        encoder.word(encoder.written[...].checkSum)
        return encoder.written
    }

    private mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        options.key = try coder.word(options.key)
        options.isStrict = try coder.flag(options.isStrict)
        options.maxRecordBytes = try coder.number(options.maxRecordBytes, in: 0...Int(UInt32.max))
        var read: [Section] = []
        let blank = Section(name: "", source: PackedSource(head: [], parts: []))
        for section in try coder.elements(sections, or: blank) {
            let (name, head) = (try coder.text(section.name), try coder.bytes(section.source.head))
            let parts = try coder.days(section.source.parts.map { ($0.day, $0.bytes) })
            let source = PackedSource(head: head, parts: parts.map { PackedSource.Part(day: $0, bytes: $1) })
            read.append(Section(name: name, source: source))
        }
        sections = read
        let end = try coder.number(sealed.end?.number ?? 0, in: 0...DayIndex.none.number - 1)
        let days = try coder.days(sealed.sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value.bytes[...]) })
        guard C.isReading else { return }
        if end > 0 { sealed.end = DayIndex(number: end) }
        for (day, bytes) in days {
            let sums = try? DaySums(bytes, of: day, versions: nil)
            try coder.require(day.number < end)
            sealed.sums[day] = try coder.require(sums, or: DaySums())
        }
    }

    /// Adds the sections of another snapshot: a source that both have counts once.
    mutating func merge(_ other: Snapshot) {
        add(other.sections)
        sealed.merge(other.sealed)
    }

    private mutating func add(_ more: [Section]) {
        var union: [Section] = []
        for section in (sections + more).sorted(by: Section.precedes) {
            if let last = union.indices.last, union[last].source.head == section.source.head {
                union[last].merge(section)
            } else {
                union.append(section)
            }
        }
        sections = union
    }
}

extension Coder {
    /// Days in ascending order, each once.
    fileprivate mutating func days(
        _ known: [(DayIndex, ArraySlice<UInt8>)]
    ) throws(Failure) -> [(DayIndex, ArraySlice<UInt8>)] {
        var days: [(DayIndex, ArraySlice<UInt8>)] = []
        for (day, bytes) in try elements(known, or: (.none, [])) {
            let day = DayIndex(number: try number(day.number, in: DayIndex.numbers))
            try require(days.last.map { $0.0 < day } ?? true)
            days.append((day, try self.bytes(bytes)))
        }
        return days
    }
}

/// Snapshots as bytes: for fuzzing only.
@_spi(Stages) public enum SnapshotStages {
    /// What every snapshot begins with.
    public static var magic: [UInt8] { Snapshot.magic }

    /// The bytes with a correct checksum, so that every other mistake in them is met.
    public static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var encoder = ByteEncoder(after: Array(bytes.dropLast(8)))
        encoder.word(encoder.written[...].checkSum)
        return encoder.written
    }
}

/// Why bytes are not a snapshot that can be read.
enum SnapshotFault: Error {
    case unreadable
    case version(Int)
    case damaged
    case otherKey
    case otherOptions

    /// What is wrong, and what to do about it.
    var wording: String {
        switch self {
        case .unreadable:
            "the snapshot cannot be read or unpacked; name a whole copy of it"
        case .damaged:
            "the snapshot is damaged; nothing of it is counted. Copy it again, or make it anew from the logs"
        case .version(let version):
            "a snapshot of format \(version), and this callcheck reads format \(Snapshot.version). Make it anew from the "
                + "logs, or use the same release everywhere"
        case .otherKey:
            "the snapshot was made with another fingerprint-key. Give the same key to every run"
        case .otherOptions:
            "the snapshot was made with another --strict or max-record-bytes. Give the same to every run"
        }
    }
}
