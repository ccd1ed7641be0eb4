internal import Foundation
internal import Verifications

/// What two inputs have in common that are the same file, whatever it is called and however it is compressed.
struct InputIdentity: Hashable {
    private let content: UInt64
    private let counts: [Int]
    /// Where nothing is known of the content.
    private let name: String?

    init(of row: InputRow) {
        self.init(of: row, content: row.content)
    }

    /// Of an input without a verification as version 1 of the tables kept it, which knew nothing of its content.
    init(withoutContentOf row: InputRow) {
        self.init(of: row, content: 0)
    }

    private init(of row: InputRow, content: UInt64) {
        self.content = content
        let summary = row.summary
        counts = [
            row.held, summary.records, summary.bytesDecompressed, summary.malformed, summary.oversized,
            summary.unexpected, Int(summary.faults.rawValue),
        ]
        name = content == 0 && row.held == 0 ? InputIdentity.plain(row.name) : nil
    }

    /// A path without steps that lead nowhere.
    private static func plain(_ path: String) -> String {
        let steps = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + steps.joined(separator: "/")
    }
}

/// The inputs that were added so far, as far as the next one may be a copy of one of them.
///
/// Kept in memory from input to input, so that a folder of many thousand files can be given again every night.
struct KnownInputs {
    private struct Contents: Hashable {
        let sum: UInt64
        let held: Int
    }

    private var identities: [InputIdentity: Int] = [:]
    /// The first input that holds just these verifications.
    private var first: [Contents: Int] = [:]
    /// Inputs with something wrong that no other one replaces, with their problems, those with the fewest
    /// verifications first.
    private(set) var unrepaired: [InputRow] = []
    private var isLoaded = false

    mutating func load(_ store: StoreTransaction) throws {
        guard !isLoaded else { return }
        for row in try store.inputs() { add(row) }
        isLoaded = true
    }

    /// Takes note of an input that was added.
    mutating func add(_ row: InputRow) {
        let identity = InputIdentity(of: row)
        if identities[identity] == nil { identities[identity] = row.id }
        let contents = Contents(sum: row.content, held: row.held)
        if row.held > 0, first[contents] == nil { first[contents] = row.id }
        guard row.replacedBy == nil, !row.summary.isSound else { return }
        unrepaired.insert(row, at: unrepaired.firstIndex { row.held < $0.held } ?? unrepaired.endIndex)
    }

    /// Takes note of an input that another one replaces.
    mutating func settle(_ number: Int) {
        unrepaired.removeAll { $0.id == number }
    }

    /// The number of the same file.
    func sameFile(as row: InputRow) -> Int? {
        identities[InputIdentity(of: row)] ?? identities[InputIdentity(withoutContentOf: row)]
    }

    /// The number of the first input that holds the same verifications.
    func copy(of row: InputRow) -> Int? {
        first[Contents(sum: row.content, held: row.held)]
    }

    /// Those of ``unrepaired`` that hold anything by which a copy can be known.
    var awaited: ArraySlice<InputRow> { unrepaired.drop { $0.held == 0 } }

    /// A falsified input of that size.
    func falsified(ofSize size: Int?) -> InputRow? {
        guard let size else { return nil }
        return unrepaired.first { $0.size == size && !$0.summary.isTrustworthy }
    }
}

/// What an input is known by, whatever it is called and however it is compressed: the verifications that it holds.
struct InputContent {
    /// Their keyed hashes, added up: equal for two inputs that hold the same ones.
    private(set) var sum: UInt64 = 0
    /// How many there are, copies included.
    private(set) var held = 0
    /// When the newest one was; nil when none is dated.
    private(set) var newest: Instant?

    /// The hash is the one that stores had from the first version on, so that an input stays known to them.
    mutating func add(_ verification: Verification, _ fingerprint: Fingerprint) {
        sum &+= StoreDigest.mixed(fingerprint.legacy)
        held += 1
        if let instant = verification.instant { newest = max(newest ?? instant, instant) }
    }
}

/// The beginning and the end of a file: distinguishes files without a verification, of which nothing else is
/// known, and there may be thousands.
struct FileSample {
    /// Keyed hash of the two, and of the file's size.
    let hash: UInt64

    private static let length = 1 << 16

    /// - Returns: Nil when the file cannot be read once more.
    init?(of path: String, key: HashKey) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard
            let beginning = try? file.read(upToCount: FileSample.length) ?? Data(), let size = try? file.seekToEnd(),
            (try? file.seek(toOffset: size - min(size, UInt64(FileSample.length)))) != nil,
            let end = try? file.readToEnd() ?? Data()
        else { return nil }
        var hash = StoreDigest.mixed(key.low ^ size)
        for byte in beginning + end { hash = StoreDigest.mixed(hash ^ key.high ^ UInt64(byte)) }
        self.hash = hash
    }
}
