import Readiness

extension Safety {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .safe(let upper, let limit):
            let evidence = assessment.evidence
            let bound = "At most \(Figures.rate(upper, .up, against: limit)) of requests"
            return Words(
                "\(bound) would be refused (\(Figures.exactRate(limit)) allowed).",
                enforced: { _ in "\(bound) have no valid App Check token (\(Figures.exactRate(limit)) allowed)." },
                brief: """
                    \(evidence.blocked == 0 ? "none" : Figures.about(evidence.blockedPerDay)), at most \
                    \(Figures.amount(evidence.blockedPerDayUpper, .up)) of \
                    \(Figures.amount(Double(evidence.admitted) / Double(max(1, evidence.observedDays)))) a day
                    """,
                clause: "refused ≤ \(Figures.exactRate(limit))",
                measured: "at most \(Figures.rate(upper, .up, against: limit)) of \(evidence.sample)", remedy: nil)
        case .notConfirmed(let nights, let required):
            return Words(
                """
                Almost ready: safe on \(Figures.grouped(nights)) of \(Figures.counted(required, "day")) in a row. One \
                lucky week is not enough.
                """,
                brief: "safe on \(Figures.grouped(nights)) of \(Figures.counted(required, "day"))",
                clause: "safe ≥ \(Figures.counted(required, "day"))", measured: "\(Figures.counted(nights, "day"))",
                remedy: { _ in
                    SampleSize.more(required - nights, "day with the same answer", "days with the same answer")
                })
        case .safeTogether(let functions, let blocked, let admitted, let upper, let limit):
            return Words(
                aside: """
                    Ready together with \(Figures.counted(functions - 1, "other quiet function")) of the project: \
                    \(Figures.grouped(blocked)) of \(Figures.counted(admitted, "request")) had no valid App Check \
                    token, at most \(Figures.rate(upper, .up, against: limit)). Enforce them in one step; \
                    \(code: "check --accept-together") lets them pass.
                    """)
        }
    }
}
