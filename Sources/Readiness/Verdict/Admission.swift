public import Verifications

/// Which requests reach a function's code, so that enforcement could newly refuse them.
public enum Admission: Sendable {
    /// Auth is not INVALID: those are refused with 401 whatever App Check says.
    case notRefused
    /// Auth is VALID: the function itself refuses everybody else.
    case signedIn

    public func admits(auth: TokenStatus) -> Bool {
        switch self {
        case .notRefused: auth != .invalid
        case .signedIn: auth == .valid
        }
    }
}

extension StatusMatrix {
    /// Admitted requests.
    public func admitted(_ admission: Admission) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + admitted(admission, app: $1) }
    }

    /// Admitted requests with one App Check status.
    public func admitted(_ admission: Admission, app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { admission.admits(auth: $1) ? $0 + self[app, $1] : $0 }
    }

    /// Admitted requests without a valid App Check token: what enforcement would newly refuse.
    public func blocked(_ admission: Admission) -> Int {
        admitted(admission) - admitted(admission, app: .valid)
    }

    /// Verifications with neither token INVALID; MISSING passes, in the SDK's words.
    public var passed: Int {
        total - total(app: .invalid)
            - TokenStatus.allCases.reduce(0) { $1 == .invalid ? $0 : $0 + self[$1, .invalid] }
    }
}
