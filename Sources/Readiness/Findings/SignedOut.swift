import Verifications

extension Finding.Code {
    /// The log shows that the function serves nobody who is signed out, so signed-in requests alone are judged.
    package static let signedOutRefused = Finding.Code(
        "signed-out-refused", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
}

/// Requests with Auth MISSING, and what they were answered.
enum SignedOut {
    static func find(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        guard evaluation.servesNobodySignedOut, let window = evaluation.window else { return nil }
        let requests = cells(evaluation.history.judgement, in: window).reduce(0) { $0 + $1.count }
        return Finding(code: .signedOutRefused, value: Double(requests))
    }

    private static let fewestRequests = 20
    private static let fewestDays = 3

    /// True if the log shows that nobody who is signed out is served, so that enforcement takes nothing from them.
    static func showNobodyServed(_ judgement: Judgement, in window: Window?) -> Bool {
        guard let window else { return false }
        let cells = cells(judgement, in: window)
        let requests = cells.reduce(0) { $0 + $1.count }
        let answered = cells.reduce(0) { $1.answer == nil ? $0 : $0 + $1.count }
        return requests >= fewestRequests && Set(cells.map(\.day)).count >= fewestDays
            && 20 * answered >= 19 * requests && !cells.contains { $0.answer?.isServed ?? false }
    }

    private static func cells(_ judgement: Judgement, in window: Window) -> [Cell] {
        judgement.table.cells(in: window.days).filter(judgement.isSignedOut)
    }
}
