import Verifications

/// The keys of a policy file, of a settings file and of `--set`, in the order in which they are listed.
///
/// The raw value is how programs know it, except for two; everything else spells the key as its ``name``. A new setting
/// is a case here and its ``row``: files, environment, `--set`, `callcheck config`, the JSON `policy` and the hints in
/// messages are loops over these.
package enum SettingKey: String, CaseIterable, Sendable {
    case match, project, region, function
    case store, policy, functions, inventory
    case exempt, enforced, owner, since, until
    case maxRefused, confidence, window, maxWindow, minDays, requiresAuth, safeNights, assumeComplete, maxPerWeek
    case ignoreClients, acceptPlatforms, requireCallers, countMachines, quietDays
    case failOn, callers, dedupe
    case format, color, quiet, noProgress, clear
    case strict, jobs, maxOpen, maxRecordBytes, maxFunctions, retention, fingerprintKey
    case attestDays, maxFailed, steps, dailyUsers
    case generation, from, dryRun

    private static let names = Dictionary(
        uniqueKeysWithValues: allCases.map { key in
            (key, key.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) })
        })
    private static let named = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })

    /// `max-window` for `maxWindow`.
    package var name: String { SettingKey.names[self] ?? rawValue }

    package init?(name: String) {
        guard let key = SettingKey.named[name] else { return nil }
        self = key
    }

    package var row: SettingRow {
        guard let row = SettingKey.rows[self] else { preconditionFailure("every key has a row") }
        return row
    }

    private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeRow()) })

    private func makeRow() -> SettingRow {
        let anywhere: Set<PolicySection> = [.settingsFile, .policy, .entry]
        let everyFunction: Set<PolicySection> = [.settingsFile, .policy]
        // The longest time that Cloud Logging keeps a log (<https://cloud.google.com/logging/quotas>).
        let days = SettingRow.Kind.days(1...3650)
        // No number of clean requests can show a rate of 0, and 10⁻⁹ would want three billion of them.
        let rates = SettingRow.Kind.share(1e-9..<1)
        return switch self {
        case .match: .init(.glob, "admin*", in: [.entry])
        case .project: .init(.list(.glob), "my-app", in: [.settingsFile, .entry], variable: "CALLCHECK_PROJECT")
        case .region: .init(.list(.glob), "us-central1", in: [.settingsFile, .entry])
        case .function: .init(.list(.glob), "addMessage,admin*")
        case .store: .init(.path, "history.db", variable: "CALLCHECK_STORE")
        case .policy: .init(.path, "policy.yaml", in: [.settingsFile, .file], variable: "CALLCHECK_POLICY")
        case .functions: .init(.entries, "and a list below it", in: [.settingsFile, .file])
        case .inventory: .init(.path, "functions.json")
        case .exempt: .init(.reason, "must work when App Check is down", in: [.entry])
        case .enforced: .init(.time, "2026-10-20T09:00Z", in: [.entry])
        case .owner: .init(.text, "payments team", in: [.entry])
        case .since, .until: .init(.date, "2026-10-20", in: [.entry])
        case .maxRefused:
            .init(rates, "1%", in: anywhere, at: \VerdictPolicy.maxBlocked, looser: .higher, json: "maxBlocked")
        // Below one half a one-sided bound lies on the wrong side of what was seen.
        case .confidence: .init(.share(0.5..<1), "95%", in: anywhere, at: \VerdictPolicy.confidence, looser: .lower)
        case .window: .init(days, "7d", in: anywhere, at: \VerdictPolicy.window, looser: .lower)
        case .maxWindow: .init(days, "28d", in: anywhere, at: \VerdictPolicy.maxWindow, looser: .higher)
        case .minDays: .init(.days(0...3650), "7d", in: anywhere, at: \VerdictPolicy.minDays, looser: .lower)
        case .requiresAuth: .init(.flag, "true", in: anywhere, at: \VerdictPolicy.requiresAuth, looser: .other)
        case .safeNights:
            .init(days, "7d", in: everyFunction, at: \VerdictPolicy.confirm, looser: .lower, json: "confirm")
        case .assumeComplete:
            .init(.word(["true", "false", "failures"]), "failures", at: \VerdictPolicy.assumeComplete, looser: .other)
        case .maxPerWeek: .init(.amount, "1", in: anywhere, at: \VerdictPolicy.maxPerWeek, looser: .higher)
        case .ignoreClients:
            .init(
                .list(.client), "iosSimulator,tool", in: everyFunction, at: \VerdictPolicy.ignoredClients,
                looser: .other
            )
        case .acceptPlatforms:
            .init(
                .list(.platform), "web/firefox,com.example.app@3.1.0", in: anywhere,
                at: \VerdictPolicy.acceptedPlatforms,
                looser: .other)
        case .countMachines: .init(.flag, "true", in: everyFunction, at: \VerdictPolicy.countsMachines, looser: .other)
        case .requireCallers: .init(.flag, "true", in: everyFunction, at: \VerdictPolicy.requiresCallers)
        case .quietDays:
            .init(.list(.quietDay), "sat,sun,2026-12-25", in: [.policy], at: \VerdictPolicy.quietDays, looser: .other)
        case .failOn: .init(.words(Gate.FailOn.self), "not-safe", defaultValue: .text("unsure"), looser: .other)
        case .callers: .init(.word(["all", "none"]), "none", defaultValue: .text("all"), looser: .other)
        case .dedupe: .init(.flag, "false", defaultValue: .flag(true), looser: .other)
        case .format: .init(.words(OutputFormat.self), "json", defaultValue: .text("table"))
        case .color: .init(.words(ColorChoice.self), "never", defaultValue: .text("auto"))
        case .quiet, .noProgress, .strict: .init(.flag, "true", defaultValue: .flag(false))
        case .clear: .init(.flag, "false", defaultValue: .flag(true))
        case .jobs: .init(.count, "2")
        case .maxOpen: .init(.count, "100000", defaultValue: .count(1_000_000), looser: .lower)
        case .maxRecordBytes: .init(.size, "16M", defaultValue: .count(16 << 20))
        case .maxFunctions: .init(.count, "1000", defaultValue: .count(100_000))
        case .retention: .init(.days(1...36_500), "90d")
        case .fingerprintKey: .init(.text, "some-secret")
        case .attestDays: .init(days, "14d", defaultValue: .count(14))
        case .maxFailed: .init(rates, "2%", defaultValue: .number(0.02))
        case .steps:
            .init(.list(.percentage), "1,5,10,25,50,100", defaultValue: .texts(["1", "5", "10", "25", "50", "100"]))
        case .dailyUsers: .init(.count, "50000")
        case .generation: .init(.word(["1", "2"]), "1", in: [])
        case .from: .init(.path, "export.json.gz", in: [])
        case .dryRun: .init(.flag, "true", in: [], defaultValue: .flag(false))
        }
    }

    /// The environment variable that sets it: `CALLCHECK_STORE`, `CALLCHECK_SET_MAX_REFUSED`; nil for what only makes
    /// sense where it is typed.
    package var variable: String? {
        guard isSettable, !row.sections.isEmpty else { return nil }
        return row.variable ?? "CALLCHECK_SET_\(name.uppercased().replacing("-", with: "_"))"
    }

    /// True for a key that `--set` takes; the others only mean something in an entry for some functions.
    package var isSettable: Bool { self != .functions && (row.sections.isEmpty || row.sections != [.entry]) }

    /// True for a value that lets a gate pass where the default would not.
    package func loosens(_ value: SettingValue) -> Bool {
        guard let standard = row.defaultValue else { return row.looser == .higher }
        return switch row.looser {
        case .higher: value.magnitude > standard.magnitude
        case .lower: value.magnitude < standard.magnitude
        case .other: value != standard
        case nil: false
        }
    }

    /// How programs know it.
    package var json: String { row.json ?? rawValue }
}

/// One setting: how and where it is written, its default, and what loosens a gate.
package struct SettingRow: Sendable {
    package enum Kind: Hashable, Sendable {
        case path
        /// Any text but an empty one.
        case text
        case flag
        /// At least 1.
        case count
        /// In bytes.
        case size
        case word([String])
        case days(ClosedRange<Int>)
        case share(Range<Double>)
        /// A number above 0.
        case amount
        case list(Item)
        case glob
        case date
        case time
        case reason
        case entries

        static func words<Words: RawRepresentable<String> & CaseIterable>(_ type: Words.Type) -> Kind {
            .word(type.allCases.map(\.rawValue))
        }
    }

    package enum Item: Hashable, Sendable {
        case glob, client, platform, quietDay, percentage
    }

    /// The direction in which values are looser than the default.
    package enum Looser: Sendable { case higher, lower, other }

    package let kind: Kind
    /// None for what only `--set` takes: it would surprise in a file that nobody named.
    package let sections: Set<PolicySection>
    /// A value as `--set` takes it.
    package let example: String
    package let variable: String?
    /// The default; nil if there is none.
    package let defaultValue: SettingValue?
    /// Nil where no value changes what a gate lets pass.
    package let looser: Looser?
    fileprivate let json: String?
    /// The path to the setting in a verdict's numbers; nil if it is none of them.
    private let path: (any PartialKeyPath<VerdictPolicy> & Sendable)?

    /// True where an answer depends on the setting.
    package var decides: Bool { isNumber || looser != nil }

    /// True where the setting is one of the numbers of a verdict.
    package var isNumber: Bool { path != nil }

    /// Returns a policy's value of the setting; nil if it has none, or if the setting is none of a verdict's.
    package func value(in policy: VerdictPolicy) -> SettingValue? { SettingRow.value(at: path, in: policy) }

    private static func value(at path: PartialKeyPath<VerdictPolicy>?, in policy: VerdictPolicy) -> SettingValue? {
        switch path.map({ policy[keyPath: $0] }) {
        case let number as Double: .number(number)
        case let count as Int: .count(count)
        case let isOn as Bool: .flag(isOn)
        case let assumed as AssumeComplete: .text(assumed.rawValue)
        case let kinds as Set<ClientKind>: .texts(kinds.sorted().map(\.name))
        case let platforms as [PlatformName]: .texts(platforms.map(\.text))
        case let days as QuietDays: .texts(days.names)
        default: nil
        }
    }

    func assign(_ value: SettingValue, to policy: inout VerdictPolicy) {
        func set<Value>(_ value: Value?) {
            guard let value, let path = path as? WritableKeyPath<VerdictPolicy, Value> else { return }
            policy[keyPath: path] = value
        }
        switch value {
        case .number(let number):
            set(number)
            set(Double??.some(number))
        case .count(let count): set(count)
        case .flag(let isOn): set(isOn)
        case .text(let text): set(AssumeComplete(rawValue: text))
        case .texts(let names):
            set(Set(ClientKind.allCases.filter { names.contains($0.name) }))
            set(names.compactMap { PlatformName($0) })
            set(QuietDays(names: names))
        }
    }

    /// One of the numbers of a verdict has a path, and as default what a new policy has.
    fileprivate init(
        _ kind: Kind, _ example: String, in sections: Set<PolicySection> = [.settingsFile], variable: String? = nil,
        at path: (any PartialKeyPath<VerdictPolicy> & Sendable)? = nil, defaultValue: SettingValue? = nil,
        looser: Looser? = nil, json: String? = nil
    ) {
        (self.kind, self.sections, self.example, self.variable) = (kind, sections, example, variable)
        (self.path, self.looser, self.json) = (path, looser, json)
        self.defaultValue = defaultValue ?? SettingRow.value(at: path, in: VerdictPolicy())
    }
}

package enum SettingValue: Hashable, Sendable {
    case texts([String])
    case text(String)
    case flag(Bool)
    case count(Int)
    case number(Double)

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
    package var count: Int? { if case .count(let count) = self { count } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }

    fileprivate var magnitude: Double { number ?? count.map(Double.init) ?? 0 }
}

extension QuietDays {
    /// From Monday on.
    static let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    fileprivate init(names: [String]) {
        self.init(
            weekdays: Set(names.compactMap { QuietDays.weekdayNames.firstIndex(of: $0) }),
            dates: Set(names.compactMap { Day(iso8601: $0) }))
    }

    fileprivate var names: [String] {
        weekdays.sorted().map { QuietDays.weekdayNames[$0] } + dates.sorted().map(\.description)
    }
}

/// The mappings of a policy file and of a settings file, which have separate keys.
package enum PolicySection: Hashable, Sendable {
    /// The policy file itself.
    case file
    case settingsFile
    /// The mapping under `policy:`.
    case policy
    /// One item of the list under `functions:`.
    case entry

    package var keys: [SettingKey] { SettingKey.allCases.filter { $0.row.sections.contains(self) } }
}
