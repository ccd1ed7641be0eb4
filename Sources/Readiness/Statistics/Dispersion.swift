/// How much more the daily rates differ than independent requests would let them.
///
/// Requests come in bursts from the same clients, so that n of them tell less than n independent ones. The factor is
/// Pearson's statistic per degree of freedom (McCullagh and Nelder 1989, section 4.5.2).
public enum Dispersion {
    /// φ of a period.
    ///
    /// X² = Σ (b_d − n_d·p̂)²/(n_d·p̂·(1 − p̂)) over the D days with requests, p̂ = b/n; φ = max(1, min(b, X²/(D − 1))).
    /// Days without requests are passed over. φ is 1 when nothing or everything was blocked, and below two days. The
    /// cap is there because b blocked requests come from at least one client, never from less.
    public static func ofDays(_ days: [DayCount]) -> Double {
        let active = days.filter { $0.requests > 0 }
        let requests = active.reduce(0) { $0 + $1.requests }
        let blocked = active.reduce(0) { $0 + $1.blocked }
        guard active.count >= 2, blocked > 0, blocked < requests else { return 1 }
        let rate = blocked / requests
        let statistic = active.reduce(0) { sum, day in
            let residual = day.blocked - day.requests * rate
            return sum + residual * residual / (day.requests * rate * (1 - rate))
        }
        return max(1, min(blocked, statistic / Double(active.count - 1)))
    }
}
