import Readiness

extension Safety {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .safe(let upper, let limit):
            let bound = "At most \(Figures.rate(upper, .up, against: limit)) of requests"
            return Words(
                "\(bound) would be refused (\(Figures.exactRate(limit)) allowed).",
                enforced: { _ in "\(bound) have no valid App Check token (\(Figures.exactRate(limit)) allowed)." },
                brief: "at most \(Figures.rate(upper, .up, against: limit))",
                remedy: nil)
        case .notConfirmed(let nights, let required):
            return Words(
                """
                Almost ready: \(Figures.counted(nights, "safe day")) in a row; \(Figures.grouped(required)) are \
                required. One lucky week is not enough.
                """,
                brief: "safe on \(Figures.grouped(nights)) of \(Figures.counted(required, "day"))",
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
