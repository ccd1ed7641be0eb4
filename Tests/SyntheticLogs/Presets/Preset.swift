/// The scenarios that have a name.
package enum Preset: String, CaseIterable, Sendable {
    case mixed
    case dense
    case fourWeeks = "four-weeks-one-project"
    case oneDay = "one-day-gen2-stdout-and-stderr"
    case verificationsOnly = "one-day-verifications-only"
    case warningsOnly = "severity-filtered-warnings-only"
    case standardOutputOnly = "gen2-stdout-only"
    case standardErrorStopped = "gen2-stderr-stopped"
    case version3 = "gen1-sdk3-info"
    case duplicated = "duplicated-by-two-sinks"
    case gap = "gap-in-the-export"
    case everyBrowser = "every-browser-refused"
    case newRelease = "new-release-refused"
    // A function of the iOS app of ``AnalyticsPreset``'s rollout.
    case rolloutAtHalf = "rollout-log-at-50"
    case rolloutAtAll = "rollout-log-at-100"

    /// Whether the scenario is a pattern for logs of any size; samples have a fixed size.
    package var isCorpus: Bool {
        self == .mixed || self == .dense
    }

    /// The scenario; the committed samples are those of seed 1.
    package func scenario(seed: UInt64) -> Scenario {
        switch self {
        case .mixed: .mixed(seed: seed)
        case .dense: .dense(seed: seed)
        case .fourWeeks: .fourWeeks(seed: seed)
        case .oneDay: .oneDay(seed: seed)
        case .verificationsOnly: .verificationsOnly(seed: seed)
        case .warningsOnly: .warningsOnly(seed: seed)
        case .standardOutputOnly: .standardOutputOnly(seed: seed)
        case .standardErrorStopped: .standardErrorStopped(seed: seed)
        case .version3: .version3(seed: seed)
        case .duplicated: .duplicated(seed: seed)
        case .gap: .gap(seed: seed)
        case .everyBrowser: .everyBrowser(seed: seed)
        case .newRelease: .newRelease(seed: seed)
        case .rolloutAtHalf: .rollout(seed: seed, from: 2, to: 3)
        case .rolloutAtAll: .rollout(seed: seed, from: 3, to: 4)
        }
    }
}
