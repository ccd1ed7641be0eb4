import Readiness

extension Verdict {
    /// What the word means, as a heading.
    var meaning: String {
        switch self {
        case .enforce: "Safe to enforce"
        case .wait: "Not safe to enforce"
        case .investigate: "Not safe to enforce, and most of what would be refused carries a refused token"
        case .insufficient: "Cannot tell yet"
        case .blind: "Cannot tell: the log does not show what passes"
        case .exempt: "Not to be enforced, says the policy"
        case .enforced: "Enforced already, says the policy"
        case .superseded: "Nothing to decide: another function has taken its place"
        }
    }
}
