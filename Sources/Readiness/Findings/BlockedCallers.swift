import Verifications

/// Advice on who sends the requests, the blocked ones above all.
package enum BlockedCallers: Hashable, Sendable {
    /// Signed-in callers alone would be safe to enforce.
    case anonymousOnly(blocked: Int, signedInBlocked: Int, signedInUpper: Double, limit: Double)
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
