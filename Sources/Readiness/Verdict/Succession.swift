import Verifications

/// Which generation 2 functions carry the name of which generation 1 functions.
struct Succession: Sendable {
    private struct Place: Hashable {
        let project: ExactName
        let region: ExactName
        let name: ExactName

        init(_ identity: FunctionIdentity) {
            project = ExactName(identity.project)
            region = ExactName(identity.region)
            name = ExactName(FunctionIdentity.normalized(identity.name))
        }
    }

    private let seconds: [Place: FunctionIdentity]

    init(_ identities: some Sequence<FunctionIdentity>) {
        seconds = Dictionary(
            identities.filter { $0.generation == .second }.map { (Place($0), $0) },
            uniquingKeysWith: { ExactName($0.name) < ExactName($1.name) ? $0 : $1 })
    }

    /// The generation 2 function of the same project, region and normalised name.
    func successor(of identity: FunctionIdentity) -> FunctionIdentity? {
        identity.generation == .first ? seconds[Place(identity)] : nil
    }
}
