public import Verifications

/// Who says what about which function: numbers for all, and entries that change them for some.
///
/// Precedence: built-in defaults, the file's `policy:`, the command's flags (these three make ``numbers``), then the
/// entries that match in file order; of two that name the same thing the later wins.
public struct PolicyRules: Hashable, Sendable {
    /// What holds for a function that no entry matches.
    public var numbers: VerdictPolicy
    /// `--since` as a day.
    ///
    /// An entry can move it to a later day for its functions, never to an earlier one, whose log was not read.
    public var since: Day?
    public var entries: [PolicyEntry]

    public init(numbers: VerdictPolicy = VerdictPolicy(), since: Day? = nil, entries: [PolicyEntry] = []) {
        self.numbers = numbers
        self.since = since
        self.entries = entries
    }

    /// What holds for one function on a day.
    ///
    /// Expired entries do not speak. Without a day (nothing in the input is dated) none has expired.
    public func policy(for identity: FunctionIdentity, shownAs name: String, on day: Day?) -> FunctionPolicy {
        var policy = FunctionPolicy(numbers: numbers)
        for entry in entries where entry.covers(identity, shownAs: name) {
            if let day, entry.isExpired(on: day) { continue }
            policy.numbers.apply(entry.settings)
            policy.exempt = entry.exempt ?? policy.exempt
            policy.enforced = entry.enforced ?? policy.enforced
            policy.since = entry.since ?? policy.since
            policy.lines.append(entry.line)
        }
        if let since { policy.since = max(policy.since ?? since, since) }
        return policy
    }

    /// Entries whose last day is before the given one, in file order.
    public func expired(on day: Day) -> [PolicyEntry] {
        entries.filter { $0.isExpired(on: day) }
    }
}
