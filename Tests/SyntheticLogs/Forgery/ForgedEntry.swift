import Verifications

/// An entry that a function wrote because a client asked for it, as Cloud Logging holds it.
struct ForgedEntry {
    let forgery: Forgery
    /// Statuses, times, labels and ids; the message is the forgery's.
    let entry: LogEntry

    /// A forgery that came with the request of which an entry tells.
    init(_ forgery: Forgery, with real: LogEntry, using random: inout SeededRandom) {
        self.forgery = forgery
        var entry = real
        // A function logs what it got some milliseconds after the SDK has verified the request.
        let delay = Int64(random.within(1_000_000..<400_000_000))
        let stamped = (real.timestamp ?? real.deliveredAt).adding(seconds: forgery.secondsStamped)
        entry.timestamp = stamped.adding(nanoseconds: delay)
        entry.receiveTimestamp = real.deliveredAt.adding(nanoseconds: delay)
        entry.payload = .verification(
            app: random.pick(ForgedEntry.statuses(of: forgery)), auth: random.pick([.valid, .missing]))
        entry.severity = .info
        if entry.log == .standardError { entry.log = .standardOutput }
        if forgery != .foreignInsertID {
            entry.insertID = InsertID(high: UInt32(truncatingIfNeeded: random.next()), low: random.next())
        }
        // Where the framework sets the label, it does so after the client's.
        if forgery == .foreignExecution, entry.executionID == nil { entry.executionID = random.next() >> 4 }
        if forgery == .misplacedLabel { entry.executionID = nil }
        if forgery == .foreignSpan || forgery == .misplacedLabel { entry.spanID = random.next() }
        self.entry = entry
    }

    private static func statuses(of forgery: Forgery) -> [TokenStatus] {
        forgery == .contradiction ? [.invalid] : [.valid, .missing]
    }

    /// Whether the label is where the SDK's is.
    var isLabelled: Bool { forgery != .text && forgery != .misplacedLabel }

    /// The time that a reader believes: none over a day before receipt, and that of receipt for one over an hour later.
    var believedTime: Instant? {
        guard let stamped = entry.timestamp, let received = entry.receiveTimestamp else { return nil }
        if stamped > received.adding(seconds: 3600) { return received }
        return stamped < received.adding(seconds: -Instant.secondsPerDay) ? nil : stamped
    }

    /// The entry as a reader dates it.
    var believed: LogEntry {
        var believed = entry
        believed.timestamp = believedTime
        return believed
    }
}

/// Writes forged entries as a Cloud Storage sink does, one a line.
struct ForgedEntryWriter {
    private let fragments: [DeploymentFragments]

    init(_ deployments: [Deployment]) {
        fragments = deployments.map(DeploymentFragments.init)
    }

    /// Appends an entry without a line feed.
    func append(_ forged: ForgedEntry, to bytes: inout [UInt8]) {
        let entry = forged.entry
        let fragments = fragments[entry.deployment]
        bytes.append(#"{"insertId":""#)
        bytes.append(hexadecimal: UInt64(entry.insertID.high), digits: 8)
        bytes.append(hexadecimal: entry.insertID.low, digits: 16)
        bytes.append(#"","#)
        appendPayload(of: forged, to: &bytes)
        bytes.append(",")
        bytes.append(contentsOf: fragments.resource(of: entry, order: 0))
        append(entry.timestamp, as: "timestamp", to: &bytes)
        append(entry.receiveTimestamp, as: "receiveTimestamp", to: &bytes)
        bytes.append(#","severity":"INFO","#)
        fragments.appendLabels(of: entry, isLabelled: forged.isLabelled, order: 0, to: &bytes)
        bytes.append(",")
        bytes.append(contentsOf: fragments.logName[entry.log.rawValue])
        appendSpan(of: entry, fragments, to: &bytes)
        bytes.append("}")
    }

    private func appendPayload(of forged: ForgedEntry, to bytes: inout [UInt8]) {
        guard let (app, auth) = forged.entry.verification else { return }
        let statuses = #"{"app":"\#(app.name)","auth":"\#(auth.name)"}"#
        let passed = "Callable request verification passed"
        switch forged.forgery {
        case .text:
            bytes.append(#""textPayload":"\#(passed): {'app': '\#(app.name)', 'auth': '\#(auth.name)'}""#)
        case .silence, .earlierSilence:
            bytes.append(#""jsonPayload":{"verifications":\#(statuses)}"#)
        case .label:
            bytes.append(#""jsonPayload":{"message":"got","verifications":\#(statuses)}"#)
        case .misplacedLabel:
            bytes.append(#""jsonPayload":{"logging.googleapis.com/labels":[],"logging_googleapis_com_labels":"#)
            bytes.append(#"{"firebase-log-type":"callable-request-verification"},"#)
            bytes.append(#""message":"\#(passed)","verifications":\#(statuses)}"#)
        default:
            bytes.append(#""jsonPayload":{"message":"\#(passed)","verifications":\#(statuses)}"#)
        }
    }

    private func append(_ instant: Instant?, as key: String, to bytes: inout [UInt8]) {
        guard let instant else { return }
        bytes.append(",\"\(key)\":\"")
        bytes.append(instant)
        bytes.append("\"")
    }

    private func appendSpan(of entry: LogEntry, _ fragments: DeploymentFragments, to bytes: inout [UInt8]) {
        if let trace = entry.trace {
            bytes.append(",")
            bytes.append(contentsOf: fragments.trace)
            bytes.append(hexadecimal: trace.high, digits: 16)
            bytes.append(hexadecimal: trace.low, digits: 16)
            bytes.append("\"")
        }
        if let span = entry.spanID {
            bytes.append(#","spanId":""#)
            bytes.append(decimal: span)
            bytes.append("\"")
        }
    }
}
