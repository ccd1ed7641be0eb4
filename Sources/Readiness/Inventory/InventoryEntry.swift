public import Verifications

/// A function that is deployed, whether or not anybody calls it.
public struct InventoryEntry: Hashable, Sendable {
    /// What starts a function, as far as an inventory tells.
    public enum Trigger: Comparable, Sendable {
        /// Something else than a call of the client SDKs: an event, a schedule, a plain HTTPS request.
        case other
        /// HTTPS, and nothing says whether the client SDKs are meant.
        case unknown
        /// A call of the client SDKs, which App Check is about.
        case callable
    }

    public let project: String
    public let region: String
    public let generation: Generation
    /// The name in its true case, as it stands in the source of the functions.
    public let id: String
    public let trigger: Trigger
    /// The Cloud Run service behind a generation 2 function.
    private let service: String

    /// An entry; `service` is needed only where it is not ``FunctionIdentity/normalized(_:)`` of the name.
    public init(
        project: String, region: String, generation: Generation, id: String, trigger: Trigger, service: String? = nil
    ) {
        self.project = project
        self.region = region
        self.generation = generation
        self.id = id
        self.trigger = trigger
        self.service = service ?? FunctionIdentity.normalized(id)
    }

    /// What the function's log entries carry.
    public var identity: FunctionIdentity {
        FunctionIdentity(
            project: project, region: region, name: generation == .first ? id : service, generation: generation)
    }
}
