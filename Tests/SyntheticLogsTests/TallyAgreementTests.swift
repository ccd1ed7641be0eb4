import Readiness
import SyntheticLogs
import Testing
import Verifications

/// Entries written into cells as values give the counts of the truth: the two are comparable, cell by cell.
@Suite struct TallyAgreementTests {
    @Test func tallyEqualsTruth() throws {
        var scenario = try Preset.mixed.scenario(seed: 8).scaled(toBytes: 4_000_000)
        scenario.undatedShare = 0.01
        let generator = Generator(scenario)
        var sink = TallySink(deployments: generator.deployments)
        let truth = try generator.run(into: &sink)

        #expect(sink.functions.count == truth.functions.count)
        for function in truth.functions {
            let table = try #require(sink.functions[function.identity]).finished
            #expect(table.first == function.first)
            #expect(table.last == function.last)
            #expect(agree(table.undated, function.undated))
            func days(_ admission: Admission) -> [DaySum] {
                table.days(blocked: { $0.isBlocked && admission.admits(auth: $0.auth) })
            }
            #expect(days(.notRefused).map(\.day) == function.days.map(\.day))
            for (counted, day) in zip(days(.notRefused), function.days) {
                #expect(agree(counted.statuses, day.counts))
                #expect(counted.blockedHours == day.blockedHours)
                #expect(counted.lastBlocked == day.lastBlocked?.nanosecondOfDay)
            }
            #expect(days(.signedIn).map(\.blockedHours) == function.days.map(\.signedInBlockedHours))
        }
        for stream in truth.streams {
            let tally = try #require(sink.projects[ExactName(stream.project)])
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
    private(set) var functions: [FunctionIdentity: CellWriter] = [:]
    private(set) var projects: [ExactName: ProjectTally] = [:]

    init(deployments: [Deployment]) {
        self.deployments = deployments
    }

    mutating func write(_ entry: LogEntry) {
        let deployment = deployments[entry.deployment]
        var project = ProjectTally()
        if entry.log == .standardError { project.addErrorStream(day: entry.timestamp?.day) }
        if let (app, auth) = entry.verification {
            let properties = Cell.Properties(app: app, auth: auth, severity: entry.severity == .info ? .info : .debug)
            functions[deployment.identity, default: CellWriter()].add(properties, at: entry.timestamp)
        }
        projects[ExactName(deployment.identity.project), default: ProjectTally()].merge(project)
    }
}

extension CellWriter {
    fileprivate mutating func add(_ properties: Cell.Properties, at instant: Instant?) {
        guard let instant else { return table.addUndated(properties, count: 1) }
        add(properties, day: instant.day, at: instant.nanosecondOfDay...instant.nanosecondOfDay)
    }

    fileprivate var finished: CellTable {
        var writer = self
        return writer.finish()
    }
}
