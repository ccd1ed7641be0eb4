/// What other programs make of entries: named and counted as unread, never read.
///
/// ```
/// {"labels":{…},"line":"{\"insertId\":…}","timestamp":"…"}              logcli, of Loki
/// {"_index":"…","_id":"…","_source":{"message":"{\"insertId\":…}"}}     elasticdump
/// {"preview":false,"result":{"_raw":"{\"data\":{\"insertId\":…}}"}}     Splunk's export
/// {"_id":"…","date":"…","attributes":{"data":{"insertId":…}}}           Datadog's archive
/// {"message":"{\"insertId\":…}","source_type":"gcp_pubsub"}             Vector
/// {"content":[{"type":"text","text":"{\"entries\":[…]}"}]}              a result of the Model Context Protocol
/// {"resourceLogs":[{"scopeLogs":[{"logRecords":[…]}]}]}                 OTLP, of OpenTelemetry's collector
/// {"timeSeries":[{"metric":{"labels":{"app":"MISSING",…}},"points":[…]}]}    Cloud Monitoring
/// ```
///
/// Sources: what these programs write, of which `Fixtures/shapes` has an example each;
/// <https://opentelemetry.io/docs/specs/otlp/>,
/// <https://cloud.google.com/monitoring/api/ref_v3/rest/v3/projects.timeSeries>.
enum ForeignShape: CaseIterable {
    case logcli, elasticdump, splunk, datadog, vector, contextProtocol
    // Nothing of an entry is left of these.
    case otlp, timeSeries

    /// Tells by the keys at the top of a record.
    init?(_ record: RawText) {
        guard let shape = ForeignShape.allCases.first(where: { $0.fits(record) }) else { return nil }
        self = shape
    }

    private var keys: [StaticString] {
        switch self {
        case .logcli: ["labels", "line", "timestamp"]
        case .elasticdump: ["_source"]
        case .splunk: ["result"]
        case .datadog: ["_id", "date", "attributes"]
        case .vector: ["message", "source_type"]
        case .contextProtocol: ["content"]
        case .otlp: ["resourceLogs"]
        case .timeSeries: ["points", "metric"]
        }
    }

    private func fits(_ record: RawText) -> Bool {
        if self == .timeSeries, record.hasMember({ key, _ in key == "timeSeries" }) { return true }
        return keys.allSatisfy { wanted in record.hasMember { key, _ in key == wanted } }
    }

    /// How many verifications the record may hold.
    func verifications(in record: RawText) -> Int {
        guard self == .timeSeries else { return MarkerCount(in: record).verifications }
        var (sum, index) = (0, 0)
        let key: StaticString = "\"int64Value\""
        while let place = record.cut(index..<record.count).place(of: key) {
            index += place + key.utf8CodeUnitCount
            var number = 0
            while index < record.count, record[index] != .comma, record[index] != .closeBrace {
                let digit = Int(record[index]) - Int(UInt8(ascii: "0"))
                if 0...9 ~= digit { number = min(number * 10 + digit, 1 << 40) }
                index += 1
            }
            sum = min(sum + number, 1 << 40)
        }
        return sum
    }
}

/// The words that the SDK has for tokens, where an export has left out all that says what they are about.
///
/// ```
/// {"ts":"2025-08-25T13:32:04Z","fn":"add","app":"MISSING","auth":"VALID"}
/// 2025-08-25T13:32:04Z  add  MISSING  VALID
/// ```
enum StatusWords {
    /// No text with two of them is shorter.
    static let shortest = "VALID,VALID".utf8.count

    /// True for text with the statuses of two tokens.
    static func areIn(_ text: RawText) -> Bool {
        guard text.count >= shortest else { return false }
        var (words, start) = (0, 0)
        for index in 0...text.count where index == text.count || !isOfWord(text[index]) {
            let length = index - start
            if length > 4, length < 8 {
                let word = text.cut(start..<index)
                if word == "VALID" || word == "MISSING" || word == "INVALID" { words += 1 }
                if words == 2 { return true }
            }
            start = index + 1
        }
        return false
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

/// What the strings of an object look like if it is not an entry.
struct ValueSigns {
    /// True where one is a token's status.
    private(set) var hasStatus = false
    /// True where one is the base64 of an object, an array or gzip; a token has dots.
    private(set) var isHidden = false

    init(of object: RawText) {
        var index = 0
        while let quote = object.index(of: .quote, from: index) {
            let text = object.cut(quote + 1..<object.count)
            index = quote + 1
            switch text.first {
            case UInt8(ascii: "V"), UInt8(ascii: "M"), UInt8(ascii: "I"):
                let statuses: [StaticString] = ["VALID\"", "MISSING\"", "INVALID\""]
                guard let status = statuses.first(where: { text.hasPrefix($0) }) else { break }
                let next = text.indexOfNonSpace(from: status.utf8CodeUnitCount)
                // A report has them as keys.
                hasStatus = hasStatus || next >= text.count || text[next] != .colon
            case UInt8(ascii: "e"), UInt8(ascii: "W"), UInt8(ascii: "H"):
                guard HiddenText.beginsBase64(text), let end = text.index(of: .quote, from: 0) else { break }
                index += end
                if end > HiddenText.shortest, HiddenText.isBase64(text.cut(0..<end)) { isHidden = true }
            default: break
            }
        }
    }
}
