import Verifications

extension Finding.Code {
    /// The log shows that the function serves nobody who is signed out, so signed-in requests alone are judged.
    package static let signedOutRefused = Finding.Code(
        "signed-out-refused", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .afterSwitch])
    /// The log shows that the function serves nobody without a valid token, so their requests do not count.
    package static let tokenlessRefused = Finding.Code(
        "tokenless-refused", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .afterSwitch])
}

/// Requests that the function itself refuses today: enforcement takes nothing from them.
enum AlreadyRefused {
    static func findSignedOut(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, judgement) = (result.evaluation, result.evaluation.history.judgement)
        guard evaluation.servesNobodySignedOut else { return nil }
        return Finding(code: .signedOutRefused, value: Double(evaluation.count { judgement.isSignedOut($0) }))
    }

    static func findTokenless(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, judgement) = (result.evaluation, result.evaluation.history.judgement)
        guard !evaluation.counted.tokenless else { return nil }
        let requests = evaluation.count {
            judgement.isAdmitted($0, evaluation.admission) && judgement.isTokenless($0)
        }
        return Finding(code: .tokenlessRefused, value: Double(requests))
    }
}
