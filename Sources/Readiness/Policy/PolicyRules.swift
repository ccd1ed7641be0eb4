package import Verifications

/// The policy: numbers for all functions, and entries that change them for some.
///
/// Precedence: built-in defaults, the file's `policy:`, the command's flags (these three make ``numbers``), then the
/// entries that match in file order; of two that name the same thing the later wins.
package struct PolicyRules: Hashable, Sendable {
    /// What holds for a function that no entry matches.
    package var numbers: VerdictPolicy
    /// `--since` as a day.
    ///
    /// An entry can move it to a later day for its functions, never to an earlier one, whose log was not read.
    package var since: Day?
    package var entries: [PolicyEntry]

    package init(numbers: VerdictPolicy = VerdictPolicy(), since: Day? = nil, entries: [PolicyEntry] = []) {
        self.numbers = numbers
        self.since = since
        self.entries = entries
    }

    /// What holds for one function on a day.
    ///
    /// Expired entries do not count. Without a day (nothing in the input is dated) none has expired.
    package func policy(for identity: FunctionIdentity, shownAs name: String, on day: Day?) -> FunctionPolicy {
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

    package func expired(on day: Day) -> [PolicyEntry] {
        entries.filter { $0.isExpired(on: day) }
    }
}

/// One entry under `functions:` of a policy file: what holds for the functions that it matches.
public struct PolicyEntry: Hashable, Sendable {
    /// Matches the shown name or the service name.
    package var match: Glob
    /// Match the project and the region; nil matches all.
    package var project: Glob?
    package var region: Glob?
    package var settings = PolicySettings()
    /// Why enforcement must never be switched on.
    package var exempt: String?
    package var enforced: Day?
    /// The first day of the system as it is now; earlier days are of another one.
    package var since: Day?
    /// The last day on which the entry holds.
    package var until: Day?
    /// Where the entry begins in its file, from 1.
    public var line: Int

    package init(match: Glob, line: Int) {
        self.match = match
        self.line = line
    }

    /// True when the entry is about this function, whether it has expired or not.
    package func covers(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        (match.matches(name) || match.matches(identity.name)) && (region?.matches(identity.region) ?? true)
            && (project?.matches(identity.project) ?? true)
    }

    package func isExpired(on day: Day) -> Bool { until.map { $0 < day } ?? false }
}

/// What holds for one function, after flags and entries were applied.
package struct FunctionPolicy: Hashable, Sendable {
    package var numbers: VerdictPolicy
    package var exempt: String?
    /// The day on which enforcement was switched on; nil when it is off.
    package var enforced: Day?
    /// Days of the function before this one do not count; nil when all do.
    package var since: Day?
    /// Lines of the policy file's entries that matched, in file order.
    package var lines: [Int] = []

    package init(numbers: VerdictPolicy = VerdictPolicy()) { self.numbers = numbers }
}

/// An entry of a policy that covers no function: most often its name is mistyped, or its function is gone.
package struct IdleEntry: Hashable, Sendable {
    package let entry: PolicyEntry
    /// The name that was probably meant; nil when none is near, or when the name is right and its place is not.
    package let suggestion: String?
}

extension Judge {
    /// The policy's entries that cover no function, seen or deployed, in file order; none where nothing was seen.
    ///
    /// Expired entries are reported elsewhere.
    package func idleEntries() -> [IdleEntry] {
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
