import Verifications

/// An inventory by the identities that logs carry.
struct DeployedFunctions: Sendable {
    private let entries: [FunctionIdentity: InventoryEntry]

    /// Of several entries for one function (two lists joined, say) the one that says more of its trigger is kept.
    init(_ inventory: [InventoryEntry]) {
        entries = Dictionary(
            inventory.map { ($0.identity, $0) },
            uniquingKeysWith: { ($0.trigger, ExactName($1.id)) >= ($1.trigger, ExactName($0.id)) ? $0 : $1 })
    }

    /// The names that people know: generation 2 logs have lost their case.
    var names: [FunctionIdentity: String] {
        entries.mapValues(\.id)
    }

    /// Functions that may be callable and have no verification in a tally.
    func silent(in tally: Tally) -> [FunctionIdentity: InventoryEntry] {
        entries.filter { $0.value.trigger != .other && tally.functions[$0.key] == nil }
    }
}
