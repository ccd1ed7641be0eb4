internal import LogStream
internal import Readiness
internal import Verifications

/// What runs have counted, a section for each source; merging is a union of sections.
///
/// ```
/// magic, format, options, number of sections
/// sections: hash and size of the source, name, length, bytes
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

        init(key: UInt64, isStrict: Bool, maxRecordBytes: Int) {
            self.key = key
            self.isStrict = isStrict
            self.maxRecordBytes = maxRecordBytes
        }
    }

    /// Which source it is: by its bytes, as stored, not by its name.
    struct Identity: Hashable, Comparable {
        let hash: UInt64
        let size: Int

        static func < (left: Identity, right: Identity) -> Bool { (left.hash, left.size) < (right.hash, right.size) }
    }

    struct Section: Hashable {
        let identity: Identity
        let name: String
        let bytes: ArraySlice<UInt8>

        /// An order of the sections of one source, those that say most first; it depends on nothing but what is
        /// written.
        static func precedes(_ left: Section, _ right: Section) -> Bool {
            if left.identity != right.identity { return left.identity < right.identity }
            if left.bytes.count != right.bytes.count { return left.bytes.count > right.bytes.count }
            if left.name != right.name { return ExactName(left.name) < ExactName(right.name) }
            return left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }

    /// A byte that is not ASCII, a name, and line ends that transports of text change.
    static let magic = [0x89] + Array("CCS\r\n\u{1A}\n".utf8)
    static let version = 1
    private static let nameLimit = 4096

    let options: Options
    private(set) var sections: [Section] = []

    init(_ options: Options, sections: [Section] = []) {
        self.options = options
        self.sections = sections.sorted(by: Section.precedes)
    }

    /// Reads a file, which may be anything.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - options: Those of the run.
    /// - Throws: Why it is refused; what sections say has not been looked at.
    init(_ bytes: [UInt8], for options: Options) throws(SnapshotFault) {
        guard bytes.starts(with: Snapshot.magic) else { throw .notSnapshot }
        guard bytes.count >= Snapshot.magic.count + 8 else { throw .damaged }
        let content = bytes[..<(bytes.count - 8)]
        var reader = SnapshotReader(content.dropFirst(Snapshot.magic.count))
        let version = try reader.readNumber()
        guard version == Snapshot.version else { throw .version(version) }
        var end = SnapshotReader(bytes[(bytes.count - 8)...])
        guard try end.readWord() == Snapshot.checkSum(of: content) else { throw .damaged }
        self.options = Options(
            key: try reader.readWord(), isStrict: try reader.readNumber(1) == 1,
            maxRecordBytes: try reader.readNumber(Int(UInt32.max)))
        guard self.options.key == options.key else { throw .otherKey }
        guard self.options == options else { throw .otherOptions }
        for _ in 0..<(try reader.readCount(bytesEach: 11)) {
            let identity = Identity(hash: try reader.readWord(), size: try reader.readNumber())
            let name = try reader.readText(Snapshot.nameLimit)
            let section = try reader.readBytes(reader.readNumber())
            sections.append(Section(identity: identity, name: name, bytes: section))
        }
        guard reader.rest == 0 else { throw .damaged }
        sections.sort(by: Section.precedes)
    }

    /// The file.
    var bytes: [UInt8] {
        var out = SnapshotWriter()
        out.append(Snapshot.magic)
        out.write(Snapshot.version)
        out.write(word: options.key)
        out.write(options.isStrict ? 1 : 0)
        out.write(options.maxRecordBytes)
        out.write(sections.count)
        for section in sections {
            out.write(word: section.identity.hash)
            out.write(section.identity.size)
            out.write(section.name)
            out.write(section.bytes.count)
            out.append(section.bytes)
        }
        out.write(word: Snapshot.checkSum(of: out.bytes[...]))
        return out.bytes
    }

    /// Adds the sections of another snapshot: a source that both have counts once.
    ///
    /// A run that reads the same bytes twice has two sections of them; of the sections of one source as many stay as
    /// the snapshot has that has most. So merging is associative, commutative and idempotent.
    mutating func merge(_ other: Snapshot) {
        let mine = Dictionary(grouping: sections, by: \.identity)
        let theirs = Dictionary(grouping: other.sections, by: \.identity)
        sections = Set(mine.keys).union(theirs.keys).flatMap { identity in
            let (mine, theirs) = (mine[identity, default: []], theirs[identity, default: []])
            return Snapshot.union(mine, theirs).prefix(max(mine.count, theirs.count))
        }
        sections.sort(by: Section.precedes)
    }

    /// Each section as often as the one has it that has it more often, in order.
    private static func union(_ first: [Section], _ second: [Section]) -> [Section] {
        var counts: [Section: Int] = [:]
        for section in first { counts[section, default: 0] += 1 }
        var more: [Section: Int] = [:]
        for section in second { more[section, default: 0] += 1 }
        counts.merge(more, uniquingKeysWith: max)
        return counts.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted(by: Section.precedes)
    }

    fileprivate static func checkSum(of bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = ContentHash()
        hash.add(bytes)
        return hash.value
    }
}

/// Snapshots as bytes: for fuzzing only.
@_spi(Stages) public enum SnapshotStages {
    /// What every snapshot begins with.
    public static var magic: [UInt8] { Snapshot.magic }

    /// The bytes with their check sum put right, so that whatever else is wrong with them is met.
    public static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var out = SnapshotWriter()
        out.append(bytes.dropLast(8))
        out.write(word: Snapshot.checkSum(of: out.bytes[...]))
        return out.bytes
    }
}
