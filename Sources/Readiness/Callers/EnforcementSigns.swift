package import Verifications

/// What one day shows of whether enforcement is on.
package struct EnforcementSigns: Hashable, Sendable {
    /// How often something was seen, and when last, in nanoseconds since midnight.
    package struct Sign: Hashable, Sendable {
        package private(set) var count = 0
        package private(set) var newest: Int64 = -1

        package init(count: Int = 0, newest: Int64 = -1) {
            self.count = count
            self.newest = newest
        }

        package mutating func add(_ number: Int, at nanosecond: Int64) {
            count += number
            newest = max(newest, nanosecond)
        }

        mutating func merge(_ other: Sign) {
            count += other.count
            newest = max(newest, other.newest)
        }
    }

    /// A token was refused with its cause, and the SDK did not say that the request goes on.
    package var refused = Sign()
    /// The SDK said that the request goes on all the same.
    package var allowed = Sign()
    /// A request without a token was answered 2xx.
    package var missingAccepted = Sign()
    /// A signed-in request without a token was answered 401, or otherwise.
    package var missingRefused = Sign()
    package var missingOther = 0
    /// The same of requests with both tokens.
    package var verifiedRefused = 0
    package var verifiedOther = 0
    /// The same of requests whose Auth token is refused.
    package var authRefused = 0
    package var authOther = 0
    /// Requests without a valid App Check token whose Auth token is not refused: answered 401, with success (or 3xx, or
    /// nobody knows), and otherwise.
    package var unverifiedRefused = 0
    package var unverifiedAccepted = 0
    package var unverifiedOther = 0
    /// Those among them without a token that were answered 401.
    package var missingUnauthenticated = 0

    /// Fewer refusals without a token show nothing.
    static let fewestRefusals = 5

    package init() {}

    /// Counts the answer to a verification.
    package mutating func add(
        _ count: Int, app: TokenStatus, auth: TokenStatus, answer: RequestRow.Answer, at nanosecond: Int64
    ) {
        let isRefused = answer == .unauthenticated
        switch (app, auth) {
        case (_, .invalid):
            if isRefused { authRefused += count } else { authOther += count }
        case (.valid, .valid):
            if isRefused { verifiedRefused += count } else { verifiedOther += count }
        case (.missing, .valid):
            if isRefused { missingRefused.add(count, at: nanosecond) } else { missingOther += count }
        default: break
        }
        guard app != .valid, auth != .invalid else { return }
        switch answer {
        case .unauthenticated: unverifiedRefused += count
        case .success, .other: unverifiedAccepted += count
        case .failure: unverifiedOther += count
        }
        guard app == .missing else { return }
        if isRefused { missingUnauthenticated += count }
        if answer == .success { missingAccepted.add(count, at: nanosecond) }
    }

    mutating func merge(_ other: EnforcementSigns) {
        refused.merge(other.refused)
        allowed.merge(other.allowed)
        missingAccepted.merge(other.missingAccepted)
        missingRefused.merge(other.missingRefused)
        missingOther += other.missingOther
        verifiedRefused += other.verifiedRefused
        verifiedOther += other.verifiedOther
        authRefused += other.authRefused
        authOther += other.authOther
        unverifiedRefused += other.unverifiedRefused
        unverifiedAccepted += other.unverifiedAccepted
        unverifiedOther += other.unverifiedOther
        missingUnauthenticated += other.missingUnauthenticated
    }
}
