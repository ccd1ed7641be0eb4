import Foundation

/// The ways in which records are put together to a log, all of which must give the same counts.
enum Layout: String, CaseIterable {
    case lines, linesWithoutLastFeed, windowsLines, blankLines, markedLines, severalPerLine
    case glued, prettyTwo, prettyFour, prettyWindows, markedPretty
    case array, arrayOfLines, gcloudArray, arrayInArray, arrays, gluedArrays, openArray, openGcloudArray
    case pages, pagesOnLines, prettyPages, pagesWithToken, arrayOfPages, openPage
    case pulled, prettyPulled

    /// The records one below the other, so that each line is one.
    static let lineLayouts: Set<Layout> = [
        .lines, .linesWithoutLastFeed, .windowsLines, .blankLines, .markedLines, .severalPerLine,
    ]

    /// True when the source may end inside an array.
    var isOpen: Bool { self == .openArray || self == .openGcloudArray || self == .openPage }

    /// The log that these records make; two for a page, a line or an array where there are several of them.
    func log(_ records: [String]) -> LaidOutLog {
        var log = LaidOutLog()
        switch self {
        case .lines: log.add(records, between: "\n", after: "\n")
        case .linesWithoutLastFeed: log.add(records, between: "\n")
        case .windowsLines: log.add(records, between: "\r\n", after: "\r\n")
        case .blankLines: log.add(before: "\n \n", records, between: "\n\n \t\r\n", after: "\n\n\n")
        case .markedLines: log.add(before: "\u{FEFF}", records, between: "\n", after: "\n")
        case .severalPerLine:
            log.add(records.prefix(1), after: "\n")
            log.addPairs(records.dropFirst(), before: "", between: "", after: "\n")
        case .glued: log.add(records, between: "")
        case .prettyTwo: log.add(records.map { pretty($0, by: 2) }, between: "\n", after: "\n")
        case .prettyFour: log.add(records.map { pretty($0, by: 4) }, between: "\n\n", after: "\n")
        case .prettyWindows:
            log.add(
                records.map { pretty($0, by: 2).replacing("\n", with: "\r\n") }, between: "\r\n", after: "\r\n")
        case .markedPretty:
            log.add(before: "\u{FEFF}", records.map { pretty($0, by: 2) }, between: "\n", after: "\n")
        case .array: log.add(before: "[", records, between: ",", after: "]\n")
        case .arrayOfLines: log.add(before: "[", records, between: ",\n", after: "]\n")
        case .gcloudArray: log.add(before: "[\n  ", gcloud(records), between: ",\n  ", after: "\n]\n")
        case .arrayInArray: log.add(before: "[[", records, between: "],[", after: "]]")
        case .arrays: log.addPairs(records, before: "[\n", between: ",\n", after: "\n]\n")
        case .gluedArrays: log.addPairs(records, before: "[", between: ",", after: "]")
        case .openArray: log.add(before: "[", records, between: ",", after: ",")
        case .openGcloudArray: log.add(before: "[\n  ", gcloud(records), between: ",\n  ", after: ",\n")
        case .pages: log.addPairs(records, before: #"{"entries":["#, between: ",", after: "]}")
        case .pagesOnLines: log.addPairs(records, before: #"{"entries":["#, between: ",", after: "]}\n")
        case .prettyPages:
            log.addPairs(
                records.map { pretty($0, by: 2, at: 4) }, before: "{\n  \"entries\": [\n    ", between: ",\n    ",
                after: "\n  ],\n  \"nextPageToken\": \"EAE4\"\n}\n")
        case .pagesWithToken:
            log.addPairs(
                records, before: #"{"nextPageToken":"EAE4","entries":["#, between: ",",
                after: #"]}{"nextPageToken":"E"}"#)
        case .arrayOfPages: log.addPairs(records, before: #"[{"entries":["#, between: ",", after: #"]}]"#)
        case .openPage: log.add(before: #"{"entries":["#, records, between: ",")
        case .pulled: log.addPairs(records.map(pulled), before: #"{"receivedMessages":["#, between: ",", after: "]}")
        case .prettyPulled:
            log.add(
                before: "[\n  ", records.map { pretty(pulled($0), by: 2, at: 2) }, between: ",\n  ", after: "\n]\n")
        }
        return log
    }

    /// As `gcloud logging read --format=json` prints them.
    private func gcloud(_ records: [String]) -> [String] {
        records.map { pretty($0, by: 2, at: 2) }
    }

    private func pulled(_ record: String) -> String {
        #"{"ackId":"RVNEUAY","message":{"data":"\#(Data(record.utf8).base64EncodedString())","messageId":"115"}}"#
    }
}

/// A log, and where its records lie.
struct LaidOutLog {
    private(set) var bytes: [UInt8] = []
    private(set) var places: [Range<Int>] = []

    mutating func add(
        before: String = "", _ records: some Collection<String>, between: String = "", after: String = ""
    ) {
        bytes += before.utf8
        for (index, record) in records.enumerated() {
            if index > 0 { bytes += between.utf8 }
            let start = bytes.count
            bytes += record.utf8
            places.append(start..<bytes.count)
        }
        bytes += after.utf8
    }

    /// Adds two records at a time.
    mutating func addPairs(_ records: some Collection<String>, before: String, between: String, after: String) {
        let records = Array(records)
        for first in stride(from: 0, to: records.count, by: 2) {
            add(before: before, records[first..<min(first + 2, records.count)], between: between, after: after)
        }
    }
}

/// JSON text over several lines, its keys in their order; `step` is how far each level is indented, `indent` how far
/// all lines but the first are.
func pretty(_ json: String, by step: Int, at indent: Int = 0) -> String {
    var text = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    func line() -> String { "\n" + String(repeating: " ", count: indent + depth * step) }
    for character in json.unicodeScalars {
        if isInString {
            text.unicodeScalars.append(character)
            if !isEscaped && character == "\"" { isInString = false }
            isEscaped = !isEscaped && character == "\\"
            continue
        }
        switch character {
        case "\"":
            isInString = true
            text += "\""
        case "{", "[":
            depth += 1
            text += "\(character)\(line())"
        case "}", "]":
            depth -= 1
            let isEmpty = text.last { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
            while text.last?.isWhitespace ?? false { text.removeLast() }
            text += (isEmpty ? "" : line()) + "\(character)"
        case ",": text += ",\(line())"
        case ":": text += ": "
        default: text.unicodeScalars.append(character)
        }
    }
    return text
}
