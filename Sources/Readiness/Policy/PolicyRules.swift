package import Verifications

/// The numbers that decide when a function is ready, before any entry of a policy file changes them for one function.
package struct VerdictPolicy: Hashable, Sendable {
    /// The largest share of admitted requests that enforcement may refuse, above 0 and below 1.
    package var maxBlocked = 0.01
    /// One-sided confidence of the bounds, between 0.5 and 1.
    package var confidence = 0.95
    /// Length in days of the shortest window.
    package var window = 7
    /// Length in days that a window may grow to for quiet functions.
    package var maxWindow = 28
    /// Age in days that a function's log must have.
    package var minDays = 7
    /// True when functions refuse signed-out callers themselves: only requests with Auth VALID are then admitted.
    package var requiresAuth = false
    /// On how many days in a row the rule must find nothing against enforcement, at least 1.
    package var confirm = 7
    /// Days on which nothing is expected; of one project like of another, so no entry changes them.
    package var quietDays = QuietDays()
    /// Acceptable refused requests a week, regardless of their share; nil if the share decides.
    package var maxPerWeek: Double?
    /// The owner's kinds of clients, whose requests are not admitted.
    package var ignoredClients: Set<ClientKind> = []
    /// Platforms and releases that may be refused.
    package var acceptedPlatforms: [PlatformName] = []
    var requiresCallers = false
    /// True to count valid tokens of programs like those of people.
    package var countsMachines = false
    package var assumeComplete = AssumeComplete.nothing
    /// The settings file behind the numbers or the selection; nil without one.
    package var settings: SettingsEffect?

    package init() {}

    package var admission: Admission { requiresAuth ? .signedIn : .notRefused }

    /// The growing window stops where 15 blocked requests would be expected at the maximum rate.
    package var enoughRequests: Double { 15 / maxBlocked }
}

/// The effect on an answer of a settings file, which nobody need have named.
package struct SettingsEffect: Hashable, Sendable {
    /// The file's path, printable.
    package let file: String
    /// The settings that it made looser than usual.
    package let loosened: [SettingKey]
    package let selectsFunctions: Bool

    package init(file: String, loosened: [SettingKey], selectsFunctions: Bool) {
        (self.file, self.loosened, self.selectsFunctions) = (file, loosened, selectsFunctions)
    }
}

/// Days on which no requests are expected of a project: an empty one is not a gap.
package struct QuietDays: Hashable, Sendable {
    /// 0 for Monday to 6 for Sunday.
    package var weekdays: Set<Int>
    package var dates: Set<Day>

    package init(weekdays: Set<Int> = [], dates: Set<Day> = []) {
        (self.weekdays, self.dates) = (weekdays, dates)
    }

    package var isEmpty: Bool { weekdays.isEmpty && dates.isEmpty }

    package func contains(_ day: Day) -> Bool {
        !isEmpty && (weekdays.contains(day.weekday) || dates.contains(day))
    }
}

/// The facts that the user confirms, so that the rule need not doubt them; the raw value is how settings spell it.
package enum AssumeComplete: String, CaseIterable, Sendable {
    /// The log is complete: lifts what `failures` does, `coverage-gap` and `uncounted`.
    case everything = "true"
    case nothing = "false"
    /// The stream of failed verifications arrived: lifts `failures-not-seen` and `failures-stopped`.
    case failures
}

/// The policy: numbers for all functions, and entries that change them for some.
///
/// Precedence: built-in defaults, a settings file, a `policy:`, the environment, the command line (these make
/// ``numbers``), then the entries that match in file order; of two that name the same thing the later wins.
package struct PolicyRules: Hashable, Sendable {
    /// The numbers for a function that no entry matches.
    package var numbers: VerdictPolicy
    /// `--since` as a day; an entry can move it to a later one, never to an earlier one, whose log was not read.
    package var since: Day?
    package var entries: [PolicyEntry] { didSet { places = PolicyRules.places(of: entries) } }
    /// The places of the entries for a name, which are looked up, as a policy may have thousands; under nil those of
    /// patterns.
    private var places: [ExactName?: [Int]]

    package init(numbers: VerdictPolicy = VerdictPolicy(), since: Day? = nil, entries: [PolicyEntry] = []) {
        (self.numbers, self.since, self.entries) = (numbers, since, entries)
        places = PolicyRules.places(of: entries)
    }

    private static func places(of entries: [PolicyEntry]) -> [ExactName?: [Int]] {
        Dictionary(grouping: entries.indices) { entries[$0].match.only }
    }

    /// The entries for one name alone, as ``FunctionIdentity/normalized(_:)`` has it.
    func entries(for name: ExactName) -> [PolicyEntry] { places[name, default: []].map { entries[$0] } }

    /// The entries about a function, whether they have expired or not, in file order.
    func entries(covering identity: FunctionIdentity, shownAs name: String) -> [PolicyEntry] {
        places(covering: identity, shownAs: name).map { entries[$0] }
    }

    fileprivate func places(covering identity: FunctionIdentity, shownAs name: String) -> [Int] {
        let names = identity.names(shownAs: name).map { ExactName?(ExactName(FunctionIdentity.normalized($0))) }
        return Set(names + [nil]).flatMap { places[$0, default: []] }
            .filter { entries[$0].covers(identity, shownAs: name) }.sorted()
    }

    /// Returns the policy for one function on a day; without a day (nothing in the input is dated) no entry is expired.
    package func policy(for identity: FunctionIdentity, shownAs name: String, on day: Day?) -> FunctionPolicy {
        var policy = FunctionPolicy(numbers: numbers)
        for entry in entries(covering: identity, shownAs: name) {
            if let day, entry.isExpired(on: day) {
                policy.expired.append(entry)
                continue
            }
            policy.numbers.apply(entry.settings)
            policy.exempt = entry.settings.exempt ?? policy.exempt
            policy.enforced = entry.settings.enforced ?? policy.enforced
            policy.since = entry.settings.since ?? policy.since
            policy.owner = entry.settings.owner ?? policy.owner
            policy.lines.append(entry.line)
        }
        if let since { policy.since = max(policy.since ?? since, since) }
        return policy
    }

    /// The number of days before as-of that the windows and the segments of all nights reach back.
    package var daysWithNames: Int {
        let maxWindow = entries.compactMap(\.settings.maxWindow).max() ?? 0
        let window = entries.compactMap(\.settings.window).max() ?? 0
        return max(maxWindow, numbers.maxWindow) + max(window, numbers.window) + numbers.confirm - 1
    }

    package func expired(on day: Day) -> [PolicyEntry] { entries.filter { $0.isExpired(on: day) } }
}

/// One entry under `functions:` of a policy file: what holds for the functions that it matches.
///
/// `project` and `region` match all if they are nil. `exempt` says why enforcement must never be switched on; `since`
/// is the first day of the system as it is now; `until` is the last day on which the entry holds.
public struct PolicyEntry: Hashable, Sendable {
    /// Matches the shown name or the service name.
    package let match: Glob
    package var settings: SettingValues
    /// The line where the entry begins in its file, from 1.
    public let line: Int

    package init(match: Glob, _ settings: SettingValues = SettingValues(), line: Int) {
        (self.match, self.settings, self.line) = (match, settings, line)
    }

    /// True when the entry is about this function, whether it has expired or not.
    package func covers(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        match.covers(identity, shownAs: name) && (settings.region?.contains { $0.matches(identity.region) } ?? true)
            && (settings.project?.contains { $0.matches(identity.project) } ?? true)
    }

    package func isExpired(on day: Day) -> Bool { settings.until.map { $0 < day } ?? false }
}

/// The policy for one function, after flags and entries were applied.
package struct FunctionPolicy: Hashable, Sendable {
    package var numbers: VerdictPolicy
    package var exempt: String?
    /// When enforcement was switched on; nil when it is off.
    package var enforced: EnforcementTime?
    /// Days of the function before this one do not count; nil when all do.
    package var since: Day?
    /// The person or team who decides about it; nil if nobody is named.
    package var owner: String?
    /// Lines of the policy file's entries that matched, in file order.
    package var lines: [Int] = []
    /// Entries that matched and no longer apply.
    package var expired: [PolicyEntry] = []
}

/// An entry of a policy that covers no function: most often its name is mistyped, or its function is gone.
package struct IdleEntry: Hashable, Sendable {
    package let entry: PolicyEntry
    /// The name that was probably meant; nil when none is near, or when the name is right and its place is not.
    package let suggestion: String?
}

extension Evaluator {
    /// The policy's entries, except for expired ones, that cover no function, in file order; none if nothing was seen.
    package func idleEntries(besides services: [Evaluator] = []) -> [IdleEntry] {
        let functions = services.flatMap(\.knownFunctions) + knownFunctions
        guard !functions.isEmpty else { return [] }
        let day = asOf?.day
        let used = Set(functions.flatMap { rules.places(covering: $0.identity, shownAs: $0.name) })
        let idle = rules.entries.indices.filter { !used.contains($0) }.map { rules.entries[$0] }
            .filter { entry in !(day.map(entry.isExpired) ?? false) }
        return idle.enumerated().map { index, entry in
            IdleEntry(
                entry: entry,
                suggestion: index < NearestName.mostSought ? Evaluator.meant(by: entry.match, functions) : nil)
        }
    }

    /// The name that a pattern was probably meant for; nil if it covers one.
    private static func meant(
        by match: Glob, _ functions: [(identity: FunctionIdentity, name: String)]
    ) -> String? {
        if functions.contains(where: { match.covers($0.identity, shownAs: $0.name) }) { return nil }
        let selected = functions.first { match.matches($0.identity, shownAs: $0.name) }
        return selected?.identity.name
            ?? NearestName.of(match.pattern, among: functions.filter { !$0.identity.isService }.map(\.name))
    }
}

extension FunctionPolicy {
    /// A number that two policies share where they judge alike, the same in every process: for a later report, which
    /// has to know whether the settings are still those of an earlier one.
    package var fingerprint: UInt64 {
        // By name, and without defaults: a new setting changes nothing for those who do not use it.
        let usual = VerdictPolicy()
        let values = SettingKey.all.filter(\.isNumber).compactMap { key -> String? in
            let value = key.value(in: numbers).map(key.text)
            return value == key.value(in: usual).map(key.text) ? nil : "\(key.name)=\(value ?? "")"
        }
        let others = [exempt == nil ? "" : "exempt", enforced?.text ?? "", since?.description ?? ""]
        return (values + others).joined(separator: "\n").utf8.reduce(0) { mixed($0 ^ UInt64($1)) }
    }
}
