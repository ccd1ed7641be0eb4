/// Writes entries as a Cloud Storage sink does: newline-delimited JSON, one entry a line, keys in changing order.
///
/// ```
/// {"insertId":"3f…","jsonPayload":{"message":"Callable request verification passed","verifications":{…}},…}
/// {"labels":{…},"logName":"projects/demo-prod/logs/run.googleapis.com%2Fstdout",…}
/// ```
struct LineWriter: TransportWriter {
    private let fragments: [DeploymentFragments]
    private let payloads = VerificationFragments()
    private let userAgents = HTTPRequest.userAgents.map { jsonEscaped($0, asASCII: false) }

    /// A writer of the entries of these deployments.
    init(deployments: [Deployment]) {
        fragments = deployments.map(DeploymentFragments.init)
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        appendObject(entry, to: &bytes)
        bytes.append(0x0A)
        return 1
    }

    /// Appends one entry without a line feed.
    func appendObject(_ entry: LogEntry, to bytes: inout [UInt8]) {
        let fragments = fragments[entry.deployment]
        let choice = FormChoice(entry)
        bytes.append(UInt8(ascii: "{"))
        let start = bytes.count
        for field in LineWriter.orders[choice.fieldOrder % LineWriter.orders.count] {
            let end = bytes.count
            if end > start { bytes.append(UInt8(ascii: ",")) }
            if !append(field, of: entry, fragments, choice, to: &bytes) { bytes.removeLast(bytes.count - end) }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends one field; returns false when the entry has no such field.
    private func append(
        _ field: Field, of entry: LogEntry, _ fragments: DeploymentFragments, _ choice: FormChoice,
        to bytes: inout [UInt8]
    ) -> Bool {
        switch field {
        case .insertID:
            bytes.append(#""insertId":""#)
            bytes.append(hexadecimal: UInt64(entry.insertID.high), digits: 8)
            bytes.append(hexadecimal: entry.insertID.low, digits: 16)
            bytes.append(UInt8(ascii: "\""))
        case .payload:
            append(entry.payload, fragments, choice, to: &bytes)
        case .resource:
            bytes.append(contentsOf: fragments.resource(of: entry, order: choice.resourceOrder))
        case .timestamp:
            guard let instant = entry.timestamp else { return false }
            bytes.append(#""timestamp":""#)
            bytes.append(instant)
            bytes.append(UInt8(ascii: "\""))
        case .severity:
            guard let name = entry.severity.name else { return false }
            bytes.append(#""severity":""#)
            bytes.append(name)
            bytes.append(UInt8(ascii: "\""))
        case .labels:
            fragments.appendLabels(
                of: entry, isLabelled: entry.verification != nil, order: choice.labelOrder, to: &bytes)
        case .logName:
            bytes.append(contentsOf: fragments.logName[entry.log.rawValue])
        case .trace:
            guard let trace = entry.trace else { return false }
            bytes.append(contentsOf: fragments.trace)
            bytes.append(hexadecimal: trace.high, digits: 16)
            bytes.append(hexadecimal: trace.low, digits: 16)
            bytes.append(UInt8(ascii: "\""))
        case .receiveTimestamp:
            guard let instant = entry.receiveTimestamp else { return false }
            bytes.append(#""receiveTimestamp":""#)
            bytes.append(instant)
            bytes.append(UInt8(ascii: "\""))
        case .spanID:
            guard let spanID = entry.spanID else { return false }
            bytes.append(#""spanId":""#)
            if entry.log == .requests {
                bytes.append(hexadecimal: spanID, digits: 16)
                bytes.append(#"","traceSampled":true"#)
            } else {
                bytes.append(decimal: spanID)
                bytes.append(UInt8(ascii: "\""))
            }
        }
        return true
    }

    private func append(
        _ payload: Payload, _ fragments: DeploymentFragments, _ choice: FormChoice, to bytes: inout [UInt8]
    ) {
        switch payload {
        case .verification(let app, let auth):
            bytes.append(contentsOf: payloads[app, auth, order: choice.payloadOrder])
        case .line(let line):
            bytes.append(line.isObject ? #""jsonPayload":"# : #""textPayload":""#)
            line.appendJSON(asASCII: choice.asASCII, to: &bytes)
            if !line.isObject { bytes.append(UInt8(ascii: "\"")) }
        case .request(let request):
            append(request, fragments, to: &bytes)
        }
    }

    private func append(_ request: HTTPRequest, _ fragments: DeploymentFragments, to bytes: inout [UInt8]) {
        bytes.append(#""httpRequest":{"requestMethod":""#)
        bytes.append(request.method.name)
        bytes.append(contentsOf: fragments.requestURL)
        bytes.append(decimal: UInt64(request.requestSize))
        bytes.append(#"","status":"#)
        bytes.append(decimal: UInt64(request.status))
        bytes.append(#","responseSize":""#)
        bytes.append(decimal: UInt64(request.responseSize))
        bytes.append(#"","userAgent":""#)
        bytes.append(contentsOf: userAgents[request.userAgent])
        bytes.append(#"","remoteIp":""#)
        bytes.append(address: request.address)
        bytes.append(#"","serverIp":"192.0.2.53","latency":""#)
        bytes.append(decimal: UInt64(request.latencyNanoseconds / 1_000_000_000))
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: UInt64(request.latencyNanoseconds % 1_000_000_000), digits: 9)
        bytes.append(#"s","protocol":"HTTP/1.1"}"#)
    }

    private enum Field {
        case insertID, payload, resource, timestamp, severity, labels, logName, trace, receiveTimestamp, spanID
    }

    /// The orders in which real entries have been seen, and rotations of them.
    private static let orders: [[Field]] = [
        [
            .insertID, .payload, .resource, .timestamp, .severity, .labels, .logName, .trace, .receiveTimestamp,
            .spanID,
        ],
        [
            .insertID, .payload, .labels, .logName, .receiveTimestamp, .resource, .severity, .spanID, .timestamp,
            .trace,
        ],
        [
            .labels, .logName, .trace, .receiveTimestamp, .spanID, .insertID, .payload, .resource, .timestamp,
            .severity,
        ],
        [
            .receiveTimestamp, .resource, .severity, .spanID, .timestamp, .trace, .insertID, .payload, .labels,
            .logName,
        ],
    ]
}

extension [UInt8] {
    /// Appends an address of the ranges for documentation: three of four are IPv4 (RFC 5737), the others IPv6 (RFC
    /// 3849).
    fileprivate mutating func append(address bits: UInt64) {
        guard bits & 3 > 0 else {
            append("2001:db8:")
            for shift in [48, 32, 16] {
                append(hexadecimal: bits >> UInt64(shift), digits: 4)
                append(UInt8(ascii: ":"))
            }
            return append(":1")
        }
        append(bits & 4 > 0 ? "203.0.113." : "198.51.100.")
        append(decimal: bits >> 3 & 0xff)
    }
}
