/// A period in which too many requests were blocked: on the whole, or on single days.
struct Trouble {
    /// `too-many-blocked`, `unstable-day` and `mostly-invalid`, where they hold; one of the first two does.
    let findings: [Reason]

    /// Nil when the period gives no such reason.
    init?(in period: Period, window: Window?, above rate: Double) {
        guard let window else { return nil }
        var findings: [Reason] = []
        if period.lowerExceeds(rate) {
            findings.append(
                .tooManyBlocked(
                    lower: period.lower, limit: rate, blocked: Int(period.blocked), admitted: Int(period.admitted),
                    window: window))
        }
        let unstableDays = period.unstableDays(above: rate)
        if !unstableDays.isEmpty { findings.append(.unstableDay(unstableDays, limit: rate)) }
        guard !findings.isEmpty else { return nil }
        let tokenRefused = period.tokenRefused
        if 2 * tokenRefused >= period.blocked {
            findings.append(.mostlyInvalid(invalid: Int(tokenRefused), blocked: Int(period.blocked)))
        }
        self.findings = findings
    }
}
