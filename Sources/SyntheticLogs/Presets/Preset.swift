/// The scenarios that have a name.
public enum Preset: String, CaseIterable, Sendable {
    case mixed
    case dense

    /// The scenario; corpora differ by seed, samples are always the same.
    public func scenario(seed: UInt64) -> Scenario {
        switch self {
        case .mixed: .mixed(seed: seed)
        case .dense: .dense(seed: seed)
        }
    }
}
