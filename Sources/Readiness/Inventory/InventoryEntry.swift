package import Verifications

package struct InventoryEntry: Hashable, Sendable {
    /// The trigger of a function, as far as an inventory shows it.
    package enum Trigger: Comparable, Sendable {
        /// Something else than a call of the client SDKs: an event, a schedule, a plain HTTPS request.
        case other
        /// HTTPS, and nothing says whether the client SDKs are meant.
        case unknown
        /// A call of the client SDKs, which App Check is about.
        case callable
    }

    package let project: String
    package let region: String
    package let generation: Generation
    /// The name in its true case, as in the source of the functions.
    package let id: String
    package let trigger: Trigger
    /// The Cloud Run service of a generation 2 function.
    private let service: String

    /// An entry; `service` is needed only where it is not ``FunctionIdentity/normalized(_:)`` of the name.
    package init(
        project: String, region: String, generation: Generation, id: String, trigger: Trigger, service: String? = nil
    ) {
        self.project = project
        self.region = region
        self.generation = generation
        self.id = id
        self.trigger = trigger
        self.service = service ?? FunctionIdentity.normalized(id)
    }

    /// The identity in the function's log entries.
    package var identity: FunctionIdentity {
        FunctionIdentity(
            project: project, region: region, name: generation == .first ? id : service, generation: generation)
    }
}

/// An inventory by the identities that logs carry.
struct DeployedFunctions: Sendable {
    private let entries: [FunctionIdentity: InventoryEntry]

    /// If a function has several entries (in joined lists, say), the one that knows more of its trigger is kept.
    init(_ inventory: [InventoryEntry]) {
        entries = Dictionary(
            inventory.map { ($0.identity, $0) },
            uniquingKeysWith: { ($0.trigger, ExactName($1.id)) >= ($1.trigger, ExactName($0.id)) ? $0 : $1 })
    }

    /// The names that people know: generation 2 logs have lost their case.
    var names: [FunctionIdentity: String] { entries.mapValues(\.id) }

    /// Functions that may be callable and have no verification in a tally.
    func silent(in tally: Tally) -> [FunctionIdentity: InventoryEntry] {
        entries.filter { $0.value.trigger != .other && tally.functions[$0.key] == nil }
    }
}

extension Evaluator {
    /// An evaluator of what a run read, which knows functions by the names of an inventory.
    package init(
        tally: Tally, rules: PolicyRules, asOf: Instant?, clock: Instant? = nil, inventory: [InventoryEntry],
        unread: UnreadRecords = UnreadRecords()
    ) {
        // Without a dated verification there is no day to judge.
        self.init(
            tally: tally, rules: rules, asOf: tally.newest == nil ? nil : asOf ?? tally.newest, clock: clock,
            names: DeployedFunctions(inventory).names, unread: unread)
    }
}
