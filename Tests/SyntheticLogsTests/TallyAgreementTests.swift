import Readiness
import SyntheticLogs
import Testing
import Verifications

/// Entries fed to the tally as values give the counts of the truth: the two are comparable, cell by cell.
@Suite struct TallyAgreementTests {
    @Test func tallyEqualsTruth() throws {
        var scenario = try Preset.mixed.scenario(seed: 8).scaled(toBytes: 4_000_000)
        scenario.undatedShare = 0.01
        let generator = Generator(scenario)
        var sink = TallySink(deployments: generator.deployments)
        let truth = try generator.run(into: &sink)

        #expect(sink.tally.functions.count == truth.functions.count)
        for function in truth.functions {
            let tally = try #require(sink.tally.functions[function.identity])
            #expect(tally.first == function.first)
            #expect(tally.last == function.last)
            #expect(agree(tally.undated, function.undated))
            #expect(tally.days.map(\.day) == function.days.map(\.day))
            for (counted, day) in zip(tally.days, function.days) {
                #expect(agree(counted.counts, day.counts))
                #expect(counted.blocked.hours == day.blockedHours)
                #expect(counted.signedInBlocked.hours == day.signedInBlockedHours)
                #expect(counted.blocked.lastNanosecond == day.lastBlocked?.nanosecondOfDay)
            }
        }
        for stream in truth.streams {
            let tally = try #require(sink.tally.projects[ExactName(stream.project)])
            if stream.generation == .second { #expect(tally.errorStreamDays == stream.errorStreamDays) }
        }
        #expect(truth.streams.count == 4)
    }

    private func agree(_ matrix: StatusMatrix, _ counts: StatusCounts) -> Bool {
        TokenStatus.allCases.allSatisfy { app in
            TokenStatus.allCases.allSatisfy { matrix[app, $0] == counts[app, $0] }
        }
    }
}

private struct TallySink: EntrySink {
    let deployments: [Deployment]
    private(set) var tally = Tally()

    init(deployments: [Deployment]) {
        self.deployments = deployments
    }

    mutating func write(_ entry: LogEntry) {
        let deployment = deployments[entry.deployment]
        var project = ProjectTally()
        if entry.log == .standardError { project.addErrorStream(day: entry.timestamp?.day) }
        if let (app, auth) = entry.verification {
            let verification = Verification(
                function: Int32(entry.deployment), app: app, auth: auth,
                severity: entry.severity == .info ? .info : .debug, instant: entry.timestamp)
            var function = FunctionTally()
            function.add(
                app: verification.app, auth: verification.auth, severity: verification.severity,
                at: verification.instant)
            tally.add(function, for: deployment.identity)
        }
        tally.add(project, for: ExactName(deployment.identity.project))
    }
}
