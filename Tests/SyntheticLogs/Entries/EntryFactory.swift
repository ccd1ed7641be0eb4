import Verifications

/// Turns calls into the entries they leave in the logs.
struct EntryFactory {
    private let deployments: [Deployment]
    private let recordsPerVerification: Double
    private let undatedShare: Double
    private let lateShare: Double
    private let hasOwnLines: Bool
    /// Entries beside verifications that may still be written; calls leave as many as this allows.
    private var allowance = 0.0
    var random: SeededRandom

    init(_ scenario: Scenario, deployments: [Deployment]) {
        self.deployments = deployments
        recordsPerVerification = scenario.recordsPerVerification
        undatedShare = scenario.undatedShare
        lateShare = scenario.lateShare
        hasOwnLines = scenario.hasOwnLines
        random = SeededRandom(seed: scenario.seed, name: "entries")
    }

    /// Appends the verification of a call, and its other entries as far as the share of verifications allows.
    mutating func append(_ call: Call, to arrivals: inout [Arrival]) {
        let deployment = deployments[call.deployment]
        allowance += recordsPerVerification - 1
        appendVerification(of: call, deployment, to: &arrivals)

        if deployment.generation == .first {
            appendLine(.executionFinished(status: call.status), .debug, at: call.finishedAt, of: call, to: &arrivals)
            appendLine(.executionStarted, .debug, at: call.startedAt, of: call, to: &arrivals)
        } else {
            appendRequest(.post, status: call.status, at: call.startedAt, until: call.finishedAt, of: call, &arrivals)
        }
        if call.failed {
            let kind: LineKind =
                call.client == .iOSHeldBack
                ? .placeholderRefused : call.app == .invalid ? .appCheckTokenRefused : .authTokenRefused
            appendLine(kind, .warning, at: call.verifiedAt - 1_200_000, of: call, to: &arrivals)
            if call.app == .invalid && call.status != 401 {
                appendLine(.invalidTokenAllowed, .warning, at: call.verifiedAt + 300_000, of: call, to: &arrivals)
            }
        }
        if deployment.generation == .second && call.client.sendsPreflight {
            let start = call.startedAt - Int64(random.within(30_000_000..<200_000_000))
            appendRequest(.options, status: 204, at: start, until: start + 3_100_000, of: call, &arrivals)
        }
        // The function itself has nothing to say of requests that never reached it.
        while hasOwnLines && allowance >= 1 && call.status != 401 { appendApplicationLine(of: call, to: &arrivals) }
    }

    private mutating func appendVerification(of call: Call, _ deployment: Deployment, to arrivals: inout [Arrival]) {
        // Agents stamp some lines in microseconds, others in nanoseconds.
        let instant = random.below(4) == 0 ? call.verifiedAt / 1000 * 1000 : call.verifiedAt
        let passedSeverity: Severity = deployment.sdk == .version3 ? .info : .debug
        var arrival = arrival(
            of: call, payload: .verification(app: call.app, auth: call.auth),
            severity: call.failed ? .warning : passedSeverity, at: instant)
        if random.chance(undatedShare) {
            arrival.entry.timestamp = nil
            arrival.entry.receiveTimestamp = nil
        }
        arrivals.append(arrival)
    }

    private mutating func appendApplicationLine(of call: Call, to arrivals: inout [Arrival]) {
        let instant = call.verifiedAt + Int64(random.below(Int(call.finishedAt - call.verifiedAt)))
        let draw = random.below(100)
        switch draw {
        case 0: appendStrayRequest(after: call, to: &arrivals)
        case 1: appendLine(.applicationFailure, .error, at: instant, of: call, to: &arrivals)
        case 2: appendLine(.applicationFailure, .default, at: instant, of: call, to: &arrivals)
        case 3..<6: appendLine(.application, .default, at: instant, of: call, to: &arrivals)
        case 6..<30: appendLine(.application, .debug, at: instant, of: call, to: &arrivals)
        default: appendLine(.application, .info, at: instant, of: call, to: &arrivals)
        }
    }

    /// A crawler's GET: refused before any token is looked at, so that it leaves no verification.
    private mutating func appendStrayRequest(after call: Call, to arrivals: inout [Arrival]) {
        let deployment = deployments[call.deployment]
        let stray = Call(
            deployment, index: call.deployment, app: .missing, auth: .missing,
            verifiedAt: call.finishedAt + 1_000_000_000, using: &random)
        appendLine(.notCallable, .warning, at: stray.verifiedAt, of: stray, to: &arrivals)
        appendLine(.requestRefused, .error, at: stray.verifiedAt + 200_000, of: stray, to: &arrivals)
        guard deployment.generation == .second else { return }
        appendRequest(
            .get, status: 400, at: stray.startedAt, until: stray.verifiedAt + 500_000, of: stray, &arrivals)
    }

    private mutating func appendLine(
        _ kind: LineKind, _ severity: Severity, at instant: Int64, of call: Call, to arrivals: inout [Arrival]
    ) {
        guard allowance >= 1 else { return }
        allowance -= 1
        var arrival = arrival(
            of: call, payload: .line(Line.drawn(kind, of: call, using: &random)), severity: severity, at: instant)
        if case .applicationFailure = kind, arrival.entry.log == .standardOutput { arrival.entry.log = .standardError }
        arrivals.append(arrival)
    }

    private mutating func appendRequest(
        _ method: HTTPRequest.Method, status: Int, at start: Int64, until end: Int64, of call: Call,
        _ arrivals: inout [Arrival]
    ) {
        guard allowance >= 1 else { return }
        allowance -= 1
        let request = HTTPRequest(
            method: method, status: status, latencyNanoseconds: end - start, requestSize: random.within(700..<2400),
            responseSize: random.within(90..<900), userAgent: call.client.userAgent(using: &random),
            address: random.next())
        var arrival = arrival(
            of: call, payload: .request(request), severity: status >= 500 ? .error : status >= 400 ? .warning : .info,
            at: start)
        arrival.entry.log = .requests
        arrival.entry.executionID = nil
        if method == .options {
            arrival.entry.spanID = random.next()
            arrival.entry.trace = TraceID(high: random.next(), low: random.next())
        }
        // Such a row is written when the request ends.
        arrival.time += end - start
        arrival.entry.receiveTimestamp = Instant(nanoseconds: arrival.time)
        arrival.entry.deliveredAt = Instant(nanoseconds: arrival.time)
        arrivals.append(arrival)
    }

    /// An entry of a call; its severity decides between standard output and standard error, as in the SDK's logger.
    private mutating func arrival(
        of call: Call, payload: Payload, severity: Severity, at instant: Int64
    ) -> Arrival {
        let deployment = deployments[call.deployment]
        let isFirst = deployment.generation == .first
        // Generation 1 delivers in batches, some seconds later; generation 2 within milliseconds.
        var lag = Int64(random.within(isFirst ? 80_000_000..<9_000_000_000 : 2_500_000..<40_000_000))
        if random.chance(lateShare) { lag += Int64(random.within(3600..<36_000)) * 1_000_000_000 }
        let entry = LogEntry(
            deployment: call.deployment,
            log: isFirst ? .cloudFunctions : severity >= .warning ? .standardError : .standardOutput,
            severity: severity, timestamp: Instant(nanoseconds: instant),
            receiveTimestamp: Instant(nanoseconds: instant + lag),
            insertID: InsertID(high: UInt32(truncatingIfNeeded: random.next()), low: random.next()),
            trace: deployment.sdk == .version3 ? nil : call.trace, spanID: isFirst ? nil : call.spanID,
            executionID: call.executionID, instance: call.instance, payload: payload,
            deliveredAt: Instant(nanoseconds: instant + lag))
        return Arrival(time: instant + lag, entry: entry)
    }
}

/// An entry, and when the sink received it: entries are in a log in this order.
struct Arrival {
    /// Nanoseconds since 1970.
    var time: Int64
    var entry: LogEntry

    static func precedes(_ left: Arrival, _ right: Arrival) -> Bool {
        left.time == right.time ? left.entry.insertID < right.entry.insertID : left.time < right.time
    }
}
