import Verifications

/// The rule turned round: whether enforcement that is already on refuses people who are signed in.
enum Lockout {
    /// `lockout`, when it holds for the signed-in requests of a window after the day enforcement was switched on.
    ///
    /// That day itself is left out: part of it was before the deployment.
    static func findings(
        signedIn days: [DayEvidence], recent: Window?, enforced: Day, numbers: VerdictPolicy
    ) -> [Reason] {
        guard let recent else { return [] }
        let after = Window(from: max(recent.from, enforced.advanced(by: 1)), to: recent.to)
        let period = Period(days.within(after), confidence: numbers.confidence)
        guard period.lowerExceeds(numbers.maxBlocked) else { return [] }
        return [
            .lockout(
                lower: period.lower, limit: numbers.maxBlocked, blocked: Int(period.blocked),
                admitted: Int(period.admitted))
        ]
    }
}
