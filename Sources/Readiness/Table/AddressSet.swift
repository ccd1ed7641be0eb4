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

extension CellTable {
    /// The number of addresses that blocked requests of some days and kinds of clients came from, at most one more than
    /// ``AddressSet/limit``; nil where no row shows one.
    func blockedAddresses(
        in days: ClosedRange<Day>, _ admission: Admission, where isSelected: (ClientKind) -> Bool
    ) -> Int? {
        guard hasAddresses else { return nil }
        return addresses.reduce(into: AddressSet()) { sum, found in
            let blocked = found.key
            guard days.contains(blocked.day), blocked.isSignedIn || admission == .notRefused,
                isSelected(clients[Int(blocked.client) - 1].kind)
            else { return }
            sum.merge(found.value)
        }.count
    }
}
