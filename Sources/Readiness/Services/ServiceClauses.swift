import Verifications

extension Finding.Code {
    /// Requests of an hour of the day would be refused as a whole; ``Finding/counts`` has these hours.
    package static let hourRefused = Finding.Code("platform-refused", .against)
    /// The apps of the refused requests are not counted; ``Finding/names`` has those with verified ones.
    package static let appsUnknown = Finding.Code(
        "callers-unknown", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
    /// The same where the policy requires that callers are known.
    package static let appsRequired = Finding.Code("callers-unknown", .doubt)
    /// Beside every pass: debug tokens count as verified, and requests are not people.
    package static let debugTokens = Finding.Code(
        "debug-tokens", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
    /// Tokens that were used before, and were let through: replay protection is not enforced.
    package static let reusedTokens = Finding.Code("reused-tokens", .advice, .note, .shared)
}

extension Clauses {
    /// Coverage, streams, blindness and machines do not apply: one answer has all kinds of requests.
    static let ofServices = Clauses(
        silence: ServiceClauses.findSilence, failures: { _ in [] }, platforms: ServiceClauses.findHours,
        callers: ServiceClauses.findUnknownApps,
        all: [
            ServiceClauses.findSilence,
            ExcessBlocking.find,
            ServiceClauses.findHours,
            SampleSize.findTooFewRequests,
            ServiceClauses.findUnknownApps,
            SampleSize.findTooFewDays,
            Completeness.findUncounted,
            EnforcementNotice.findContradiction,
        ],
        advice: [
            FailingNow.find,
            BlockedCallers.findAnonymous,
            ExcessBlocking.findCleanDays,
            ServiceClauses.findAllRefused,
            ServiceClauses.findUnproven,
            ExcessBlocking.findBadDays,
        ], remarks: ServiceClauses.adviseBesidePass, predicts: false)
}

/// The clauses of the rule for services alone.
enum ServiceClauses {
    /// Silence of as many days is stale while other services of the project count.
    private static let silentDays = 2

    static func findSilence(_ evaluation: Evaluation) -> [Finding] {
        let last = evaluation.days.last?.day
        var findings: [Finding] = []
        if evaluation.period.days.isEmpty {
            findings.append(Finding(code: .noTraffic, days: [last].compactMap(\.self)))
        }
        if let last, let today = evaluation.asOf?.day,
            let others = evaluation.history.service?.projectDays.last(where: { $0 <= today }),
            last.distance(to: others) >= silentDays
        {
            let silent = last.distance(to: today)
            findings.append(
                Finding(code: .stale, value: Double(silent), limit: Double(silentDays - 1), count: 1, days: [last]))
        }
        return findings + (evaluation.isNow ? [evaluation.history.exportOld].compactMap(\.self) : [])
    }

    // MARK: Hours of the day

    private static let fewestBlocked = 10.0
    private static let fewestDays = 3
    private static let confidence = 0.99
    private static let leastShare = 0.5

    /// Debug tokens that run by night, and quotas that end by night, show as hours of the day.
    static func findHours(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.platforms { return lasting }
        guard let asOf = evaluation.asOf, let recent = evaluation.recentWindow,
            let window = Window(length: evaluation.numbers.maxWindow, asOf: asOf, since: evaluation.policy.since)
        else { return [] }
        let isSignedIn = evaluation.judgedAdmission == .signedIn
        return [refusedHours(evaluation, in: window, recent, isSignedIn: isSignedIn)].compactMap(\.self)
    }

    /// The hours of the day in which most requests would be refused; those in which they are, since a switch.
    static func refusedHours(
        _ evaluation: Evaluation, in window: Window, _ recent: Window, isSignedIn: Bool, since start: Instant? = nil
    ) -> Finding? {
        guard let asOf = evaluation.asOf, let service = evaluation.history.service, !service.isCoarse else {
            return nil
        }
        let limit = max(leastShare, evaluation.numbers.maxBlocked)
        let shown = service.hours.filter {
            window.days.contains($0.start.day) && start ?? $0.start <= $0.start && $0.start <= asOf
        }
        func count(_ hour: ServiceHour, where isRefused: (ServiceHour.Kind) -> Bool = { _ in true }) -> Double {
            Double(hour.count { ($0.isSignedIn || !isSignedIn) && isRefused($0) })
        }
        func blocked(_ hour: ServiceHour) -> Double {
            count(hour) { start == nil ? $0.app != .valid : $0.isDenied }
        }
        func sum(_ hours: [ServiceHour]) -> (requests: Double, blocked: Double) {
            hours.reduce((0, 0)) { ($0.0 + count($1), $0.1 + blocked($1)) }
        }
        let refused = Dictionary(grouping: shown, by: \.start.hour).compactMap {
            hour, hours -> (hour: Int, requests: Double, blocked: Double, lower: Double)? in
            let (all, newest) = (sum(hours), sum(hours.filter { recent.days.contains($0.start.day) }))
            guard all.blocked >= fewestBlocked, hours.count(where: { blocked($0) > 0 }) >= fewestDays,
                newest.requests > 0, 2 * newest.blocked >= newest.requests
            else { return nil }
            let lower = ClopperPearson.lower(blocked: all.blocked, requests: all.requests, confidence: confidence)
            return lower > limit ? (hour, all.requests, all.blocked, lower) : nil
        }.sorted { $0.hour < $1.hour }
        return refused.map(\.lower).max().map { bound in
            Finding(
                code: .hourRefused, value: bound, limit: limit, count: Int(refused.reduce(0) { $0 + $1.blocked }),
                total: Int(refused.reduce(0) { $0 + $1.requests }), counts: refused.map(\.hour))
        }
    }

    // MARK: Apps and tokens

    static func findUnknownApps(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.callers { return lasting }
        return evaluation.numbers.requiresCallers ? [unknownApps(evaluation, .appsRequired)].compactMap(\.self) : []
    }

    private static func unknownApps(_ evaluation: Evaluation, _ code: Finding.Code) -> Finding? {
        guard evaluation.period.blocked > 0, let service = evaluation.history.service else { return nil }
        return Finding(code: code, value: evaluation.period.blocked, names: service.apps.map(\.name))
    }

    static func adviseBesidePass(_ result: ConfirmedEvaluation) -> [Finding] {
        guard result.verdict == .enforce else { return [] }
        return [Finding(code: .debugTokens), unknownApps(result.evaluation, .appsUnknown)].compactMap(\.self)
    }

    /// Returns the finding on reused tokens, which holds regardless of the verdict.
    static func findReusedTokens(_ function: FunctionSummary) -> [Finding] {
        let reused = function.service?.count(.consumed, in: function.assessment.counts.window) ?? 0
        return reused > 0 ? [Finding(code: .reusedTokens, value: Double(reused))] : []
    }

    static func findAllRefused(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let period = result.evaluation.period
        guard period.admitted > 0, period.tokenRefused == period.admitted else { return nil }
        return Finding(code: .allRefused, value: period.admitted)
    }

    /// Safe, and nothing but verified requests: all is well, or the rest was filtered out.
    static func findUnproven(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        guard result.verdict == .enforce, evaluation.period.admitted >= Failures.unprovenRequests,
            evaluation.history.service?.hours.allSatisfy({ $0.count { $0.shown != .valid } == 0 }) ?? false
        else { return nil }
        return Finding(code: .failuresUnproven, value: evaluation.period.admitted)
    }
}
