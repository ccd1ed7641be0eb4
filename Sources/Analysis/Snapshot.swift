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
/// check sum of all before it
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
    static let version = 8

    let options: Options
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
        guard bytes.starts(with: Snapshot.magic) else { throw .notSnapshot }
        guard bytes.count >= Snapshot.magic.count + 8 else { throw .damaged }
        let content = bytes[..<(bytes.count - 8)]
        var reader = PackedReader(content.dropFirst(Snapshot.magic.count))
        var end = PackedReader(bytes[(bytes.count - 8)...])
        self.options = options
        do {
            let version = try reader.readNumber()
            guard version == Snapshot.version else { throw SnapshotFault.version(version) }
            guard try end.readWord() == content.checkSum else { throw SnapshotFault.damaged }
            var written = options
            (written.key, written.isStrict) = (try reader.readWord(), try reader.readNumber(1) == 1)
            written.maxRecordBytes = try reader.readNumber(Int(UInt32.max))
            guard written.key == options.key else { throw SnapshotFault.otherKey }
            guard written == options else { throw SnapshotFault.otherOptions }
            var sections: [Section] = []
            for _ in 0..<(try reader.readCount(bytesEach: 4)) {
                let name = try reader.readText(SourceLimits.text)
                let head = try reader.readBytes(reader.readNumber())
                let parts = try reader.readDays().map { PackedSource.Part(day: $0, bytes: $1) }
                sections.append(Section(name: name, source: PackedSource(head: head, parts: parts)))
            }
            let end = try reader.readNumber(StoredDay.none.number)
            if end > 0 { sealed.end = StoredDay(number: end) }
            for (day, sums) in try reader.readDays() {
                guard let end = sealed.end, day < end else { throw SnapshotFault.damaged }
                sealed.sums[day] = try DaySums(sums, of: day, versions: nil)
            }
            guard reader.rest == 0 else { throw SnapshotFault.damaged }
            add(sections)
        } catch let fault as SnapshotFault {
            throw fault
        } catch {
            throw .damaged
        }
    }

    /// The file.
    var bytes: [UInt8] {
        var out = PackedWriter()
        out.append(Snapshot.magic)
        out.write(Snapshot.version)
        out.write(word: options.key)
        out.write(options.isStrict ? 1 : 0)
        out.write(options.maxRecordBytes)
        out.write(sections.count)
        for section in sections {
            out.write(section.name, upTo: SourceLimits.text)
            out.write(section.source.head.count)
            out.append(section.source.head)
            out.write(section.source.parts.map { ($0.day, $0.bytes) })
        }
        out.write(sealed.end?.number ?? 0)
        out.write(sealed.sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value.bytes[...]) })
        out.write(word: out.bytes[...].checkSum)
        return out.bytes
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

extension PackedWriter {
    fileprivate mutating func write(_ days: [(StoredDay, ArraySlice<UInt8>)]) {
        write(days.count)
        for (day, bytes) in days {
            write(day.number)
            write(bytes.count)
            append(bytes)
        }
    }
}

extension PackedReader {
    /// Days in ascending order, each once.
    fileprivate mutating func readDays() throws(PackedFault) -> [(StoredDay, ArraySlice<UInt8>)] {
        var days: [(StoredDay, ArraySlice<UInt8>)] = []
        for _ in 0..<(try readCount(bytesEach: 2)) {
            let day = StoredDay(number: try readNumber(StoredDay.none.number))
            guard days.last.map({ $0.0 < day }) ?? true else { throw PackedFault() }
            days.append((day, try readBytes(readNumber())))
        }
        return days
    }
}

/// Snapshots as bytes: for fuzzing only.
@_spi(Stages) public enum SnapshotStages {
    /// What every snapshot begins with.
    public static var magic: [UInt8] { Snapshot.magic }

    /// The bytes with their check sum put right, so that whatever else is wrong with them is met.
    public static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var out = PackedWriter()
        out.append(bytes.dropLast(8))
        out.write(word: out.bytes[...].checkSum)
        return out.bytes
    }
}

/// Why bytes are not a snapshot that can be read.
enum SnapshotFault: Error {
    case notSnapshot
    case version(Int)
    case damaged
    case otherKey
    case otherOptions

    /// What is wrong, and what to do about it.
    var wording: String {
        switch self {
        case .notSnapshot, .damaged:
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
