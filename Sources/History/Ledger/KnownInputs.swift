internal import Verifications

/// The inputs that were added so far, as far as the next one may be a copy of one of them.
///
/// Kept in memory from input to input, so that a folder of many thousand files can be given again every night.
struct KnownInputs {
    /// What two copies of a file have in common, whatever they are called and however they are compressed.
    private struct Contents: Hashable {
        let sum: UInt64
        let count: Int
        /// Of files without a verification, of which there may be thousands: those have nothing else in common.
        let name: String?

        init(of row: InputRow) {
            sum = row.content
            count = row.held
            name = row.held == 0 ? row.name : nil
        }
    }

    private var numbers: [Contents: [Int]] = [:]
    /// Inputs with something wrong that no other one stands for, with their problems.
    private(set) var unrepaired: [InputRow] = []
    private var isLoaded = false

    mutating func load(_ register: Register) throws {
        guard !isLoaded else { return }
        for row in try register.inputs() { add(row) }
        isLoaded = true
    }

    /// Takes note of an input that was added.
    mutating func add(_ row: InputRow) {
        numbers[Contents(of: row), default: []].append(row.id)
        if row.replacedBy == nil, !row.summary.isSound { unrepaired.append(row) }
    }

    /// Takes note of an input that another one stands for.
    mutating func settle(_ number: Int) {
        unrepaired.removeAll { $0.id == number }
    }

    /// The numbers of the inputs that hold the same verifications.
    func copies(of row: InputRow) -> [Int] {
        numbers[Contents(of: row)] ?? []
    }

    /// A falsified input of that size.
    func falsified(ofSize size: Int?) -> InputRow? {
        guard let size else { return nil }
        return unrepaired.first { $0.size == size && !$0.summary.isTrustworthy }
    }
}
