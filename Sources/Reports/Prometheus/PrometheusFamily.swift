import Readiness
import Verifications

/// A metric with one number per function.
struct PrometheusFamily {
    let name: String
    let help: String
    /// Nil where it is not known, or does not apply.
    let value: @Sendable (FunctionSummary) -> Double?

    private init(_ name: String, _ help: String, value: @escaping @Sendable (FunctionSummary) -> Double?) {
        self.name = "callcheck_" + name
        self.help = help
        self.value = value
    }

    static let all = [
        PrometheusFamily("lockout", "1 when enforcement that is on refuses signed-in people, else 0.") { function in
            function.assessment.isLockout ? 1 : 0
        },
        PrometheusFamily("enforced_but_off", "1 when enforcement is on by policy but off in the log, else 0.") {
            $0.isEnforcedButOff ? 1 : 0
        },
        PrometheusFamily("blocked_ratio", "Share of admitted requests that enforcement refuses if on, in the window.") {
            $0.assessment.evidence.blockedRate
        },
        PrometheusFamily("blocked_upper_bound_ratio", "Upper confidence bound of callcheck_blocked_ratio.") {
            $0.assessment.evidence.blockedRateUpper
        },
        PrometheusFamily("blocked_lower_bound_ratio", "Lower confidence bound of callcheck_blocked_ratio.") {
            $0.assessment.evidence.blockedRateLower
        },
        PrometheusFamily("blocked_limit_ratio", "Share of admitted requests that enforcement may refuse.") {
            $0.assessment.policy.numbers.maxBlocked
        },
        PrometheusFamily("window_admitted_requests", "Requests in the window that reach the function's code.") {
            Double($0.assessment.evidence.admitted)
        },
        PrometheusFamily("window_blocked_requests", "Requests in the window that enforcement refuses if on.") {
            Double($0.assessment.evidence.blocked)
        },
        PrometheusFamily("window_seconds", "Length of the window that the verdict rests on.") {
            $0.assessment.evidence.window.map { Double(Instant.secondsPerDay) * Double($0.dayCount) }
        },
        PrometheusFamily("last_verification_timestamp_seconds", "The function's newest verification.") {
            $0.tally.last?.secondsSince1970
        },
        PrometheusFamily("forecast_timestamp_seconds", "Start of the day on which the rule would say enforce.") {
            guard case .date(let day, _) = $0.assessment.outlook else { return nil }
            return day.secondsSince1970
        },
    ]
}

extension Instant {
    /// To the millisecond: with nanoseconds, the end of a day would round to the next one.
    var secondsSince1970: Double {
        Double(seconds) + Double(nanoseconds / 1_000_000) / 1e3
    }
}

extension Day {
    /// Of its first second.
    var secondsSince1970: Double {
        Double(number) * Double(Instant.secondsPerDay)
    }
}
