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
    package let isInvalid: Bool
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

/// The requests of one revision on one day, all of them or those between two instants that matter: nearly every day
/// has one part.
package struct RevisionPart: Hashable, Sendable {
    package let revision: Revision
    /// The number, from 1 on, of the beginning of a revision that the requests belong to: a revision that answers again
    /// after requests of others begins anew.
    package var beginning: Int
    /// The first and the last request, in nanoseconds since midnight.
    package private(set) var first = Int64.max
    package private(set) var last = Int64.min
    package private(set) var requests = 0
    package private(set) var signs: [EnforcementSign: Int] = [:]
    /// The first one of each that may have been refused.
    package private(set) var firstRefused: [EnforcementSign: Int64] = [:]
    /// As in ``DayTally``.
    private(set) var blocked = BlockedTimes()
    private(set) var signedInBlocked = BlockedTimes()
    /// Requests with both tokens VALID, and those of them that were answered 401.
    package private(set) var valid = 0
    package private(set) var validRefused = 0
    /// Signed-out requests with a VALID App Check token that were answered 2xx.
    package private(set) var signedOutServed = 0
    /// Requests without an Auth token that have an answer, and those answered 200 to 399.
    package private(set) var anonymousAnswered = 0
    package private(set) var anonymousServed = 0
    /// Requests whose Auth token is INVALID that were answered 2xx: a stream answers so before it refuses.
    package private(set) var authRefusedServed = 0
    /// The statuses, where the day has several parts; empty else.
    private var ownCounts: [StatusMatrix] = []

    package init(_ revision: Revision, beginning: Int) { (self.revision, self.beginning) = (revision, beginning) }

    /// Counts requests of which nothing is known but when the first and the last came.
    mutating func add(_ count: Int, at nanoseconds: ClosedRange<Int64>) {
        (first, last) = (min(first, nanoseconds.lowerBound), max(last, nanoseconds.upperBound))
        requests += count
    }

    /// Counts requests of one instant, and what their answer shows.
    package mutating func add(
        _ count: Int, at nanosecond: Int64, app: TokenStatus, auth: TokenStatus, answer: RequestRow.ResponseClass?,
        sign: EnforcementSign?
    ) {
        (first, last) = (min(first, nanosecond), max(last, nanosecond))
        requests += count
        if let sign {
            signs[sign, default: 0] += count
            if sign.mayBeRefused { firstRefused[sign] = min(firstRefused[sign] ?? nanosecond, nanosecond) }
        }
        if app != .valid, auth != .invalid {
            blocked.add(nanosecond: nanosecond)
            if auth == .valid { signedInBlocked.add(nanosecond: nanosecond) }
        }
        if auth == .missing, let answer {
            anonymousAnswered += count
            if answer.isServed { anonymousServed += count }
        }
        switch (app, auth) {
        case (_, .invalid): if answer == .success { authRefusedServed += count }
        case (.valid, .valid):
            valid += count
            if answer == .unauthenticated { validRefused += count }
        case (.valid, _): if answer == .success { signedOutServed += count }
        default: break
        }
    }

    /// Gives the part the statuses of its requests, where they are not all of the day's.
    package mutating func keep(_ counts: StatusMatrix) { ownCounts = [counts] }

    /// The statuses of its requests, on a day that has these.
    package func counts(among all: StatusMatrix) -> StatusMatrix { ownCounts.first ?? all }
}

/// Tells when the revisions of a function began, from requests in order of time.
package struct RevisionTimeline: Sendable {
    /// Requests of others after which a revision that answers again has returned.
    private static let absence = 20

    private var known: [Revision: (beginning: Int, position: Int, day: Day)] = [:]
    private var requests = 0
    private var beginnings = 0
    /// The revision that was the last to begin, or to be the first time seen on a day.
    private var newest: Revision?

    package init() {}

    /// Takes requests of one revision in a row; returns the number of the beginning that they belong to.
    ///
    /// If no other revision has begun since, a revision that returns goes on: a canary has few requests. The stretch
    /// may start on any day, and what it starts with begins there.
    package mutating func add(_ revision: Revision, _ count: Int, on day: Day) -> Int {
        let found = known[revision]
        var beginning = beginnings + 1
        if let found,
            requests - found.position < RevisionTimeline.absence
                || newest == revision && found.beginning == beginnings
        {
            beginning = found.beginning
        }
        if found?.beginning != beginning || found?.day != day { newest = revision }
        beginnings = max(beginnings, beginning)
        requests += count
        known[revision] = (beginning, requests, day)
        return beginning
    }
}
