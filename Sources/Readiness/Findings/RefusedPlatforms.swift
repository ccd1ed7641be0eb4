import Verifications

extension Finding.Code {
    /// Whole platforms would be refused: those that are meant, most blocked first, and the highest lower bound of all.
    package static let platformRefused = Finding.Code("platform-refused", .against)
    /// The newest release of an app would be refused, which soon most people have.
    package static let releaseRefused = Finding.Code("release-refused", .against)
    /// Advice: of all requests whole platforms would be refused, of the signed-in ones they would not.
    package static let platformAnonymous = Finding.Code("platform-anonymous")
    /// Beside the verdict: what was refused is refused no more, since an instant.
    package static let platformFixed = Finding.Code("platform-fixed")
    /// Advice beside a pass: platforms of which every request was refused, but which have gone, or are too small to
    /// hold anything up; ``Finding/days`` has the last day of each.
    package static let platformAside = Finding.Code(
        "platform-aside", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
    /// The same of requests since the switch, beside a pass of a gate for lock-outs.
    package static let platformAsideSinceSwitch = Finding.Code(
        "platform-aside", .advice, .caution, [.shared, .inAnswers, .afterSwitch])
    /// A platform of people sends nothing any more, since ``Finding/days``: what it would send is unknown.
    package static let platformSilent = Finding.Code("platform-silent", .doubt, .caution, [.shared, .inAnswers])
    /// The same of an app or a site whose other requests still come.
    package static let partSilent = Finding.Code("platform-silent", .advice, .caution, [.shared, .inAnswers])
    /// Too few of the requests, or of the blocked ones, have a row that shows their caller: ``Finding/known``.
    package static let callersUnknown = Finding.Code(
        "callers-unknown", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .countedOnly])
    /// The same of requests since the switch, beside a pass of a gate for lock-outs.
    package static let callersUnknownSinceSwitch = Finding.Code(
        "callers-unknown", .advice, .caution, [.shared, .inAnswers, .countedOnly, .afterSwitch])
    /// The same where the policy requires that callers are known.
    package static let callersRequired = Finding.Code("callers-unknown", .doubt)
    /// Nobody looked at platforms: rows were not read, or those of failures alone are there.
    package static let platformsNotSeen = Finding.Code(
        "platforms-not-seen", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .countedOnly])
    /// The same of requests since the switch, beside a pass of a gate for lock-outs.
    package static let platformsNotSeenSinceSwitch = Finding.Code(
        "platforms-not-seen", .advice, .caution, [.shared, .inAnswers, .countedOnly, .afterSwitch])
    /// The same where the policy requires that callers are known.
    package static let platformsRequired = Finding.Code("platforms-not-seen", .doubt)
}

extension Platforms {
    static func find(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.platforms { return lasting }
        guard evaluation.mayRefusePlatforms, let platforms = evaluation.platforms else { return [] }
        let (refused, releases) = (platforms.refused, platforms.refusedReleases.prefix(listed))
        return [
            platforms.finding(.platformRefused, refused),
            releases.map(\.lower).max().map {
                Finding(
                    code: .releaseRefused, value: $0, limit: platforms.releaseLimit, platforms: Array(releases))
            },
        ].compactMap(\.self)
    }

    private func finding(_ code: Finding.Code, _ refused: [PlatformCount]) -> Finding? {
        let refused = refused.prefix(Platforms.listed)
        return refused.map(\.lower).max().map {
            Finding(code: code, value: $0, limit: limit, platforms: smallestCover(of: Array(refused)))
        }
    }

    static func findAnonymous(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        guard evaluation.admission == .notRefused, let platforms = evaluation.platforms, platforms.isSignedIn,
            let all = Platforms(evaluation, isSignedIn: false)
        else { return nil }
        let known = Set(platforms.refused.map(\.name))
        return all.finding(.platformAnonymous, all.refused.filter { !known.contains($0.name) })
    }

    /// Returns the findings on unknown callers, if these are required to be known; each night by its own window.
    static func findUnknownCallers(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.callers { return lasting }
        guard evaluation.numbers.requiresCallers else { return [] }
        let isSeen = evaluation.history.readsCallers && evaluation.showsPlatforms
        return unseen(
            evaluation, KnownCallers(evaluation), 0.5, .callersRequired, isSeen ? nil : .platformsRequired)
    }

    /// What is not known of callers, beside a pass of either gate: after the switch the same is said, of the requests
    /// since then.
    static func adviseUnknownCallers(_ result: ConfirmedEvaluation) -> [Finding] {
        let evaluation = result.evaluation
        guard evaluation.history.readsCallers else { return [] }
        if result.verdict == .enforce {
            return aside(evaluation.platforms, .platformAside)
                + unseen(
                    evaluation, KnownCallers(evaluation), 0.95, .callersUnknown,
                    evaluation.showsPlatforms ? nil : .platformsNotSeen)
        }
        guard let after = evaluation.afterSwitch, evaluation.lockout == nil else { return [] }
        let platforms = Platforms(after, evaluation, isSignedIn: after.isSignedIn)
        return aside(platforms, .platformAsideSinceSwitch)
            + unseen(
                evaluation, KnownCallers(after, evaluation), 0.95, .callersUnknownSinceSwitch,
                platforms == nil || evaluation.rowsAreNameless ? .platformsNotSeenSinceSwitch : nil)
    }

    private static func aside(_ platforms: Platforms?, _ code: Finding.Code) -> [Finding] {
        let aside = platforms?.aside ?? []
        return aside.isEmpty
            ? [] : [Finding(code: code, days: aside.map(\.last), platforms: aside.map(\.platform))]
    }

    private static func unseen(
        _ evaluation: Evaluation, _ known: KnownCallers, _ limit: Double, _ unknown: Finding.Code,
        _ notSeen: Finding.Code?
    ) -> [Finding] {
        let finding = Finding(
            code: unknown, value: known.share, limit: limit, known: known, generation: evaluation.history.generation)
        return (known.share < limit ? [finding] : []) + [notSeen.map { Finding(code: $0) }].compactMap(\.self)
    }
}

/// For how many of a window's requests, and of the blocked ones, a row shows the caller.
package struct KnownCallers: Hashable, Sendable {
    package let requests: Int
    package let blocked: Int
    package let known: Int
    package let knownBlocked: Int

    /// The share of all or of the blocked ones, whichever is less; 1 without a request.
    package var share: Double {
        min(
            requests > 0 ? Double(known) / Double(requests) : 1,
            blocked > 0 ? Double(knownBlocked) / Double(blocked) : 1
        )
    }

    init(_ evaluation: Evaluation) {
        (requests, blocked) = (evaluation.period.admitted, evaluation.period.blocked)
        guard let window = evaluation.window.flatMap({ evaluation.project?.stretch(of: $0) }) else {
            (known, knownBlocked) = (0, 0)
            return
        }
        let judgement = evaluation.history.judgement
        // Rows without user agents know nobody.
        let rows = evaluation.history.table.cells(in: window.days).filter {
            !evaluation.rowsAreNameless && $0.row == .certain && judgement.isJudged($0, evaluation.counted)
        }
        (known, knownBlocked) = (rows.requests, rows.filter(\.isBlocked).requests)
    }

    /// Of the requests of the last W days since the switch, and those of them that were refused.
    init(_ after: AfterSwitch, _ evaluation: Evaluation) {
        let isRefused = after.judgement.history.isRefused
        let cells = after.cells(in: after.recent)
        let seen = evaluation.rowsAreNameless ? [] : cells.filter { $0.row == .certain }
        (requests, blocked) = (cells.requests, cells.filter(isRefused).requests)
        (known, knownBlocked) = (seen.requests, seen.filter(isRefused).requests)
    }
}
