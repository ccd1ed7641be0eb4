import Verifications

/// Keeps account of entries as they are written.
struct TruthRecorder {
    private let deployments: [Deployment]
    /// By deployment.
    private var functions: [FunctionTruth]
    /// Days with an entry of standard error, by deployment.
    private var errorStreamDays: [Set<Day>]
    private var counts = Truth()

    init(_ deployments: [Deployment]) {
        self.deployments = deployments
        functions = deployments.map { FunctionTruth(identity: $0.identity, label: $0.label) }
        errorStreamDays = Array(repeating: [], count: deployments.count)
    }

    mutating func note(_ entry: LogEntry) {
        counts.records += 1
        if entry.log == .standardError, let day = entry.timestamp?.day {
            errorStreamDays[entry.deployment].insert(day)
        }
        guard let (app, auth) = entry.verification else { return }
        guard let instant = entry.timestamp else {
            counts.verifications += 1
            counts.undated += 1
            functions[entry.deployment].undated[app, auth] += 1
            return
        }
        if entry.isCopy {
            counts.duplicates += 1
        } else {
            counts.verifications += 1
            functions[entry.deployment].note(app: app, auth: auth, at: instant)
        }
    }

    /// All that was noted.
    var truth: Truth {
        var truth = counts
        truth.functions = functions.filter { $0.totals.total > 0 }.sorted { $0.identity.precedes($1.identity) }
        truth.streams = streams
        return truth
    }

    private var streams: [StreamTruth] {
        var streams: [StreamTruth] = []
        for (index, deployment) in deployments.enumerated() {
            let isNew = !streams.contains { $0.isOf(deployment) }
            if isNew {
                streams.append(StreamTruth(project: deployment.identity.project, generation: deployment.generation))
            }
            guard let stream = streams.firstIndex(where: { $0.isOf(deployment) }) else { continue }
            streams[stream].errorStreamDays.formUnion(errorStreamDays[index])
            streams[stream].undatedFailed += functions[index].undated.failed
            for day in functions[index].days {
                streams[stream].verifications[day.day, default: 0] += day.counts.total
                if day.counts.failed > 0 { streams[stream].failed[day.day, default: 0] += day.counts.failed }
            }
        }
        return streams.sorted {
            $0.project == $1.project ? $0.generation < $1.generation : $0.project < $1.project
        }
    }
}

extension StreamTruth {
    fileprivate func isOf(_ deployment: Deployment) -> Bool {
        project == deployment.identity.project && generation == deployment.generation
    }
}

extension FunctionIdentity {
    /// The order of all outputs: project, region, name, generation.
    fileprivate func precedes(_ other: FunctionIdentity) -> Bool {
        if project != other.project { return project < other.project }
        if region != other.region { return region < other.region }
        if name != other.name { return name < other.name }
        return (generation?.rawValue ?? 0) < (other.generation?.rawValue ?? 0)
    }
}

extension FunctionTruth {
    fileprivate mutating func note(app: TokenStatus, auth: TokenStatus, at instant: Instant) {
        first = min(first ?? instant, instant)
        last = max(last ?? instant, instant)
        // Entries come nearly in order, so the day is most often the last one.
        var index = days.endIndex
        while index > 0, days[index - 1].day > instant.day { index -= 1 }
        if index > 0, days[index - 1].day == instant.day {
            index -= 1
        } else {
            days.insert(DayTruth(day: instant.day), at: index)
        }
        days[index].note(app: app, auth: auth, at: instant)
    }
}

extension DayTruth {
    fileprivate mutating func note(app: TokenStatus, auth: TokenStatus, at instant: Instant) {
        counts[app, auth] += 1
        guard app != .valid, auth != .invalid else { return }
        blockedHours |= 1 << UInt32(instant.hour)
        lastBlocked = max(lastBlocked ?? instant, instant)
        guard auth == .valid else { return }
        signedInBlockedHours |= 1 << UInt32(instant.hour)
        lastSignedInBlocked = max(lastSignedInBlocked ?? instant, instant)
    }
}
