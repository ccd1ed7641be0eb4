public import Verifications

/// Which names stay when there are too many: those with the smallest ranks, whoever found them.
///
/// A rank is an unkeyed hash of the name, so that the choice is the same in every run. What is pooled already has none.
public struct NameRanks: Hashable, Sendable {
    public var functions: [FunctionIdentity: UInt64] = [:]
    public var projects: [ExactName: UInt64] = [:]

    public init() {}

    public mutating func merge(_ other: NameRanks) {
        functions.merge(other.functions, uniquingKeysWith: min)
        projects.merge(other.projects, uniquingKeysWith: min)
    }

    /// The names beyond the limit; one without a rank is always kept.
    static func highest<Name: Hashable>(
        _ ranks: [Name: UInt64], of names: some Sequence<Name>, beyond limit: Int
    ) -> ArraySlice<Name> {
        let ranked = names.compactMap { name in ranks[name].map { (name, $0) } }
        guard ranked.count > limit else { return [] }
        return ranked.sorted { $0.1 < $1.1 }.map(\.0)[limit...]
    }
}
