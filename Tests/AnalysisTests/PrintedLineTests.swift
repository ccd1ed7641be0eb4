import Entries
import Readiness
import TestSupport
import Testing
import Verifications

/// What the real loggers print when a function logs what a client sent, and what becomes of it.
@Suite struct PrintedLineTests {
    /// What became of the lines of one call, beside the SDK's own entry of the same request.
    private enum Outcome: Equatable {
        /// Nobody would take them for the SDK's.
        case harmless
        case unlabelled
        case otherMessage
        case repeated
        /// It replaces the SDK's entry.
        case displaces
        /// It counts in addition to the SDK's entry.
        case counts
    }

    private struct Setting: Hashable, CustomStringConvertible {
        let sdk: String
        let framework: String?
        var description: String { "\(sdk) \(framework ?? "-")" }
    }

    /// `logger.info("got", data)`: the message is the function's, in every version.
    @Test func besideAMessage() throws {
        for (setting, outcomes) in try outcomes(of: #"logger.info("got", data)"#) {
            for (sent, outcome) in outcomes {
                // A list or a text is no set of labels: it stays in the payload, and Cloud Logging sees no label.
                let hasLabel = sent != "labelList" && sent != "labelText"
                #expect(outcome == (hasLabel ? .otherMessage : .harmless), "\(setting) \(sent)")
            }
        }
    }

    /// Under a separate key, nothing that a client sends has a meaning.
    @Test func underAKeyOfItsOwn() throws {
        for (setting, outcomes) in try outcomes(of: #"logger.info("got", { data })"#) {
            #expect(outcomes.count == 11)
            for (sent, outcome) in outcomes { #expect(outcome == .harmless, "\(setting) \(sent)") }
        }
    }

    /// `logger.info(data)`: up to 4.4.0 the message is empty; later the client's.
    @Test(arguments: ["logger.info(data)", "logger.log(data)"])
    func dataAlone(call: String) throws {
        for (setting, outcomes) in try outcomes(of: call) {
            let isOld = setting.sdk.hasPrefix("3.") || setting.sdk == "4.4.0"
            for (sent, outcome) in outcomes {
                let wanted: Outcome =
                    switch sent {
                    case "label", "contradiction", "misplacedLabel": .otherMessage
                    case "labelList", "labelText": isOld ? .harmless : .unlabelled
                    case _ where isOld: .otherMessage
                    case _ where setting.framework == nil: .counts
                    case "time": .displaces
                    default: .repeated
                    }
                #expect(outcome == wanted, "\(setting) \(sent)")
            }
        }
    }

    /// `console.log(JSON.stringify(data))`: all is the client's, the severity too.
    @Test func printedJSON() throws {
        let all = try outcomes(of: "console.log(JSON.stringify(data))")
        #expect(all.count == 3)
        for (setting, outcomes) in all {
            for (sent, outcome) in outcomes {
                let wanted: Outcome =
                    switch sent {
                    case "label", "contradiction", "misplacedLabel": .otherMessage
                    case "labelList", "labelText": .unlabelled
                    case _ where setting.framework == nil: .counts
                    case "time": .displaces
                    default: .repeated
                    }
                #expect(outcome == wanted, "\(setting) \(sent)")
            }
        }
    }

    /// Text that the SDK's logger writes stays text; what the console prints may be JSON, or have several lines.
    @Test func text() throws {
        for (_, outcomes) in try outcomes(of: "logger.info(data.text)") {
            #expect(outcomes["text"] == .unlabelled)
            for sent in ["plain", "secondLine", "secondLineJSON", "json"] { #expect(outcomes[sent] == .harmless) }
        }
        for (setting, outcomes) in try outcomes(of: "console.log(data.text)") {
            let hasFramework = setting.framework != nil
            #expect(outcomes["text"] == .unlabelled)
            #expect(outcomes["json"] == (hasFramework ? .repeated : .counts))
            // Without the framework, each line is a separate entry.
            #expect(outcomes["secondLine"] == (hasFramework ? .harmless : .unlabelled))
            #expect(outcomes["secondLineJSON"] == (hasFramework ? .harmless : .counts))
        }
        for (setting, outcomes) in try outcomes(of: #"console.log("got", data.text)"#) {
            let hasFramework = setting.framework != nil
            #expect(outcomes["text"] == .harmless && outcomes["json"] == .harmless)
            #expect(outcomes["secondLineJSON"] == (hasFramework ? .harmless : .counts))
        }
    }

    /// For each pair of versions, what became of each thing sent.
    private func outcomes(of call: String) throws -> [Setting: [String: Outcome]] {
        let lines = try PrintedLine.recorded()
        var found: [Setting: [String: Outcome]] = [:]
        for (setting, lines) in Dictionary(grouping: lines, by: { Setting(sdk: $0.sdk, framework: $0.framework) }) {
            let own = try #require(lines.first { $0.call == "the SDK" && $0.sent == "passed" })
            for (sent, printed) in Dictionary(grouping: lines.filter { $0.call == call }, by: \.sent) {
                found[setting, default: [:]][sent] = try outcome(of: printed, beside: own)
            }
        }
        #expect(!found.isEmpty)
        return found
    }

    private func outcome(of printed: [PrintedLine], beside own: PrintedLine) throws -> Outcome {
        // The request came without an App Check token.
        let real = try own.entry(insertID: "real", loggedAt: "2026-10-14T12:00:00.1Z")
            .with("jsonPayload", EntryText.payload(app: "MISSING", auth: "VALID"))
        let forged = try printed.enumerated().map { index, line in
            try line.entry(insertID: "forged-\(index)", loggedAt: "2026-10-14T12:00:00.\(index + 2)Z")
        }
        let files = try Files([([real] + forged).map(\.text).joined(separator: "\n")])
        let result = files.run()
        let function = try #require(result.tally.functions.values.first)
        let discarded = function.discarded
        if function.totals.total == 2 { return .counts }
        #expect(function.totals.total == 1)
        if function.totals[.missing, .valid] == 0 { return .displaces }
        if discarded.unlabelled > 0 { return .unlabelled }
        if discarded.otherMessage > 0 { return .otherMessage }
        return discarded.repeated > 0 ? .repeated : .harmless
    }
}
