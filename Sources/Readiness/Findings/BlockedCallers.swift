import Verifications

extension Finding.Code {
    /// Signed-in callers alone would be safe to enforce.
    package static let anonymousOnly = Finding.Code("anonymous-only")
    /// Blocked requests with a row that are answered with an error anyway.
    package static let alreadyFailing = Finding.Code("already-failing")
    /// Most blocked requests with a row come from clients that are not apps: tools, servers, scheduled jobs.
    package static let notAnApp = Finding.Code("not-an-app")
    /// Valid tokens came from tools, servers or simulators, where no attestation works: a debug token gives such.
    package static let validFromTools = Finding.Code("valid-from-tools")
}

/// Advice on who sends the requests, the blocked ones above all.
enum BlockedCallers {
    static func findAnonymous(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        guard signedIn.verdict == .enforce else { return nil }
        switch result.verdict {
        case .wait, .investigate: break
        case .insufficient where result.findings.has(.tooFewRequests): break
        default: return nil
        }
        return Finding(
            code: .anonymousOnly, value: signedIn.evaluation.period.upper, limit: result.evaluation.numbers.maxBlocked,
            count: signedIn.evaluation.period.blocked, total: result.evaluation.period.blocked)
    }
}

extension WindowClients {
    /// Returns advice from the clients' user agents; if enforcement has refused some, blocked requests fail due to it.
    func advice(hasRefused: Bool) -> [Finding] {
        var advice: [Finding] = []
        let blocked = callers.sum().blocked
        if !hasRefused, let alreadyFailing, alreadyFailing > 0 {
            advice.append(Finding(code: .alreadyFailing, value: Double(alreadyFailing), total: blocked))
        }
        let foreign = callers.sum { [.server, .google, .tool, .none].contains($0.kind) }.blocked
        if blocked >= WindowClients.minimumBlocked, 2 * foreign > blocked {
            advice.append(
                Finding(
                    code: .notAnApp, value: Double(foreign) / Double(blocked), limit: 0.5, count: foreign,
                    total: blocked))
        }
        let leaked = [callers, programs].reduce(0) { sum, callers in
            sum + callers.sum { [.server, .tool, .iosSimulator].contains($0.kind) }[.valid]
        }
        if leaked > 0 { advice.append(Finding(code: .validFromTools, value: Double(leaked))) }
        return advice
    }
}
