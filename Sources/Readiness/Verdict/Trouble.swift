/// A period in which too many requests were blocked: on the whole, or on single days.
struct Trouble {
    /// `too-many-blocked`, when it holds.
    let tooManyBlocked: Reason?
    let unstableDays: [UnstableDay]
    let tokenRefused: Double
    let blocked: Double

    /// Nil when the period gives no such reason.
    init?(in period: Period, window: Window?, above rate: Double) {
        guard let window else { return nil }
        tooManyBlocked =
            period.lowerExceeds(rate)
            ? .tooManyBlocked(
                lower: period.lower, limit: rate, blocked: Int(period.blocked), admitted: Int(period.admitted),
                window: window)
            : nil
        unstableDays = period.unstableDays(above: rate)
        tokenRefused = period.tokenRefused
        blocked = period.blocked
        guard tooManyBlocked != nil || !unstableDays.isEmpty else { return nil }
    }

    /// The reasons of several periods as one list: of each code the first period that gives it, and `mostly-invalid` by
    /// the first period alone.
    static func findings(_ troubles: [Trouble], above rate: Double) -> [Reason] {
        guard let first = troubles.first else { return [] }
        let tooManyBlocked = troubles.lazy.compactMap(\.tooManyBlocked).first
        let unstableDays = troubles.first { !$0.unstableDays.isEmpty }.map {
            Reason.unstableDay($0.unstableDays, limit: rate)
        }
        let mostlyInvalid =
            2 * first.tokenRefused >= first.blocked
            ? Reason.mostlyInvalid(invalid: Int(first.tokenRefused), blocked: Int(first.blocked)) : nil
        return [tooManyBlocked, unstableDays, mostlyInvalid].compactMap { $0 }
    }
}
