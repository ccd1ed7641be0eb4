import Verifications

extension Finding.Code {
    /// The apps of the refused requests are not counted; ``Finding/names`` has those with verified ones.
    package static let appsUnknown = Finding.Code(
        "callers-unknown", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
    /// The same where the policy requires that callers are known.
    package static let appsRequired = Finding.Code("callers-unknown", .doubt)
    /// Beside every pass: debug tokens count as verified, and requests are not people.
    package static let debugTokens = Finding.Code(
        "debug-tokens", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
    /// Beside a pass: counts are by day, so hours of the day were not looked at.
    package static let hoursNotSeen = Finding.Code(
        "hours-not-seen", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
    /// Verified requests of the apps in ``Finding/names`` fell by more than half while more was refused
    /// (``Finding/value``: by most), those of the others did not: they are likely to be refused.
    package static let appFell = Finding.Code("app-fell", .advice, .caution, [.shared])
    /// Tokens that were used before, and were let through: replay protection is not enforced.
    package static let reusedTokens = Finding.Code("reused-tokens", .advice, .note, .shared)
}

/// The clauses for requests of which a metric has counts alone.
enum CountedRequests {
    /// Silence of as many days is stale while other services of the project count.
    private static let silentDays = 2

    static func findSilence(_ evaluation: Evaluation) -> [Finding] {
        let last = evaluation.traffic.last?.day
        var findings: [Finding] = []
        if evaluation.seen.isEmpty {
            findings.append(Finding(code: .noTraffic, days: [last].compactMap(\.self)))
        }
        if let last, let today = evaluation.asOf?.day,
            let others = evaluation.history.project.trafficDays.last(where: { $0 <= today }),
            last.distance(to: others) >= silentDays
        {
            let silent = last.distance(to: today)
            findings.append(
                Finding(code: .stale, value: Double(silent), limit: Double(silentDays - 1), count: 1, days: [last]))
        }
        return findings + (evaluation.isNow ? [evaluation.history.exportOld].compactMap(\.self) : [])
    }

    /// Hours of the window that no answer covers, between hours that some do.
    static func findGap(_ evaluation: Evaluation) -> [Finding] {
        guard evaluation.numbers.assumeComplete != .everything, let window = evaluation.window,
            let asOf = evaluation.asOf
        else { return [] }
        let days = evaluation.history.table.gaps.filter { $0.lowerBound <= asOf }.flatMap { gap in
            (gap.lowerBound.day...gap.upperBound.adding(nanoseconds: -1).day).filter(window.days.contains)
        }
        return days.isEmpty
            ? [] : [Finding(code: .coverageGap, value: Double(Set(days).count), days: Set(days).sorted())]
    }

    static func findUnknownApps(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.callers { return lasting }
        return evaluation.numbers.requiresCallers ? [unknownApps(evaluation, .appsRequired)].compactMap(\.self) : []
    }

    private static func unknownApps(_ evaluation: Evaluation, _ code: Finding.Code) -> Finding? {
        guard evaluation.period.blockedRequests > 0 else { return nil }
        return Finding(
            code: code, value: evaluation.period.blockedRequests,
            names: evaluation.history.table.countedApps.map(\.name))
    }

    /// As many verified requests of an app were to be expected where it is named.
    private static let fewestExpected = 20.0
    private static let daysBefore = 7

    /// Compares the verified requests of each app within the last raised segment with those of the same hours of the
    /// week before it.
    static func findFallenApps(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, table) = (result.evaluation, result.evaluation.history.table)
        guard let raised = evaluation.segments?.all.lastRaised, let asOf = evaluation.asOf,
            let first = table.cells.first(where: \.isCounted), !table.cells.contains(where: \.isCoarse)
        else { return nil }
        func hour(_ instant: Instant) -> Int { Int(instant.hourStart.seconds / 3600) }
        let (start, end) = (hour(raised.start), raised.end.map(hour) ?? hour(asOf) + 1)
        let days = min(daysBefore, (start - hour(first.start)) / 24)
        guard days > 0 else { return nil }
        let hoursOfDay = (start..<end).reduce(into: Array(repeating: 0, count: 24)) { $0[$1 % 24] += 1 }
        var apps: [String: (seen: Double, expected: Double)] = [:]
        for cell in table.cells where cell.isCounted && cell.app == .valid {
            guard let app = table.client(of: cell)?.version?.app else { continue }
            let (place, count) = (hour(cell.start), Double(cell.count))
            if (start..<end).contains(place) { apps[app, default: (0, 0)].seen += count }
            if (start - 24 * days..<start).contains(place) {
                apps[app, default: (0, 0)].expected += count * Double(hoursOfDay[place % 24]) / Double(days)
            }
        }
        func hasFallen(_ sum: (seen: Double, expected: Double)) -> Bool { 2 * sum.seen < sum.expected }
        let fallen = apps.filter { hasFallen($0.value) && $0.value.expected >= fewestExpected }
        let others = apps.filter { fallen[$0.key] == nil }.values
            .reduce((seen: 0.0, expected: 0.0)) { ($0.seen + $1.seen, $0.expected + $1.expected) }
        guard !fallen.isEmpty, others.expected > 0, !hasFallen(others) else { return nil }
        return Finding(
            code: .appFell, value: fallen.values.map { 1 - $0.seen / $0.expected }.max(), instant: raised.start,
            names: fallen.keys.map { ExactName($0) }.sorted().map(\.text))
    }

    static func adviseBesidePass(_ result: ConfirmedEvaluation) -> [Finding] {
        guard result.verdict == .enforce else { return [] }
        let isCoarse = result.evaluation.history.table.cells.contains(where: \.isCoarse)
        return [
            Finding(code: .debugTokens), isCoarse ? Finding(code: .hoursNotSeen) : nil,
            unknownApps(result.evaluation, .appsUnknown),
        ].compactMap(\.self)
    }

    /// Returns the finding on reused tokens, which holds regardless of the verdict.
    static func findReusedTokens(_ function: FunctionSummary) -> [Finding] {
        let reused = function.table.count(.consumed, in: function.assessment.period.window)
        return reused > 0 ? [Finding(code: .reusedTokens, value: Double(reused))] : []
    }

    static func findAllRefused(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let period = result.evaluation.period
        guard period.admitted > 0, period.tokenRefused == period.admitted else { return nil }
        return Finding(code: .allRefused, value: period.requests)
    }

    /// Safe, and nothing but verified requests: all is well, or the rest was filtered out.
    static func findUnproven(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        guard result.verdict == .enforce, evaluation.period.requests >= Failures.unprovenRequests,
            evaluation.history.table.cells.allSatisfy({ cell in
                !cell.isCounted || !cell.isBlocked && evaluation.history.table.security(of: cell) == .valid
            })
        else { return nil }
        return Finding(code: .failuresUnproven, value: evaluation.period.requests)
    }
}
