import Verifications

/// What firebase-functions for Node says of a request's tokens.
enum SDKMessage {
    static func text(_ app: TokenStatus, _ auth: TokenStatus) -> String {
        let reasons = SDKMessage.reasons(app, auth)
        guard !reasons.isEmpty else { return "Callable request verification passed" }
        return "Callable request verification failed: " + reasons.joined(separator: " ")
    }

    /// One sentence for each token that was refused.
    static func reasons(_ app: TokenStatus, _ auth: TokenStatus) -> [String] {
        var reasons: [String] = []
        if app == .invalid { reasons.append("AppCheck token was rejected.") }
        if auth == .invalid { reasons.append("Auth token was rejected.") }
        return reasons
    }

    /// ``TokenStatus/other`` means any word that the SDK does not write today.
    static func spelling(_ status: TokenStatus) -> String {
        status == .other ? "UNDETERMINED" : status.name
    }
}
