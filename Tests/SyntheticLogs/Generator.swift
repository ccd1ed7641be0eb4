import Verifications

/// Takes the entries of a log in the order in which a sink received them.
package protocol EntrySink {
    mutating func write(_ entry: LogEntry) throws
}

/// Plays a scenario, hour by hour, and keeps account of what it wrote.
///
/// Memory holds the entries of one hour and those that come late, never a whole log.
///
/// ```swift
/// var sink = CollectingSink()
/// let truth = try Generator(scenario).run(into: &sink)
/// truth.verifications  // 300000
/// ```
package struct Generator: Sendable {
    package let scenario: Scenario
    /// What the entries' `deployment` is an index of, in the order of the scenario's functions.
    package let deployments: [Deployment]

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        let pool = Deployment.instancePool(seed: scenario.seed)
        deployments = scenario.functions.map { Deployment($0, seed: scenario.seed, instancePool: pool) }
        precondition(Set(deployments.map(\.identity)).count == deployments.count, "two functions have one identity")
    }

    /// Writes all entries, and returns the exact counts of what was written.
    ///
    /// - Parameters:
    ///   - sink: Takes the entries.
    ///   - transport: What they are written in: the counts leave out what it loses. Records are counted as entries.
    /// - Returns: The counts.
    /// - Throws: What the sink throws.
    package func run(into sink: inout some EntrySink, as transport: Transport = .lines) throws -> Truth {
        var recorder = TruthRecorder(deployments, transport)
        var factory = EntryFactory(scenario, deployments: deployments)
        var waiting: [Arrival] = []
        for offset in 0..<scenario.dayCount {
            let plan = planHours(ofDay: offset)
            let midnight = Int64(scenario.firstDay.number + Int32(offset)) * Instant.secondsPerDay
            for hour in 0..<24 {
                let start = (midnight + Int64(hour) * 3600) * 1_000_000_000
                for group in plan[hour] { appendCalls(of: group, from: start, &factory, to: &waiting) }
                let due = waiting.partition { $0.time < start + Generator.hour }
                try write(&waiting[due...], recorder: &recorder, factory: &factory, into: &sink)
                waiting.removeSubrange(due...)
            }
        }
        try write(&waiting[...], recorder: &recorder, factory: &factory, into: &sink)
        return recorder.truth
    }

    /// Requests of one kind and hour.
    private struct HourGroup {
        let deployment: Int
        let app: TokenStatus
        let auth: TokenStatus
        let client: Client?
        let count: Int
    }

    private static let hour: Int64 = 3_600_000_000_000

    /// For each hour of a day, the requests that arrive in it.
    private func planHours(ofDay offset: Int) -> [[HourGroup]] {
        var plan = [[HourGroup]](repeating: [], count: 24)
        for (deployment, function) in scenario.functions.enumerated() where offset < function.days.count {
            var random = SeededRandom(
                seed: scenario.seed, name: "\(function.project)/\(function.region)/\(function.name)/\(offset)")
            for requests in function.days[offset] {
                let counts = requests.countsByHour(using: &random)
                for hour in 0..<24 where counts[hour] > 0 {
                    plan[hour].append(
                        HourGroup(
                            deployment: deployment, app: requests.app, auth: requests.auth, client: requests.client,
                            count: counts[hour]))
                }
            }
        }
        return plan
    }

    private func appendCalls(
        of group: HourGroup, from start: Int64, _ factory: inout EntryFactory, to arrivals: inout [Arrival]
    ) {
        for _ in 0..<group.count {
            let verifiedAt = start + Int64(factory.random.below(Int(Generator.hour)))
            let call = Call(
                deployments[group.deployment], index: group.deployment, app: group.app, auth: group.auth,
                verifiedAt: verifiedAt, client: group.client, using: &factory.random)
            factory.append(call, to: &arrivals)
        }
    }

    /// Writes what has arrived, in order, and then the second copies, as another object of the same hour.
    private func write(
        _ arrivals: inout ArraySlice<Arrival>, recorder: inout TruthRecorder, factory: inout EntryFactory,
        into sink: inout some EntrySink
    ) throws {
        arrivals.sort(by: Arrival.precedes)
        var copies: [LogEntry] = []
        for arrival in arrivals where scenario.filter.admits(arrival.entry) {
            recorder.note(arrival.entry)
            try sink.write(arrival.entry)
            guard factory.random.chance(scenario.duplicateShare) else { continue }
            copies.append(arrival.entry)
            copies[copies.count - 1].isCopy = true
        }
        for copy in copies {
            recorder.note(copy)
            try sink.write(copy)
        }
    }
}
