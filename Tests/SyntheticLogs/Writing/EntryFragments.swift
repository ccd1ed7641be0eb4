import Verifications

/// Which of its equivalent spellings an entry takes, drawn from the bits of its `insertId`.
///
/// A second copy takes another spelling than the first, as another sink would give it.
struct FormChoice {
    let fieldOrder: Int
    let labelOrder: Int
    let resourceOrder: Int
    let payloadOrder: Int
    let asASCII: Bool

    init(_ entry: LogEntry) {
        let bits = Int(entry.insertID.high) &+ (entry.isCopy ? 0x0001_0101 : 0)
        fieldOrder = bits >> 16 & 0xff
        labelOrder = bits >> 8 & 0xff
        resourceOrder = fieldOrder
        payloadOrder = bits >> 4 & 3
        asASCII = bits & 0x40 > 0
    }
}

/// The parts of a line that are the same in all entries of a deployment, as bytes.
struct DeploymentFragments: Sendable {
    /// The whole `resource` field, by revision, in two orders.
    private let resources: [[[UInt8]]]
    private let enforcedSince: Day?
    /// The whole `logName` field, by the log's raw value.
    let logName: [[UInt8]]
    /// The start of the `trace` field.
    let trace: [UInt8]
    /// The text between the method and the size of a request.
    let requestURL: [UInt8]
    private let labels: [[UInt8]]
    private let streamLabels: [[UInt8]]
    private let instances: [[UInt8]]

    init(_ deployment: Deployment) {
        let project = deployment.identity.project
        enforcedSince = deployment.enforcedSince
        resources = deployment.resourceLabels.map { labels in
            let pairs = labels.map(DeploymentFragments.pair)
            return [0, 2].map { first in
                let type = Array(#""type":"\#(deployment.resourceType)""#.utf8)
                let labels = Array(#""labels":{"#.utf8) + joined(rotated(pairs, by: first)) + Array("}".utf8)
                let both = first == 0 ? [type, labels] : [labels, type]
                return Array(#""resource":{"#.utf8) + joined(both) + Array("}".utf8)
            }
        }
        logName = Log.allCases.map { Array(#""logName":"projects/\#(project)/logs/\#($0.id)""#.utf8) }
        trace = Array(#""trace":"projects/\#(project)/traces/"#.utf8)
        requestURL = Array(#"","requestUrl":"\#(deployment.requestURL)","requestSize":""#.utf8)
        labels = deployment.labels.map(DeploymentFragments.pair)
        streamLabels = deployment.streamLabels.map(DeploymentFragments.pair)
        instances = deployment.instances.map { DeploymentFragments.pair((deployment.instanceKey, $0)) }
    }

    /// The whole `resource` field.
    func resource(of entry: LogEntry, order: Int) -> [UInt8] {
        let day = (entry.timestamp ?? entry.deliveredAt).day
        let orders = enforcedSince.map { day >= $0 } ?? false ? resources[resources.count - 1] : resources[0]
        return orders[order % orders.count]
    }

    /// Appends the whole `labels` field.
    ///
    /// - Parameters:
    ///   - entry: Whose labels.
    ///   - isLabelled: Whether the label that marks a verification is among them.
    ///   - order: Which of several orders they take.
    ///   - bytes: Where they go.
    func appendLabels(of entry: LogEntry, isLabelled: Bool, order: Int, to bytes: inout [UInt8]) {
        bytes.append(#""labels":{"#)
        let count = 3 + labels.count + streamLabels.count
        let start = bytes.count
        for step in 0..<count {
            let end = bytes.count
            if end > start { bytes.append(UInt8(ascii: ",")) }
            let index = (step + order % 3) % count
            if !appendLabel(index, of: entry, isLabelled: isLabelled, to: &bytes) {
                bytes.removeLast(bytes.count - end)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends one label; returns false when the entry has no such label.
    private func appendLabel(
        _ index: Int, of entry: LogEntry, isLabelled: Bool, to bytes: inout [UInt8]
    ) -> Bool {
        switch index {
        case 0:
            bytes.append(contentsOf: instances[entry.instance])
        case 1:
            guard let executionID = entry.executionID else { return false }
            bytes.append(#""execution_id":""#)
            bytes.append(base36: executionID)
            bytes.append(UInt8(ascii: "\""))
        case 2:
            guard isLabelled else { return false }
            bytes.append(#""firebase-log-type":"callable-request-verification""#)
        case 3..<3 + labels.count:
            bytes.append(contentsOf: labels[index - 3])
        default:
            guard entry.log != .requests else { return false }
            bytes.append(contentsOf: streamLabels[index - 3 - labels.count])
        }
        return true
    }

    private static func pair(_ label: (key: String, value: String)) -> [UInt8] {
        Array("\"\(label.key)\":\"".utf8) + jsonEscaped(label.value, asASCII: false) + Array("\"".utf8)
    }
}

/// The payloads of verifications: one for each pair of statuses, in four orders of keys.
struct VerificationFragments: Sendable {
    private let payloads: [[UInt8]]

    init() {
        payloads = TokenStatus.allCases.flatMap { app in
            TokenStatus.allCases.flatMap { auth in
                (0..<4).map { VerificationFragments.payload(app, auth, order: $0) }
            }
        }
    }

    subscript(app: TokenStatus, auth: TokenStatus, order order: Int) -> [UInt8] {
        payloads[(Int(app.rawValue) * 4 + Int(auth.rawValue)) * 4 + order]
    }

    private static func payload(_ app: TokenStatus, _ auth: TokenStatus, order: Int) -> [UInt8] {
        let statuses = [("app", app), ("auth", auth)].map { "\"\($0)\":\"\(SDKMessage.spelling($1))\"" }
        let ordered = order & 1 == 0 ? statuses : statuses.reversed()
        let verifications = #""verifications":{\#(ordered.joined(separator: ","))}"#
        let message = #""message":"\#(SDKMessage.text(app, auth))""#
        let fields = order & 2 == 0 ? [message, verifications] : [verifications, message]
        return Array(#""jsonPayload":{\#(fields.joined(separator: ","))}"#.utf8)
    }
}

private func joined(_ fields: [[UInt8]]) -> [UInt8] {
    Array(fields.joined(separator: [UInt8(ascii: ",")]))
}

private func rotated(_ fields: [[UInt8]], by count: Int) -> [[UInt8]] {
    Array(fields[count...] + fields[..<count])
}
