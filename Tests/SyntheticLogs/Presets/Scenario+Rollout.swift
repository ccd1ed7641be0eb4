import Verifications

extension Scenario {
    /// A function that the iOS app of ``AnalyticsScenario/rollout(seed:)`` calls, in the days after one raise, up to
    /// the next one or the last day of all samples.
    ///
    /// Apps in which App Attest is not switched on send a placeholder. At 100% they are gone on the third day, when
    /// all have fetched the new value; somebody whose device cannot attest is left, now and then.
    static func rollout(seed: UInt64, from raise: Int, to next: Int) -> Scenario {
        let raises = AnalyticsScenario.raises + [Scenario.lastCorpusDay]
        let firstDay = raises[raise].advanced(by: 1)
        let share = [1, 10, 50, 100][raise]
        var random = SeededRandom(seed: seed, name: "rollout at \(share)")
        let days = (0...firstDay.distance(to: raises[next])).map { day -> [Requests] in
            let count = 70 + random.below(21)
            let heldBack = share < 100 ? (0..<count).count { _ in random.below(100) >= share } : max(0, 6 - 3 * day)
            let failing = day % 6 == 5 ? 1 : 0
            return [
                Requests(count - heldBack - failing, app: .valid, auth: .valid, client: .iOS),
                Requests(heldBack + failing, app: .invalid, auth: .valid, client: .iOSHeldBack),
            ]
        }
        let function = FunctionProfile(name: "addReceipt", labels: .functionID, days: days)
        // Two logs of one function have no execution in common.
        var scenario = Scenario(seed: seed &+ UInt64(raise), firstDay: firstDay, functions: [function])
        (scenario.recordsPerVerification, scenario.hasOwnLines) = (4, false)
        return scenario
    }
}
