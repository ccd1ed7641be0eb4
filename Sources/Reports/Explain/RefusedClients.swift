import Readiness
import Verifications

extension Explanation {
    /// Who would be refused, or is: what the request log and the SDK's lines show about them.
    ///
    /// Nil where the log has neither, and where nobody would be refused. User agents are claims: the sentences say so.
    var clientSection: Document.Section? {
        guard let callers = function.callers, function.assessment.evidence.blocked > 0 else { return nil }
        let isOn = callers.enforcement?.state == .on || function.assessment.verdict == .enforced
        let fate = isOn ? "is refused" : "would be refused"
        var blocks: [Document.Block] = []
        if let clients = callers.clients, clients.callers.blockedJoined > 0 { blocks += clients.blocks(isOn: isOn) }
        if let causes = callers.causes { blocks += causes.items(asOf: summary.asOf) }
        return blocks.isEmpty ? nil : Document.Section(title: "Who \(fate)", blocks: blocks)
    }
}

extension CallerSummary.Clients {
    fileprivate func blocks(isOn: Bool) -> [Document.Block] {
        let blocked = callers.blockedJoined
        let lines = kinds.filter { $0.blocked > 0 }.sorted { ($1.blocked, $0.kind) < ($0.blocked, $1.kind) }
        var blocks: [Document.Block] = [
            .figures(
                lines.map { line in
                    (
                        figure: "\(Figures.grouped(line.blocked)) of \(Figures.grouped(line.admitted))",
                        text: "\(line.kind.claim)"
                    )
                })
        ]
        var items: [Wording] = []
        if let outdated {
            items.append(
                """
                \(Figures.grouped(outdated.blocked)) of \(Figures.grouped(outdated.ofApp)) requests of \
                \(name: outdated.app) that \(isOn ? "are" : "would be") refused come from version \
                \(name: outdated.version) or older\(isOn ? "" : ": enforce when these are gone").
                """)
        }
        let addresses = callers.addresses.count
        if blocked >= 4 * CallerSummary.Clients.fewest, addresses > 0, addresses * 10 <= blocked {
            items.append(
                """
                All \(Figures.grouped(blocked)) come from \(Figures.counted(addresses, "address", plural: "addresses")).
                """)
        }
        if unlogged > 0 {
            items.append(
                """
                \(Figures.counted(unlogged, "answered request")) left no verification: the log is sampled, or a filter \
                drops some.
                """)
        }
        blocks += items.map { .item($0) }
        blocks.append(
            .paragraph(
                """
                Known for \(Figures.grouped(blocked)) of \(Figures.counted(self.blocked, "request")) that \(isOn ? "are" : "would be") refused: \
                those with a row in the request log. Clients are named as they identify themselves.
                """, .faint))
        return blocks
    }
}

extension CallerSummary.Causes {
    /// Why tokens were refused, the most frequent reason first; nothing where no line of the SDK tells.
    fileprivate func items(asOf: Instant?) -> [Document.Block] {
        let total = counts.reduce(0, +)
        let known = RefusalCause.allCases.filter { $0 != .unexplained && self[$0] > 0 }
            .sorted { (self[$1], $0) < (self[$0], $1) }
        guard let largest = known.first else { return [] }
        let parts = known.map { "\(Figures.grouped(self[$0])) \($0.noun)" }
        let rest = self[.unexplained]
        let unexplained = rest > 0 ? ", \(Figures.grouped(rest)) unexplained" : ""
        let start = since.map { ", mostly so since \(CalendarText.day($0))" } ?? ""
        return [
            .item(
                """
                Why \(Figures.grouped(total)) \(total == 1 ? "token was" : "tokens were") refused (INVALID): \
                \(parts.joined(separator: ", "))\(unexplained)\(start). 
                """ + largest.advice)
        ]
    }
}

extension ClientKind {
    /// What such a client claims to be.
    var claim: String {
        switch self {
        case .ios: "iOS apps"
        case .iosExtension: "extensions of iOS apps"
        case .iosSimulator: "iOS simulators"
        case .macos: "macOS apps"
        case .android: "Android apps (okhttp)"
        case .androidWebView: "web pages in Android apps (WebView)"
        case .web: "browsers"
        case .node: "Node"
        case .server: "servers' HTTP libraries"
        case .google: "Google Cloud Scheduler, Tasks and the like: mostly your own jobs"
        case .tool: "tools such as curl and Postman"
        case .none: "no user agent"
        case .other: "other clients"
        }
    }
}

extension RefusalCause {
    fileprivate var noun: String {
        switch self {
        case .placeholder: "placeholder"
        case .expired: "expired"
        case .otherProject: "of another project"
        case .unknownKey: "signed by an unknown key"
        case .forged: "forged"
        case .otherToken: "of another kind"
        case .serverFault: "not verified by fault of the server"
        case .consume: "already used"
        case .unexplained: "unexplained"
        }
    }

    /// What to check where it is the most frequent one.
    fileprivate var advice: Wording {
        switch self {
        case .placeholder:
            """
            The SDK is there, but has no token: check that the app is registered, that the App Check API is enabled, and \
            whether App Attest is still being rolled out.
            """
        case .expired: "Check the clocks of the devices, and that tokens are refreshed."
        case .otherProject: "A build has the configuration file of another Firebase project."
        case .unknownKey, .forged: "No current app sends such tokens: somebody made them, or kept old ones."
        case .otherToken: "A client sends another token, such as an ID token, in the header of App Check."
        case .serverFault:
            """
            Your function could not verify them, whatever they were: an outage of your own, and no users would be lost.
            """
        case .consume:
            """
            Replay protection refused them: a client sends one token twice, or the service account lacks the role \
            Firebase App Check Token Verifier.
            """
        case .unexplained: ""
        }
    }
}
