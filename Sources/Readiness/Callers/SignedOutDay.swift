import Verifications

extension Finding.Code {
    /// The log shows that the function serves nobody who is signed out, so signed-in requests alone are judged.
    package static let signedOutRefused = Finding.Code(
        "signed-out-refused", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
}

/// Requests of a day, or of a part of one, with Auth MISSING, and what they were answered.
struct SignedOutDay: Sendable {
    let day: Day
    let requests: Int
    /// Requests whose answer is known.
    let answered: Int
    /// Answered 200 to 399.
    let served: Int

    static func find(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, window) = (result.evaluation, result.evaluation.window)
        guard evaluation.servesNobodySignedOut else { return nil }
        let days = evaluation.history.signedOutDays.filter { window?.days.contains($0.day) ?? false }
        return Finding(code: .signedOutRefused, value: Double(days.reduce(0) { $0 + $1.requests }))
    }

    private static let fewestRequests = 20
    private static let fewestDays = 3

    /// True if the log shows that nobody who is signed out is served, so that enforcement takes nothing from them.
    static func showNobodyServed(_ days: [SignedOutDay], in window: Window?) -> Bool {
        guard let window else { return false }
        let days = days.filter { window.days.contains($0.day) && $0.requests > 0 }
        let (requests, answered) = days.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.answered) }
        return requests >= fewestRequests && Set(days.map(\.day)).count >= fewestDays
            && 20 * answered >= 19 * requests && days.allSatisfy { $0.served == 0 }
    }
}
