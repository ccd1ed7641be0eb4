internal import Verifications

/// Addresses by their keyed hashes, exact to a limit: of more than that, those with the smallest, in any order.
package struct AddressSet: Hashable, Sendable {
    /// Their number is known up to here; one more is any number above.
    package static let limit = 64

    /// Ascending.
    private var hashes: [UInt16] = []

    var count: Int { hashes.count }

    mutating func insert(_ hash: UInt16) {
        let place = hashes.partitioningIndex { $0 < hash }
        guard place <= AddressSet.limit, place == hashes.count || hashes[place] != hash else { return }
        hashes.insert(hash, at: place)
        if hashes.count > AddressSet.limit + 1 { hashes.removeLast() }
    }

    mutating func merge(_ other: AddressSet) { for hash in other.hashes { insert(hash) } }
}
