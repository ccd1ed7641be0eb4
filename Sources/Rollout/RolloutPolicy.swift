internal import Readiness
package import Verifications

package struct RolloutPolicy: Hashable, Sendable {
    /// How many days are judged at most.
    package var window = 14
    /// The share of users whose attestation may fail.
    package var maxFailed = 0.02
    package var confidence = 0.95
    /// The day on which the percentage last changed; nil when it is taken to have held for the whole window.
    package var since: Day?
    /// The percentages to go through, ascending, above 0 and up to 100.
    package var steps: [Double] = [1, 5, 10, 25, 50, 100]
    /// How many people use the iOS app on a day; nil when nobody has said.
    package var dailyUsers: Int?
    /// The share of requests that enforcement of a function may refuse, by the rule on functions.
    package var maxBlocked = VerdictPolicy().maxBlocked

    package init() {}

    /// The newest days of a Google Analytics export are not complete: daily tables are updated for so long.
    ///
    /// <https://support.google.com/firebase/answer/7029846>
    package static let lateDays = 3
    /// With fewer days with users nothing is raised.
    package static let leastDays = 3
    /// With fewer users no failure rate is known, and none is needed to go on: nothing is refused before enforcement.
    package static let enoughUsers = 300
    /// With a smaller share of the users who should have an event, too many are unseen.
    package static let leastReporting = 0.8

    /// How many new users a day Apple's service takes.
    ///
    /// Apple asks for "fewer than 100 requests per second" across all installations and for "no more than 10 million
    /// users per day per app"
    /// (<https://developer.apple.com/documentation/devicecheck/preparing-to-use-the-app-attest-service>). With a peak
    /// of three times the mean the former is the smaller: 100 · 86,400 / 3 users a day.
    package static let newUsersPerDay = 2_880_000

    /// The days that are judged, given the newest day of the rows; nil when there is none.
    package func window(endingBefore newest: Day?) -> ClosedRange<Day>? {
        guard let newest else { return nil }
        let last = newest.advanced(by: -RolloutPolicy.lateDays)
        let first = max(last.advanced(by: 1 - window), since?.advanced(by: 1) ?? Day(number: .min))
        return first <= last ? first...last : nil
    }

    /// The percentage to go to; nil when there is no larger step.
    ///
    /// Where more users are needed than the given ones, the smallest step is taken that is expected to give
    /// ``enoughUsers``, or the last one.
    package func next(after percent: Double, users: Int? = nil) -> Double? {
        let larger = steps.filter { $0 > percent }
        let enough = users.flatMap { users in
            larger.first { Double(users) * $0 >= Double(RolloutPolicy.enoughUsers) * percent } ?? larger.last
        }
        guard let step = enough ?? larger.first else { return nil }
        guard let dailyUsers, dailyUsers > 0 else { return step }
        let room = Double(RolloutPolicy.newUsersPerDay) / Double(dailyUsers) * 100
        guard step - percent > room else { return step }
        // As a number that somebody would type.
        for unit in [1, 100, 10_000] as [Double] {
            let bounded = ((percent + room) * unit).rounded(.down) / unit
            if bounded > percent { return bounded }
        }
        return nil
    }
}
