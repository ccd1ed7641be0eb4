import Verifications

/// An entry of a policy that covers no function: most often its name is mistyped, or its function is gone.
public struct IdleEntry: Hashable, Sendable {
    public let entry: PolicyEntry
    /// The name that was probably meant; nil when none is near, or when the name is right and the region is not.
    public let suggestion: String?
}

extension Judge {
    /// The policy's entries that cover no function, seen or deployed, in file order; none where nothing was seen.
    ///
    /// An entry that has expired covers nothing any more, which is told apart.
    public func idleEntries() -> [IdleEntry] {
        let functions = knownFunctions
        guard !functions.isEmpty else { return [] }
        let day = asOf?.day
        let idle = rules.entries.filter { entry in
            !(day.map(entry.isExpired) ?? false) && !functions.contains { entry.covers($0.identity, shownAs: $0.name) }
        }
        return idle.map { entry in
            let isNamed = functions.contains { entry.match.matches($0.name) || entry.match.matches($0.identity.name) }
            return IdleEntry(
                entry: entry,
                suggestion: isNamed ? nil : NearestName.of(entry.match.pattern, among: functions.map(\.name)))
        }
    }
}
