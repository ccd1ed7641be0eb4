package import Verifications

/// An entry that the policy lacks, for one function.
package struct MissingEntry: Hashable, Sendable {
    package let match: String
    /// Nil where the name alone, or the name and the project, tell the function from all others.
    package let region: String?
    package let project: String?
    package let setting: Setting

    package enum Setting: Hashable, Sendable {
        /// The switch, as the log shows it.
        case enforced(Instant)
        /// The refused requests a week with which the rule says `enforce`.
        case maxPerWeek(Int)
    }

    /// Nil without a setting, and for a name that would be a pattern for others.
    init?(_ identity: FunctionIdentity, _ name: String, _ setting: Setting?, places: [String: Set<Place>]) {
        guard let setting, !name.contains(where: "*?".contains) else { return nil }
        let others = places[FunctionIdentity.normalized(name)] ?? []
        let own = Place(identity)
        match = name
        project = others.contains { $0.project != own.project } ? identity.project : nil
        region = others.contains { $0.project == own.project && $0.region != own.region } ? identity.region : nil
        self.setting = setting
    }

    struct Place: Hashable {
        let project: ExactName
        let region: ExactName

        init(_ identity: FunctionIdentity) {
            (project, region) = (ExactName(identity.project), ExactName(identity.region))
        }
    }
}

extension Enforcement {
    /// The switch that the log shows and no entry has.
    var unwritten: MissingEntry.Setting? { isByLog && state == .on ? start.map { .enforced($0) } : nil }

    /// The switch, if the few refused requests show one.
    var presumed: MissingEntry.Setting? { firstSigns.map { .enforced($0.start) } }
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
