package import Verifications

/// An entry that the policy lacks: the log shows that the function is enforced.
package struct MissingEntry: Hashable, Sendable {
    package let match: String
    /// Nil where the name alone, or the name and the project, tell the function from all others.
    package let region: String?
    package let project: String?
    /// The switch, as the log shows it.
    package let enforced: Instant

    /// Nil for a function that is not enforced, or by policy, and for a name that would be a pattern for others.
    init?(_ identity: FunctionIdentity, _ name: String, _ enforcement: Enforcement, places: [String: Set<Place>]) {
        guard enforcement.isByLog, enforcement.state == .on, let start = enforcement.start,
            !name.contains(where: "*?".contains)
        else { return nil }
        let others = places[FunctionIdentity.normalized(name)] ?? []
        let own = Place(identity)
        match = name
        project = others.contains { $0.project != own.project } ? identity.project : nil
        region = others.contains { $0.project == own.project && $0.region != own.region } ? identity.region : nil
        enforced = start
    }

    struct Place: Hashable {
        let project: ExactName
        let region: ExactName

        init(_ identity: FunctionIdentity) {
            (project, region) = (ExactName(identity.project), ExactName(identity.region))
        }
    }
}

extension MissingEntry {
    /// Returns the places of functions by each name that a pattern can match.
    static func places(of functions: [(identity: FunctionIdentity, name: String)]) -> [String: Set<Place>] {
        var places: [String: Set<Place>] = [:]
        for (identity, name) in functions {
            for name in Set([name, identity.name].map(FunctionIdentity.normalized)) {
                places[name, default: []].insert(Place(identity))
            }
        }
        return places
    }
}
