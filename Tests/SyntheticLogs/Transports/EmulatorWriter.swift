import Verifications

/// Writes what the Functions emulator shows.
///
/// ```
/// i  functions: Beginning execution of "us-central1-addMessage"
/// >  {"verifications":{"app":"MISSING","auth":"MISSING"},"logging.googleapis.com/labels":{…},"severity":"DEBUG",…}
/// >  Loaded profile of … in 12 ms
/// ```
///
/// Text that a function prints gets a `>` on each of its lines. On a terminal the marks are coloured. Tokens are
/// decoded there and not verified. Source: firebase-tools, `src/emulator/emulatorLogger.ts`.
struct EmulatorWriter: TransportWriter {
    private let line: SDKLine
    private let functions: [String]
    private let mark: String
    private let note: String

    init(deployments: [Deployment], isColored: Bool) {
        line = SDKLine(deployments: deployments)
        functions = deployments.map { "\($0.identity.region)-\($0.identity.name)" }
        mark = isColored ? "\u{1B}[90m> \u{1B}[39m " : ">  "
        note = isColored ? "\u{1B}[36m\u{1B}[1mi \u{1B}[22m\u{1B}[39m \u{1B}[1mfunctions:\u{1B}[22m " : "i  functions: "
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        switch entry.payload {
        case .request:
            bytes.append(note)
            bytes.append("Beginning execution of \"")
            bytes.append(functions[entry.deployment])
            bytes.append("\"\n")
            return 1
        case .line(let text) where text.isOfPlatform:
            return 0
        case .line(let text) where !text.isObject && entry.severity == .default:
            // What console.log prints is no JSON.
            return append(text, to: &bytes)
        case .line, .verification:
            bytes.append(mark)
            _ = line.append(entry, to: &bytes)
            bytes.append("\n")
            return 1
        }
    }

    private func append(_ text: Line, to bytes: inout [UInt8]) -> Int {
        var plain: [UInt8] = []
        text.appendText(to: &plain)
        let lines = plain.split(separator: 0x0A)
        for line in lines {
            bytes.append(mark)
            bytes.append(contentsOf: line)
            bytes.append("\n")
        }
        return lines.count
    }
}
