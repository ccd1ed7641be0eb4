import Readiness
import Verifications

extension SampleSize {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .tooFewRequests(let missing, let upper, let limit, let admitted):
            let few = "\(Figures.counted(admitted, "request")) \(admitted == 1 ? "is" : "are") not enough to be sure"
            let bound = "up to \(Figures.rate(upper, .up, against: limit))"
            return Words(
                """
                \(few): \(bound) could be refused (\(Figures.exactRate(limit)) allowed). \
                \(Figures.counted(missing, "more request", plural: "more requests")) \
                \(missing == 1 ? "is enough if it has" : "are enough if all have") a valid token.
                """,
                enforced: { _ in
                    "\(few): \(bound) may have no valid App Check token (\(Figures.exactRate(limit)) allowed)."
                },
                brief: "\(Figures.counted(admitted, "request")), \(Figures.grouped(missing)) more needed",
                remedy: { $0.collect(missing) })
        case .tooFewDays(let age, let limit):
            return Words(
                """
                The log of this function goes back \(Figures.counted(age, "day")); \(Figures.grouped(limit)) are \
                required.
                """,
                brief: "log of \(Figures.grouped(age)) of \(Figures.counted(limit, "day"))",
                remedy: { _ in SampleSize.more(limit - age, "day of log", "days of log") })
        case .tooFewActiveDays(let days, let limit):
            return Words(
                "Requests on only \(Figures.counted(days, "day")); \(Figures.grouped(limit)) are required.",
                brief: "requests on \(Figures.grouped(days)) of \(Figures.counted(limit, "day"))",
                remedy: { _ in SampleSize.more(limit - days, "day with requests", "days with requests") })
        }
    }

    /// One item, such as `3 more days of log.`.
    static func more(_ count: Int, _ one: String, _ several: String) -> [Words.Block] {
        [.item("\(Figures.counted(count, "more \(one)", plural: "more \(several)")).")]
    }
}

extension Explanation {
    /// How long it takes to collect the missing requests, and the window that can hold them.
    fileprivate func collect(_ missing: Int) -> [Words.Block] {
        let requests: Wording = """
            \(Figures.counted(missing, "more request", plural: "more requests")), all with a valid token.
            """
        let assessment = function.assessment
        let evidence = assessment.evidence
        guard evidence.admitted > 0, evidence.observedDays > 0 else { return [.item(requests)] }
        let perDay = Double(evidence.admitted) / Double(evidence.observedDays)
        if let needed = assessment.neededWindow {
            let longest = max(assessment.policy.numbers.maxWindow, assessment.policy.numbers.window)
            let widen: Wording = """
                 At \(Figures.amount(perDay)) a day, a window of \(Figures.counted(longest, "day")) never holds that \
                many. Collect \(Figures.counted(needed, "day")) of log and allow \(code: "--max-window \(needed)d").
                """
            return [.item(requests + widen)]
        }
        let days = Int((Double(missing) / perDay).rounded(.up))
        let wait: Wording = " At \(Figures.amount(perDay)) a day that takes about \(Figures.counted(days, "day"))."
        return [.item(requests + wait)]
    }
}
