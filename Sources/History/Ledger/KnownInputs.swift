internal import Verifications

/// What two inputs have in common that are the same file, whatever it is called and however it is compressed.
struct InputIdentity: Hashable {
    private let content: UInt64
    private let held: Int
    private let records: Int
    private let bytes: Int
    private let malformed: Int
    private let oversized: Int
    private let unexpected: Int
    private let faults: InputFaults
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
        held = row.held
        records = row.summary.records
        bytes = row.summary.bytesDecompressed
        malformed = row.summary.malformed
        oversized = row.summary.oversized
        unexpected = row.summary.unexpected
        faults = row.summary.faults
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
    /// Inputs with something wrong that no other one stands for, with their problems, those with the fewest
    /// verifications first.
    private(set) var unrepaired: [InputRow] = []
    private var isLoaded = false

    mutating func load(_ register: Register) throws {
        guard !isLoaded else { return }
        for row in try register.inputs() { add(row) }
        isLoaded = true
    }

    /// Takes note of an input that was added.
    mutating func add(_ row: InputRow) {
        let identity = InputIdentity(of: row)
        if identities[identity] == nil { identities[identity] = row.id }
        let contents = Contents(sum: row.content, held: row.held)
        if row.held > 0, first[contents] == nil { first[contents] = row.id }
        guard row.replacedBy == nil, !row.summary.isSound else { return }
        let place = unrepaired.partitioningIndex { row.held < $0.held }
        unrepaired.insert(row, at: place)
    }

    /// Takes note of an input that another one stands for.
    mutating func settle(_ number: Int) {
        unrepaired.removeAll { $0.id == number }
    }

    /// The number of the same file.
    func twin(of row: InputRow) -> Int? {
        identities[InputIdentity(of: row)] ?? identities[InputIdentity(withoutContentOf: row)]
    }

    /// The number of the first input that holds the same verifications.
    func copy(of row: InputRow) -> Int? {
        first[Contents(sum: row.content, held: row.held)]
    }

    /// Those of ``unrepaired`` that hold anything by which a copy can be known.
    var awaited: ArraySlice<InputRow> {
        unrepaired[unrepaired.partitioningIndex { $0.held > 0 }...]
    }

    /// A falsified input of that size.
    func falsified(ofSize size: Int?) -> InputRow? {
        guard let size else { return nil }
        return unrepaired.first { $0.size == size && !$0.summary.isTrustworthy }
    }
}

extension Array {
    /// The place of the first element for which a condition holds, which holds for all behind it.
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
