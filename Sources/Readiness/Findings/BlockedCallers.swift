import Verifications

/// Advice on who sends the requests, the blocked ones above all.
package enum BlockedCallers: Hashable, Sendable {
    /// Signed-in callers alone would be safe to enforce.
    case anonymousOnly(blocked: Int, signedInBlocked: Int, signedInUpper: Double, limit: Double)
    /// Refused tokens took the place of missing ones, or the other way round.
    ///
    /// After an update of the client SDK the same failing clients send a placeholder token instead of none: MISSING
    /// becomes INVALID, which looks like an attack but is not one.
    case shiftedToInvalid(olderShare: Double, newerShare: Double)
    /// Blocked requests with a row that are answered with an error anyway.
    case alreadyFailing(Int, of: Int)
    /// Most blocked requests with a row come from clients that are not apps: tools, servers, scheduled jobs.
    case notAnApp(Int, of: Int)
    /// Valid tokens came from tools, servers or simulators, where no attestation works: a debug token gives such.
    case validFromTools(Int)

    var facts: Finding {
        switch self {
        case .anonymousOnly(_, _, let upper, let limit):
            .init("anonymous-only", .advice, value: upper, limit: limit)
        case .shiftedToInvalid(_, let newerShare):
            .init("shifted-to-invalid", .advice, value: newerShare)
        case .alreadyFailing(let failing, _):
            .init("already-failing", .advice, value: Double(failing))
        case .notAnApp(let foreign, let blocked):
            .init("not-an-app", .advice, value: Double(foreign) / Double(blocked), limit: 0.5)
        case .validFromTools(let valid):
            .init("valid-from-tools", .advice, value: Double(valid))
        }
    }
}

extension BlockedCallers {
    static func findAnonymous(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        guard signedIn.verdict == .enforce else { return nil }
        switch result.verdict {
        case .wait, .investigate: break
        case .insufficient:
            guard result.findings.contains(where: { if case .sample(.tooFewRequests) = $0 { true } else { false } })
            else { return nil }
        default: return nil
        }
        return .callers(
            .anonymousOnly(
                blocked: Int(result.evaluation.period.blocked),
                signedInBlocked: Int(signedIn.evaluation.period.blocked),
                signedInUpper: signedIn.evaluation.period.upper, limit: result.evaluation.numbers.maxBlocked))
    }

    /// Compares the halves of the window: blocked requests changed their kind while their rate stayed.
    ///
    /// The newer half has the middle day of an odd number: its last day is often not over.
    static func findShift(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        let days = result.evaluation.period.days
        guard let window = result.evaluation.window, window.dayCount >= 2 else { return nil }
        let middle = window.from.advanced(by: window.dayCount / 2)
        let confidence = result.evaluation.numbers.confidence
        let older = Period(days.prefix { $0.day < middle }, confidence: confidence)
        let newer = Period(days.drop { $0.day < middle }, confidence: confidence)
        guard
            Proportions.differ(older.tokenRefused, of: older.blocked, from: newer.tokenRefused, of: newer.blocked),
            !Proportions.differ(older.blocked, of: older.admitted, from: newer.blocked, of: newer.admitted)
        else { return nil }
        return .callers(
            .shiftedToInvalid(
                olderShare: older.tokenRefused / older.blocked, newerShare: newer.tokenRefused / newer.blocked))
    }
}

extension CallerSummary.Clients {
    /// Fewer requests show nothing of their clients.
    package static let fewest = 5

    /// What the clients' user agents advise; where enforcement has refused some, blocked requests fail because of it.
    func advice(hasRefused: Bool) -> [Reason] {
        var advice: [BlockedCallers] = []
        let blocked = callers.blockedJoined
        if !hasRefused, let alreadyFailing, alreadyFailing > 0 {
            advice.append(.alreadyFailing(alreadyFailing, of: blocked))
        }
        let foreign = count([.server, .google, .tool, .none], \.blocked)
        if blocked >= CallerSummary.Clients.fewest, 2 * foreign > blocked {
            advice.append(.notAnApp(foreign, of: blocked))
        }
        let leaked = count([.server, .tool, .iosSimulator], \.verified)
        if leaked > 0 { advice.append(.validFromTools(leaked)) }
        return advice.map { .callers($0) }
    }

    private func count(_ kinds: Set<ClientKind>, _ requests: (AdmittedCallers.Counts) -> Int) -> Int {
        callers.clients.reduce(0) { kinds.contains($1.key.kind) ? $0 + requests($1.value) : $0 }
    }
}
