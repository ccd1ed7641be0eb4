import Readiness

extension Assessment {
    /// The forecast in words; nil where none was asked for.
    var outlookWording: Wording? {
        switch outlook {
        case .notAsked: nil
        case .date(let day, .steady):
            "If the days to come are like the last ones, callcheck will say enforce from \(CalendarText.day(day)) on."
        case .date(let day, .trend):
            """
            The share of refused requests is falling. If it goes on as in the last two weeks, callcheck will say \
            enforce from \(CalendarText.day(day)) on.
            """
        case .noRequests: "No date can be given: nobody has called in the last 7 days."
        case .notFalling: never
        }
    }

    /// Why no day within reach brings the answer.
    private var never: Wording {
        if reasons.contains(where: \.isDoubtAboutFailures) {
            return "No date can be given while the log of failures is in doubt: see below."
        }
        if evidence.blocked == 0 {
            let isShort = reasons.contains { if case .tooFewRequests = $0 { true } else { false } }
            return isShort
                ? "No date within the next 60 days: with days like the last ones, no window ever holds enough requests."
                : "No date within the next 60 days."
        }
        return """
            No date within the next 60 days. With the share of the last three days nothing changes, and that share is \
            not falling any more, or not clearly enough to count on.
            """
    }
}

extension Reason {
    fileprivate var isDoubtAboutFailures: Bool {
        switch self {
        case .failuresNotSeen, .failuresStopped: true
        default: false
        }
    }
}
