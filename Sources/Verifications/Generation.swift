/// Which of the two Cloud Functions products runs a function.
public enum Generation: UInt8, Comparable, Sendable {
    /// Cloud Functions (1st gen): `resource.type` is `cloud_function`.
    case first = 1
    /// Cloud Run functions (2nd gen): `resource.type` is `cloud_run_revision`.
    case second = 2

    public static func < (left: Generation, right: Generation) -> Bool {
        left.rawValue < right.rawValue
    }
}
