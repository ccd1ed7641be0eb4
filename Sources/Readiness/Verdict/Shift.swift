import Verifications

/// Whether blocked requests changed their kind between the halves of a window while their rate stayed.
///
/// After an update of the client SDK the same failing clients send a placeholder token instead of none: MISSING becomes
/// INVALID, which looks like an attack and is none.
enum Shift {
    /// `shifted-to-invalid`, when it holds.
    ///
    /// Of an odd number of days the newer half has one more: its last day is often not over.
    static func finding(_ period: Period, window: Window?) -> Reason? {
        guard let window, window.dayCount >= 2 else { return nil }
        let middle = window.from.advanced(by: window.dayCount / 2)
        let older = Half(period.days.prefix { $0.day < middle })
        let newer = Half(period.days.drop { $0.day < middle })
        guard
            differ(older.tokenRefused, of: older.blocked, from: newer.tokenRefused, of: newer.blocked),
            !differ(older.blocked, of: older.admitted, from: newer.blocked, of: newer.admitted)
        else { return nil }
        return .shiftedToInvalid(
            olderShare: older.tokenRefused / older.blocked, newerShare: newer.tokenRefused / newer.blocked)
    }

    private struct Half {
        let admitted: Double
        let blocked: Double
        let tokenRefused: Double

        init(_ days: ArraySlice<DayEvidence>) {
            admitted = days.reduce(0) { $0 + $1.admitted }
            blocked = days.reduce(0) { $0 + $1.blocked }
            tokenRefused = days.reduce(0) { $0 + $1.tokenRefused }
        }
    }

    /// The two-sided z test of two proportions at 95 %.
    ///
    /// The variance is pooled, without continuity correction (Fleiss, Levin and Paik 2003, chapter 3). Without a
    /// variance, or without a request on one side, nothing differs.
    private static func differ(_ a: Double, of n: Double, from b: Double, of m: Double) -> Bool {
        guard n > 0, m > 0 else { return false }
        let pooled = (a + b) / (n + m)
        let variance = pooled * (1 - pooled) * (1 / n + 1 / m)
        guard variance > 0 else { return false }
        return (a / n - b / m).magnitude / variance.squareRoot() > NormalDistribution.quantile(0.975)
    }
}
