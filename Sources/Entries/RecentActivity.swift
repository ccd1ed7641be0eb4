package import Readiness
package import Verifications

extension EntrySet {
    /// What the last hour of the log has, and the same hour of the day before.
    ///
    /// The hour ends now, unless the log ended more than an hour ago.
    ///
    /// - Parameters:
    ///   - asOf: Where the hour ends instead; nil for the usual end.
    ///   - horizon: The clock plus a day.
    /// - Returns: The counts of each function; nil without a dated verification.
    package func activity(asOf: Instant?, horizon: Instant) -> Activity? {
        let now = horizon.adding(seconds: -Instant.secondsPerDay)
        guard let newest = newest(notAfter: horizon) else { return nil }
        let range = MinuteRange(end: asOf ?? (newest.adding(seconds: 3600) < now ? newest : now))
        let hour = range.end.adding(seconds: -3600)
        let yesterday = hour.adding(seconds: -Instant.secondsPerDay)
        var oldest: Instant?
        // With what is near, which may show that something is a copy, or belong to it.
        func isNear(_ time: Instant) -> Bool {
            [hour, yesterday].contains { start in
                (-EntrySet.margin..<EntrySet.margin + 3600).contains(time.seconds - start.seconds)
            }
        }
        var recent = EntrySet()
        (recent.names, recent.versions) = (names, versions)
        for (hash, function) in functions {
            recent.functions[hash] = function.changed { entry in
                guard let time = entry.instant else { return nil }
                oldest = min(oldest ?? time, time)
                return isNear(time) ? entry : nil
            }
        }
        for (hash, service) in services {
            var near = Service()
            service.rows.forEach { if isNear($0.instant) { near.rows.append($0) } }
            service.lines.forEach { if isNear($0.instant) { near.lines.append($0) } }
            recent.services[hash] = near
        }
        var resolution = Resolution(horizon: horizon)
        resolution.range = range.hour
        resolution.minutes = range
        return Activity(recent.resolved(resolution).tally, range, oldest: oldest)
    }

    private static let margin: Int64 = 600
}
