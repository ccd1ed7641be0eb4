package import Readiness

/// The keys of a policy file and of a settings file, in the order in which they are listed.
///
/// The raw value is how a file spells the key; a setting's flag is the same with two hyphens before it.
package enum PolicyKey: String, CaseIterable, Sendable {
    case match
    case project
    case region
    case function
    case store
    case policy
    case functions
    case inventory
    case exempt
    case enforced
    case since
    case until
    case maxBlocked = "max-blocked"
    case confidence
    case minDays = "min-days"
    case window
    case maxWindow = "max-window"
    case requiresAuth = "requires-auth"
    case confirm
    case quietDays = "quiet-days"
    case maxPerWeek = "max-per-week"
    case ignoreClients = "ignore-clients"
    case acceptPlatforms = "accept-platforms"
    case requireCallers = "require-callers"
    case assumeComplete = "assume-complete"
    case failOn = "fail-on"
    case format
    case color
    case quiet
    case noProgress = "no-progress"
    case strict
    case jobs
    case maxRecordBytes = "max-record-bytes"
    case maxFunctions = "max-functions"
    case retention

    /// The table of settings: files are read, settings resolved and shown, and a gate's loosened limits found by it.
    package var row: SettingRow {
        let usual = VerdictPolicy()
        let anywhere: Set<PolicySection> = [.settingsFile, .policy, .entry]
        // No number of clean requests can show a rate of 0, and 10⁻⁹ would want three billion of them. Below one half
        // a one-sided bound lies on the wrong side of what was seen.
        let (rates, levels) = (SettingRow.Kind.share(1e-9..<1), SettingRow.Kind.share(0.5..<1))
        // The longest time that Cloud Logging keeps a log (<https://cloud.google.com/logging/quotas>).
        let days = SettingRow.Kind.days(1...3650)
        return switch self {
        case .match: .init(.glob, "\"admin*\"", in: [.entry])
        case .project: .init(.globs, "my-app", in: [.settingsFile, .entry], variable: "CALLCHECK_PROJECT")
        case .region: .init(.globs, "us-central1", in: [.settingsFile, .entry])
        case .function: .init(.globs, "[addMessage, \"admin*\"]")
        case .store: .init(.path, "history.db", variable: "CALLCHECK_STORE")
        case .policy: .init(.path, "{max-blocked: 1%}", in: [.settingsFile, .file], variable: "CALLCHECK_POLICY")
        case .functions: .init(.entries, "and a list below it", in: [.settingsFile, .file])
        case .inventory: .init(.path, "functions.json")
        case .exempt: .init(.reason, "must work when App Check is down", in: [.entry])
        case .enforced: .init(.date, "2026-10-20T09:00Z", in: [.entry])
        case .since, .until: .init(.date, "2026-10-20", in: [.entry])
        case .maxBlocked: .init(rates, "1%", in: anywhere, usual: .share(usual.maxBlocked), laxer: .higher)
        case .confidence: .init(levels, "95%", in: anywhere, usual: .share(usual.confidence), laxer: .lower)
        case .minDays: .init(.days(0...3650), "7d", in: anywhere, usual: .count(usual.minDays), laxer: .lower)
        case .window: .init(days, "7d", in: anywhere, usual: .count(usual.window), laxer: .lower)
        case .maxWindow: .init(days, "7d", in: anywhere, usual: .count(usual.maxWindow), laxer: .higher)
        case .requiresAuth: .init(.flag, "true", in: anywhere, usual: .flag(usual.requiresAuth), laxer: .other)
        case .confirm:
            .init(days, "7d", in: [.settingsFile, .policy], usual: .count(usual.confirm), laxer: .lower)
        case .quietDays: .init(.quietDays, "[sat, sun, 2026-12-25]", in: [.policy])
        case .maxPerWeek: .init(.amount, "1", in: anywhere, usual: .amount(0), laxer: .higher)
        case .ignoreClients:
            .init(.items, "[iosSimulator, tool]", in: [.settingsFile, .policy], usual: .texts([]), laxer: .other)
        case .acceptPlatforms:
            .init(.items, "[web/firefox, com.example.app@3.1.0]", in: anywhere, usual: .texts([]), laxer: .other)
        case .requireCallers: .init(.flag, "true", in: [.settingsFile, .policy], usual: .flag(false))
        case .assumeComplete:
            .init(.word(["true", "false", "failures"]), "failures", usual: .text("false"), laxer: .other)
        case .failOn:
            .init(.word(Gate.FailOn.allCases.map(\.rawValue)), "not-safe", usual: .text("unsure"), laxer: .other)
        case .format: .init(.format, "json", usual: .text("table"))
        case .color: .init(.word(ColorChoice.allCases.map(\.rawValue)), "never", usual: .text("auto"))
        case .quiet, .noProgress, .strict: .init(.flag, "true", usual: .flag(false))
        case .jobs: .init(.count, "2")
        case .maxRecordBytes: .init(.size, "16M", usual: .count(16 << 20))
        case .maxFunctions: .init(.count, "1000", usual: .count(100_000))
        case .retention: .init(.days(1...36_500), "90d")
        }
    }

    /// The flag without its hyphens; one that takes an item of a list at a time is in the singular.
    package var flag: String {
        switch self {
        case .ignoreClients: "ignore-client"
        case .acceptPlatforms: "accept-platform"
        default: rawValue
        }
    }

    /// True for a key that a policy file has somewhere.
    var isOfPolicy: Bool { row.sections != [.settingsFile] }

    /// True for a value that lets a gate pass where the usual one would not.
    package func loosens(_ value: SettingValue) -> Bool {
        guard let usual = row.usual else { return false }
        return switch row.laxer {
        case .higher: value.number > usual.number
        case .lower: value.number < usual.number
        case .other: value != usual
        case nil: false
        }
    }

    package func text(of value: SettingValue) -> String {
        switch (value, row.kind) {
        case (.texts(let texts), _): texts.joined(separator: ", ")
        case (.text(let text), _): text
        case (.flag(let isOn), _): "\(isOn)"
        case (.count(let count), .days): "\(count)d"
        case (.count(let count), .size): ByteCount(count).description
        case (.count(let count), _): "\(count)"
        case (.share(let share), _):
            // A percentage, to seven digits after the point.
            "\((share * 1e9).rounded() / 1e7)%".replacing(".0%", with: "%")
        case (.amount(let amount), _): amount == 0 ? "" : Int(exactly: amount).map { "\($0)" } ?? "\(amount)"
        case (.quietDays, _): ""
        }
    }
}

package struct SettingRow: Sendable {
    package enum Kind: Hashable, Sendable {
        case path
        case flag
        /// At least 1.
        case count
        /// In bytes.
        case size
        case word([String])
        /// One of the words that ``SettingsDocument/init(yaml:formats:)`` is given.
        case format
        case glob
        /// One, or a list of them.
        case globs
        case days(ClosedRange<Int>)
        case share(Range<Double>)
        /// A number above 0.
        case amount
        /// A list of names that mean something; see ``PolicyKey/checkItem(_:)``.
        case items
        case quietDays
        case date
        case reason
        case entries
    }

    /// Which values are laxer than the usual one.
    package enum Laxer: Sendable { case higher, lower, other }

    package let kind: Kind
    let sections: Set<PolicySection>
    /// What to write after the key.
    let example: String
    package let variable: String?
    /// What holds when nobody says anything; nil where that is nothing.
    package let usual: SettingValue?
    /// Nil where no value changes what a gate lets pass.
    package let laxer: Laxer?

    init(
        _ kind: Kind, _ example: String, in sections: Set<PolicySection> = [.settingsFile], variable: String? = nil,
        usual: SettingValue? = nil, laxer: Laxer? = nil
    ) {
        (self.kind, self.sections, self.example) = (kind, sections, example)
        (self.variable, self.usual, self.laxer) = (variable, usual, laxer)
    }
}

package enum SettingValue: Hashable, Sendable {
    case texts([String])
    case text(String)
    case flag(Bool)
    case count(Int)
    case share(Double)
    case amount(Double)
    case quietDays(QuietDays)

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var count: Int? { if case .count(let count) = self { count } else { nil } }
    package var share: Double? { if case .share(let share) = self { share } else { nil } }

    fileprivate var number: Double {
        switch self {
        case .share(let number), .amount(let number): number
        case .count(let count): Double(count)
        case .texts, .text, .flag, .quietDays: 0
        }
    }
}

/// The mappings of a policy file and of a settings file, which have keys of their own.
package enum PolicySection: Hashable, Sendable {
    /// The policy file itself.
    case file
    case settingsFile
    /// What stands under `policy:`.
    case policy
    /// One item of the list under `functions:`.
    case entry

    package var keys: [PolicyKey] { PolicyKey.allCases.filter { $0.row.sections.contains(self) } }
}

package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
}
