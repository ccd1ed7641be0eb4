package import Verifications

/// The sign that one request gives of enforcement: a request without a valid App Check token whose Auth token was not
/// refused.
///
/// Its meaning is decided when all is known: whether the revision streams, whether its handler answers 401 itself,
/// and whether the project's SDK writes "Allowing request…".
package struct EnforcementSign: Hashable, Sendable {
    package enum Line: UInt8, Sendable {
        case none
        /// Its token was refused with a cause, and no line says that the request goes on.
        case refused
        /// The SDK's own line "Allowing request…".
        case allowing
        /// Let through, which says nothing of enforcement: it has exceptions.
        case exempt
    }

    /// Its row, or generation 1's line about its execution.
    package let answer: RequestRow.ResponseClass?
    package let line: Line
    let isInvalid: Bool
    package let isSignedIn: Bool

    /// Nil for a request of which nothing is known.
    package init?(answer: RequestRow.ResponseClass?, line: Line, app: TokenStatus, auth: TokenStatus) {
        guard app != .valid, auth != .invalid, answer != nil || line != .none else { return nil }
        (self.answer, self.line) = (answer, line)
        (isInvalid, isSignedIn) = (app == .invalid, auth == .valid)
    }

    /// True where its row, or the SDK, shows that it was let through; a stream answers so, too.
    package var isServed: Bool { line == .allowing || line == .exempt || answer?.isServed == true }

    /// True where enforcement may have refused the request.
    package var mayBeRefused: Bool { line != .allowing && (answer == .unauthenticated || line == .refused) }
}
