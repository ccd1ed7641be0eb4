import Verifications

/// Keeps account of entries as they are written, as far as their transport carries what they say.
struct TruthRecorder {
    private let deployments: [Deployment]
    private let loss: TransportLoss
    private let stampsEntries: Bool
    /// What can be told apart.
    private var functions: [FunctionTruth] = []
    /// By deployment: the index of its function.
    private var functionIndices: [Int] = []
    /// Days with an entry of standard error, by deployment.
    private var errorStreamDays: [Set<Day>]
    private var counts = Truth()

    init(_ deployments: [Deployment], _ transport: Transport) {
        self.deployments = deployments
        loss = transport.loss
        stampsEntries = transport.stampsEntries
        errorStreamDays = Array(repeating: [], count: deployments.count)
        var indices: [FunctionIdentity: Int] = [:]
        for deployment in deployments {
            let identity = deployment.identity.remaining(after: loss)
            let index = indices[identity] ?? functions.count
            if index == functions.count {
                let label = loss.contains(.place) ? nil : deployment.label
                functions.append(FunctionTruth(identity: identity, label: label))
                indices[identity] = index
            }
            functionIndices.append(index)
        }
    }

    mutating func note(_ entry: LogEntry) {
        counts.records += 1
        let function = functionIndices[entry.deployment]
        let time = time(of: entry)
        if entry.log == .standardError, let day = time?.day { errorStreamDays[entry.deployment].insert(day) }
        guard let (app, auth) = entry.verification else { return }
        guard !loss.contains(.meaning) else {
            counts.ignored += 1
            return
        }
        // If an entry has lost its time or its number, nothing distinguishes a copy from the first one.
        let isKnownCopy = entry.isCopy && entry.timestamp != nil && loss.isDisjoint(with: [.insertID, .time])
        guard !isKnownCopy else {
            counts.duplicates += 1
            return
        }
        counts.verifications += 1
        if let time {
            functions[function].note(app: app, auth: auth, at: time)
        } else {
            counts.undated += 1
            functions[function].undated[app, auth] += 1
        }
    }

    /// Notes an entry that looks like a verification, and is none to a reader who looks at the whole log.
    mutating func noteIgnored(_ entry: LogEntry) {
        counts.records += 1
        counts.ignored += 1
        if entry.log == .standardError, let day = time(of: entry)?.day {
            errorStreamDays[entry.deployment].insert(day)
        }
    }

    /// When an entry is dated, as far as its transport says.
    private func time(of entry: LogEntry) -> Instant? {
        guard !loss.contains(.time), let time = entry.timestamp ?? (stampsEntries ? entry.publishedAt : nil) else {
            return nil
        }
        guard loss.contains(.nanoseconds) else { return time }
        return Instant(seconds: time.seconds, nanoseconds: time.nanoseconds / 1000 * 1000)
    }

    /// All that was noted.
    var truth: Truth {
        var truth = counts
        truth.functions = functions.filter { $0.totals.total > 0 }.sorted { $0.identity.precedes($1.identity) }
        truth.streams = loss.contains(.place) ? [] : streams
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
            streams[stream].undatedFailed += functions[functionIndices[index]].undated.failed
            for day in functions[functionIndices[index]].days {
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
    /// What a transport that loses something still says.
    fileprivate func remaining(after loss: TransportLoss) -> FunctionIdentity {
        guard loss.contains(.place) else { return self }
        return FunctionIdentity(
            project: FunctionIdentity.unknown, region: FunctionIdentity.unknown,
            name: loss.contains(.name) ? FunctionIdentity.unknown : name, generation: nil)
    }

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
