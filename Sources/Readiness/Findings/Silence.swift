import Verifications

extension Finding.Code {
    /// No verification in the window; ``Finding/days`` has the last one with any.
    package static let noTraffic = Finding.Code("no-traffic", .silence, nil, .ofLog)
    /// Silent for longer than the function's own pauses explain, the longest of which has ``Finding/count`` days.
    package static let stale = Finding.Code("stale", .silence, nil, .ofLog)
    /// The newest verification of the project is too old to say anything about today.
    package static let exportOld = Finding.Code("export-old", .silence, .act, [.shared, .inAnswers, .ofLog])
    /// Enforcement is on, and a function that had ``Finding/rate`` requests a day has none since ``Finding/instant``.
    package static let silentSince = Finding.Code(
        "silent-since", .settled(.enforced), .act, [.shared, .inAnswers, .now])
    /// It is deployed, and the log has nothing of it.
    package static let notCalled = Finding.Code("not-called", .advice, nil, .shared)
    /// The same where the inventory does not say that it is callable.
    package static let perhapsNotCallable = Finding.Code("not-called", .advice, nil, .shared)
}

/// The log has nothing recent: only a newer one can tell more.
enum Silence {
    /// An export whose newest verification is older than this many hours says nothing about today.
    private static let exportHours = 36

    /// Silence of up to this many days is never stale.
    private static let toleratedDays = 3

    static func findUncalled(_ function: FunctionSummary) -> [Finding] {
        guard case .deployed(let trigger) = function.listing else { return [] }
        return [Finding(code: trigger == .callable ? .notCalled : .perhapsNotCallable)]
    }

    static func find(_ evaluation: Evaluation) -> [Finding] {
        let last = evaluation.traffic.last.map { [$0.day] } ?? []
        let noTraffic = evaluation.seen.isEmpty ? Finding(code: .noTraffic, days: last) : nil
        let stale = evaluation.asOf.flatMap { findStale(evaluation.traffic, asOf: $0.day) }
        return [noTraffic, stale, evaluation.isNow ? evaluation.history.exportOld : nil].compactMap { $0 }
    }

    /// Fewer requests a day, or in the same hours, show no silence.
    private static let leastRequests = 20

    /// Returns the silence of a function that is enforced: longer than its pauses explain, or in hours that were busy
    /// on each of the seven days before.
    static func findAfterSwitch(_ evaluation: Evaluation) -> [Finding] {
        let table = evaluation.history.table
        guard evaluation.isNow, !table.isByHour, let asOf = evaluation.asOf, let last = table.last(through: asOf.day)
        else { return [] }
        func count(_ times: Range<Instant>) -> Int {
            table.cells(in: times.lowerBound.day...times.upperBound.day).filter {
                $0.isVerification && times.contains($0.start)
            }.requests
        }
        let day = Instant.secondsPerDay
        let perDay = Double(count(last.adding(seconds: -7 * day)..<last)) / 7
        guard perDay >= Double(leastRequests) else { return [] }
        let isShort = asOf.seconds - last.seconds < day
        let isBusyTime =
            isShort
            && (1...7).allSatisfy { back in
                let times =
                    last.adding(nanoseconds: 1).adding(
                        seconds: -Int64(back) * day)..<asOf.adding(nanoseconds: 1).adding(seconds: -Int64(back) * day)
                return count(times) >= leastRequests
            }
        guard isBusyTime || findStale(evaluation.traffic, asOf: asOf.day) != nil else { return [] }
        return [Finding(code: .silentSince, value: 0, rate: perDay, instant: last)]
    }

    /// Compares the days from the last one with traffic to the as-of day with twice the longest distance between two
    /// consecutive days with traffic, which is 1 for neighbours, and when there is only one day.
    static func findStale(_ days: ArraySlice<DaySum>, asOf day: Day) -> Finding? {
        guard let last = days.last?.day else { return nil }
        let silentDays = last.distance(to: day)
        guard silentDays > toleratedDays else { return nil }
        let longestDistance = zip(days, days.dropFirst()).map { $0.day.distance(to: $1.day) }.max() ?? 1
        let longestPause = max(toleratedDays, 2 * longestDistance)
        guard silentDays > longestPause else { return nil }
        return Finding(
            code: .stale, value: Double(silentDays), limit: Double(longestPause), count: longestDistance, days: [last])
    }

    /// Compares the hours from the project's newest verification to the clock with ``exportHours``, and one day more
    /// for each excused day in between.
    static func findOldExport(newest: Instant, clock: Instant, project: ProjectView) -> Finding? {
        let nanoseconds = Double(clock.nanoseconds) - Double(newest.nanoseconds)
        let hours = (Double(clock.seconds - newest.seconds) + nanoseconds / 1e9) / 3600
        guard hours > Double(exportHours) else { return nil }
        let between = newest.day.advanced(by: 1)..<clock.day
        let limit = exportHours + 24 * between.count { project.isExcused($0) }
        guard newest.adding(seconds: Int64(limit) * 3600) < clock else { return nil }
        return Finding(code: .exportOld, value: hours, limit: Double(limit), instant: newest)
    }
}
