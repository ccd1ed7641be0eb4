import Verifications

extension Finding.Code {
    /// Only some of the revisions that share the requests enforce App Check.
    package static let enforcedPartly = Finding.Code(
        "enforced-partly", .advice, .caution, [.shared, .inAnswers, .now])
    /// Requests were refused, too few to know whether enforcement is on: ``Finding/value`` in the last 24 hours,
    /// ``Finding/count`` since ``Finding/instant``.
    package static let refusedRecently = Finding.Code(
        "refused-recently", .advice, .caution, [.shared, .inAnswers, .now])
    /// By policy enforcement is on, and the log shows that it is off.
    package static let policyContradicted = Finding.Code(
        "policy-contradicted", .doubt, .caution, [.shared, .inAnswers, .whole, .now])
    /// By policy nobody signed out is served, and the log shows that they are.
    package static let authContradicted = Finding.Code(
        "policy-contradicted", .doubt, .caution, [.shared, .inAnswers, .whole, .ofReadiness])
    /// By policy enforcement is to be switched on later.
    package static let planned = Finding.Code("enforcement-planned", .advice, .note, [.shared, .inAnswers])
    /// Enforcement was on for some time, and is off again.
    package static let wasEnforced = Finding.Code("was-enforced", .advice, .caution, [.shared, .inAnswers])
    /// The log shows that enforcement is on, and the policy does not say so.
    package static let missingEntry = Finding.Code("enforced-by-log", .advice, .caution, [.shared, .inAnswers, .now])
}

/// Findings about enforcement that matter under every verdict.
enum EnforcementNotice {
    static func find(_ function: FunctionSummary) -> [Finding] {
        let enforcement = function.assessment.enforcement
        let ofPolicy: Finding.Code? =
            enforcement.planned != nil
            ? .planned : function.missingEntry != nil && !function.assessment.isLockout ? .missingEntry : nil
        let recent = refusedRecently(enforcement)
        let past = enforcement.past.map { Finding(code: .wasEnforced, value: Double($0.refused), total: $0.requests) }
        let now = enforcement.state == .partly ? Finding(code: .enforcedPartly) : recent ?? past
        return [ofPolicy.map { Finding(code: $0) }, now].compactMap(\.self)
    }

    private static func refusedRecently(_ enforcement: Enforcement) -> Finding? {
        guard enforcement.recent != nil || enforcement.firstSigns != nil else { return nil }
        let lastDay = enforcement.recent?.refused ?? 0
        return Finding(
            code: .refusedRecently, value: Double(lastDay), count: enforcement.firstSigns?.refused ?? lastDay,
            instant: enforcement.firstSigns?.first ?? enforcement.recent?.first)
    }

    /// A clause of the rule: what somebody wrote passes nothing that the log shows to be otherwise.
    static func findContradiction(_ evaluation: Evaluation) -> [Finding] {
        if evaluation.history.enforcement.isContradicted { return [Finding(code: .policyContradicted)] }
        return evaluation.isAuthContradicted ? [Finding(code: .authContradicted)] : []
    }
}
