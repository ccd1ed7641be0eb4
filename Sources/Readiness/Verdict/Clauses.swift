/// The clauses of the rule that depend on the days, for what they are asked about.
struct Clauses: Sendable {
    typealias Clause = @Sendable (Evaluation) -> [Finding]
    typealias Advice = @Sendable (_ result: ConfirmedEvaluation, _ signedIn: ConfirmedEvaluation) -> Finding?

    /// Alone where nothing was seen in the window.
    let silence: Clause
    /// Clauses whose findings hold for the days to come as well.
    let failures: Clause
    let platforms: Clause
    let callers: Clause
    /// The same for a time.
    let silences: Clause
    /// In the order in which they decide: each gives those of its reasons that hold.
    let all: [Clause]
    /// Advice, which never changes a verdict, in the order in which it is listed.
    let advice: [Advice]
    /// The findings that accompany a pass.
    let remarks: @Sendable (ConfirmedEvaluation) -> [Finding]
    /// False where refused clients try again, so that no prediction can be compared with.
    let predicts: Bool

    static let ofFunctions = Clauses(
        silence: Silence.find, failures: Failures.find, platforms: Platforms.find,
        callers: Platforms.findUnknownCallers, silences: PlatformSilence.find,
        all: [
            Passes.findHidden,
            Silence.find,
            ExcessBlocking.find,
            FailingNow.find,
            Platforms.find,
            SampleSize.findTooFewRequests,
            Platforms.findUnknownCallers,
            PlatformSilence.find,
            SampleSize.findTooFewDays,
            Completeness.findGap,
            Failures.find,
            Completeness.findUncounted,
            Origin.findUnattributed,
            Origin.findMix,
            Origin.findTwoShapes,
            EnforcementNotice.findContradiction,
        ],
        advice: [
            Completeness.findFailingBeforeLog,
            BlockedCallers.findAnonymous,
            RaisedShare.find,
            Passes.findAllRefused,
            Failures.findUnproven,
            Origin.findTextOnly,
            Origin.findSDK3,
            Platforms.findAnonymous,
            AlreadyRefused.findSignedOut,
            AlreadyRefused.findTokenless,
        ], remarks: { Platforms.adviseUnknownCallers($0) + PlatformSilence.advise($0) }, predicts: true)
}

extension Clauses {
    /// Coverage, streams, blindness and machines do not apply: one answer has all kinds of requests.
    static let ofServices = Clauses(
        silence: CountedRequests.findSilence, failures: { _ in [] }, platforms: HoursOfDay.find,
        callers: CountedRequests.findUnknownApps, silences: { _ in [] },
        all: [
            CountedRequests.findSilence,
            ExcessBlocking.find,
            FailingNow.find,
            HoursOfDay.find,
            SampleSize.findTooFewRequests,
            CountedRequests.findUnknownApps,
            SampleSize.findTooFewDays,
            CountedRequests.findGap,
            Completeness.findUncounted,
            EnforcementNotice.findContradiction,
        ],
        advice: [
            BlockedCallers.findAnonymous,
            RaisedShare.find,
            CountedRequests.findAllRefused,
            CountedRequests.findFallenApps,
            CountedRequests.findUnproven,
        ], remarks: CountedRequests.adviseBesidePass, predicts: false)
}
