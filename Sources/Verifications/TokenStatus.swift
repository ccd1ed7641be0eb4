/// What the Functions SDK found when it checked one token of a callable request.
///
/// The SDK writes one status for the App Check token and one for the Auth token. The raw value indexes the cells of a
/// status matrix; it is never written to a file.
public enum TokenStatus: UInt8, CaseIterable, Comparable, Sendable {
    /// The token was present and verified.
    case valid = 0
    /// The token was present and refused.
    case invalid = 1
    /// No token was sent.
    case missing = 2
    /// The entry names no status, or one that the SDK does not write.
    case other = 3

    /// The spelling in logs and in every machine-readable output: `VALID`, `INVALID`, `MISSING`, `OTHER`.
    public var name: String {
        switch self {
        case .valid: "VALID"
        case .invalid: "INVALID"
        case .missing: "MISSING"
        case .other: "OTHER"
        }
    }

    public static func < (left: TokenStatus, right: TokenStatus) -> Bool {
        left.rawValue < right.rawValue
    }
}
