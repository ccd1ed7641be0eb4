import Verifications

/// People are hurt by platform, not by request: a website without App Check is all of the browsers, and may be few of
/// the requests.
package enum Platforms: Hashable, Sendable {
    /// Whole platforms would be refused: those that are meant, most blocked first, and the highest lower bound of all.
    case refused([PlatformCount], bound: Double, limit: Double)
    /// The newest release of an app would be refused, which soon most people have.
    case releaseRefused([PlatformCount], limit: Double)
    /// Advice: of all requests whole platforms would be refused, of the signed-in ones they would not.
    case anonymous([PlatformCount], bound: Double, limit: Double)
    /// Beside the verdict: what was refused is refused no more, since an instant.
    case cured(Cure)
    /// Beside the verdict: all of a platform's requests are refused since an instant, whichever the version.
    case outage(Outage)
    /// Fewer than half of the blocked requests have a row, so that nobody knows who would be refused.
    ///
    /// Generation 1 writes no rows that would show it.
    case callersUnknown(known: Int, blocked: Int, isRequired: Bool, canBeShown: Bool)

    /// The most that are listed.
    package static let listed = 20

    var facts: Finding {
        switch self {
        case .refused(_, let bound, let limit): .init("platform-refused", .against, value: bound, limit: limit)
        case .releaseRefused(let releases, let limit):
            .init("release-refused", .against, value: releases.map(\.lower).max(), limit: limit)
        case .anonymous(_, let bound, let limit): .init("platform-anonymous", .advice, value: bound, limit: limit)
        case .cured(let cure): .init("platform-fixed", .advice, value: Double(cure.requests))
        case .outage: .init("platform-outage", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
        case .callersUnknown(let known, let blocked, let isRequired, _):
            .init(
                "callers-unknown", isRequired ? .doubt : .advice, value: Double(known) / Double(blocked), limit: 0.5,
                .caution, isRequired ? [] : [.shared, .inAnswers, .ofReadiness, .countedOnly])
        }
    }
}

extension Platforms {
    /// Fewer blocked requests make no platform and no release.
    private static let fewestBlocked = 5.0

    static func find(_ evaluation: Evaluation) -> [Reason] {
        if let lasting = evaluation.lasting?.platforms { return lasting }
        let blocked = evaluation.days.within(PlatformView.window(of: evaluation)).reduce(0) { $0 + $1.blocked }
        guard blocked >= fewestBlocked, let view = evaluation.platforms else { return [] }
        let (platforms, releases) = (view.refused.prefix(listed), view.refusedReleases.prefix(listed))
        var findings: [Platforms] = []
        if let bound = platforms.map(\.lower).max() {
            findings.append(.refused(view.meant(of: Array(platforms)), bound: bound, limit: view.limit))
        }
        if !releases.isEmpty { findings.append(.releaseRefused(Array(releases), limit: view.releaseLimit)) }
        return findings.map { .platforms($0) }
    }

    static func findAnonymous(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        let evaluation = result.evaluation
        guard !evaluation.numbers.requiresAuth, let view = evaluation.platforms, view.isSignedIn,
            let all = PlatformView(evaluation, isSignedIn: false)
        else { return nil }
        let listed = Set(view.refused.map(\.name))
        let platforms = all.refused.filter { !listed.contains($0.name) }.prefix(Platforms.listed)
        return platforms.map(\.lower).max().map { bound in
            .platforms(.anonymous(all.meant(of: Array(platforms)), bound: bound, limit: all.limit))
        }
    }

    /// Where callers are required to be known; each night by its own window.
    static func findUnknownCallers(_ evaluation: Evaluation) -> [Reason] {
        if let lasting = evaluation.lasting?.callers { return lasting }
        return evaluation.numbers.requiresCallers ? unknownCallers(evaluation).map { [$0] } ?? [] : []
    }

    static func adviseUnknownCallers(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        result.verdict == .enforce ? unknownCallers(result.evaluation) : nil
    }

    private static func unknownCallers(_ evaluation: Evaluation) -> Reason? {
        let blocked = Int(evaluation.period.blocked)
        guard blocked > 0 else { return nil }
        let known = evaluation.period.days.reduce(0) { sum, day in
            guard let callers = evaluation.history.callers?.days[day.day]?.admitted(evaluation.history.admission) else {
                return sum
            }
            let ignored = callers.counts { evaluation.numbers.ignoredClients.contains($0) }
            return sum + callers.blockedJoined - ignored.blocked + callers.blockedUnclear
        }
        guard 2 * known < blocked else { return nil }
        return .platforms(
            .callersUnknown(
                known: known, blocked: blocked, isRequired: evaluation.numbers.requiresCallers,
                canBeShown: evaluation.history.generation != .first))
    }
}
