/// What the user vouches for, so that the rule need not doubt it.
public enum AssumeComplete: String, Sendable {
    case nothing
    /// The stream of failed verifications arrived: lifts `failures-not-seen` and `failures-stopped`.
    case failures
    /// The log is complete: lifts these, `coverage-gap` and `uncounted`.
    case everything
}
