public import Verifications

/// One entry under `functions:` of a policy file: what holds for the functions that it matches.
public struct PolicyEntry: Hashable, Sendable {
    /// Matches the shown name or the service name.
    public var match: Glob
    /// Matches the region; nil matches all.
    public var region: Glob?
    public var settings = PolicySettings()
    /// Why enforcement must never be switched on.
    public var exempt: String?
    /// The day on which enforcement was switched on.
    public var enforced: Day?
    /// The first day of the system as it is now; earlier days are of another one.
    public var since: Day?
    /// The last day on which the entry holds.
    public var until: Day?
    /// Where the entry begins in its file, from 1.
    public var line: Int

    public init(match: Glob, line: Int) {
        self.match = match
        self.line = line
    }

    /// True when the entry speaks of this function, whether it has expired or not.
    public func covers(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        (match.matches(name) || match.matches(identity.name)) && (region?.matches(identity.region) ?? true)
    }

    /// True when the day is past the entry's last one.
    public func isExpired(on day: Day) -> Bool {
        until.map { $0 < day } ?? false
    }
}
