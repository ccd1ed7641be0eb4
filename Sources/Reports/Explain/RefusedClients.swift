import Readiness
import Verifications

extension Explanation {
    /// The clients that would be refused, or are, by the request log and the SDK's lines; on a screen without rows, the
    /// tokens that came.
    ///
    /// Nil if nobody would be refused. User agents are claims: the lines mention it.
    func who(isAdvised: Bool) -> Part? {
        let (assessment, period) = (function.assessment, function.assessment.period)
        guard period.blocked > 0 else { return nil }
        var lines: [Line] = []
        if function.identity.isService {
            lines = serviceWho.map { Line(block: .item($0), level: .screen) }
        } else if let clients = assessment.clients, clients.callers.sum().blocked > 0 {
            lines = clients.lines(assessment)
        } else {
            lines = [
                (period.signedInNoToken, "signed in, without an App Check token"),
                (period.anonymousNoToken, "neither signed in nor with a token"),
                (period.tokenRefused, "with an invalid token"),
            ].filter { $0.0 > 0 }.map { Line(block: .item("\(Figures.grouped($0.0)) \($0.1)"), level: .screen) }
        }
        // On a screen, what happened since the switch is above.
        if isLockout || assessment.verdict == .enforced {
            lines = lines.filter { $0.level != .screen }.map { Line(block: $0.block, level: .verbose) }
        }
        if let causes = assessment.causes {
            lines += causes.items(isAdvised && !isAllFromSimulators ? { advice(on: $0) } : nil)
                .map { Line(block: $0, level: .verbose) }
        }
        return Part(
            label: "Who", title: "Who \(assessment.enforcement.hasRefused ? "has no valid token" : "would be refused")",
            lines: lines)
    }
}

extension Explanation {
    var isAllFromSimulators: Bool { function.assessment.clients?.isAllFromSimulators == true }

    func advice(on cause: RefusalCause) -> Wording {
        cause.advice(isAndroid: isAndroidAlone, hours: function.notices[.sameHours]?.counts)
    }
}

extension FunctionSummary {
    /// The origin of most of what would be refused, or the reason why its tokens were refused, in a few words.
    ///
    /// Nil if nothing argues against the function, if a refused platform decides, or if neither rows nor the SDK's
    /// lines explain most of it.
    var cause: Wording? {
        guard shownRate != nil, assessment.verdict != .enforce, assessment.decidingPlatforms == nil,
            !assessment.listed.has(.allRefused)
        else { return nil }
        let blocked = assessment.clients?.blocked ?? assessment.period.blocked
        let token = RefusalCause.allCases.first { 2 * (assessment.causes?[$0] ?? 0) > blocked && $0 != .unexplained }
        return assessment.clients?.cause(of: blocked, assessment.suspects) ?? token.map { "\($0.tokens)" }
    }
}

extension WindowClients {
    fileprivate var isAllFromSimulators: Bool { callers.refused { $0.kind }.map(\.key) == [.iosSimulator] }

    /// Number of addresses that all refused requests come from; nil where it may be more than a tenth of theirs.
    private var addresses: String? {
        let (blocked, count) = (callers.sum().blocked, blockedAddresses ?? 0)
        guard blocked >= 4 * WindowClients.minimumBlocked, count > 0, count * 10 <= blocked else { return nil }
        return hasManyAddresses
            ? "more than \(AddressSet.limit) addresses" : Figures.counted(count, "address", plural: "addresses")
    }

    private var hasManyAddresses: Bool { blockedAddresses.map { $0 > AddressSet.limit } ?? false }

    /// An old app, a platform, or clients that are not apps; for other clients, tokens show more.
    fileprivate func cause(of blocked: Int, _ suspects: [Suspect]) -> Wording? {
        func isMost(_ count: Int) -> Bool { count >= WindowClients.minimumBlocked && 2 * count > blocked }
        let known = suspects.first { $0.unit != .unknown && $0.admitted < callers.sum().admitted }
        if let known, isMost(known.blocked), !known.unit.isOfProgram { return known.unit.clients }
        guard let (largest, sum) = callers.refused(by: { $0.kind }).first, isMost(sum.blocked) else { return nil }
        switch largest {
        case .server, .tool, .none, .other:
            let few = hasManyAddresses ? nil : addresses
            return "\(few.map { "bots: \($0)" } ?? largest.displayName)"
        case .iosSimulator, .webLocal, .node, .google: return "\(largest.displayName)"
        case .ios, .iosExtension, .macos, .android, .androidWebView, .web, .dart: return nil
        }
    }

    /// `browsers: 28 of 28 parents.academy.example`, or `browsers: 9 of 9 Chrome, 5 of 5 Firefox`.
    ///
    /// One site alone says less than its browsers, which only `web` has.
    private func displayName(_ kind: ClientKind) -> Wording {
        let sites = callers.versions.filter { $0.key.kind == kind && kind.hasSite }
        var parts: [Wording] = sites.prefix(4).filter { $0.value.blocked > 0 }.map {
            "\($0.value.share) \(name: $0.key.site ?? "")"
        }
        if kind == .web, sites.count < 2 {
            parts = callers.refused { $0.code.browser }.map { "\($0.value.share) \($0.key.displayName)" }
        }
        if callers.sums(by: { $0.kind == kind ? $0.code.device : nil }).count > 1 {
            parts = callers.refused { $0.kind == kind ? $0.code.device : nil }.map {
                "\($0.value.share) \($0.key.displayName)"
            }
        }
        return "\(kind.displayName)"
            + (parts.isEmpty ? "" : ": " + parts.dropFirst().reduce(parts[0]) { $0 + ", " + $1 })
    }

    /// `, no pattern by version` for iOS apps of which all versions are refused alike.
    private func pattern(_ kind: ClientKind) -> Wording {
        let areAlike = Proportions.differ(among: callers.systems.map(\.value)) == false
        return kind == .ios && areAlike && Proportions.differ(among: callers.appVersions.map(\.value)) != true
            ? ", no pattern by version" : ""
    }

    /// The versions of iOS, and those of an app.
    private var versionBlocks: [Document.Block] {
        [("By version of iOS", "iOS ", callers.systems), ("By version of the app", "", callers.appVersions)].flatMap {
            title, prefix, versions -> [Document.Block] in
            guard !versions.isEmpty else { return [] }
            let shown = versions.prefix(WindowClients.shownVersions)
            let pattern = Proportions.differ(among: versions.map(\.value)) == false ? " (no pattern by version)" : ""
            let rest = versions.count > shown.count ? ", the newest \(shown.count)" : ""
            return [
                .paragraph("\(title)\(rest)\(pattern):"),
                .figures(
                    shown.map { version, sum in
                        (sum.share, "\(prefix)\(name: version) (\(Figures.percent(sum.blocked, of: sum.admitted)))")
                    }),
            ]
        }
    }

    /// The sentence that the log lacks answered requests: shares of what it has are too high.
    var unloggedWording: Wording? {
        guard unlogged > 0 else { return nil }
        return """
            \(Figures.counted(unlogged, "answered request")) \(unlogged == 1 ? "has" : "have") no entry of the SDK: the log \
            is sampled, or a filter drops entries.
            """
    }

    /// One line for each kind of client, most refused first: all lines together are the requests that would be
    /// refused.
    fileprivate func lines(_ assessment: Assessment) -> [Explanation.Line] {
        typealias Line = Explanation.Line
        func line(_ sum: ClientSum, _ text: Wording) -> Document.Block { .figures([(sum.share, text)]) }
        let blocked = callers.sum().blocked
        let kinds = callers.refused { $0.kind }
        var lines = kinds.enumerated().map { index, kind in
            Line(
                block: line(kind.value, displayName(kind.key) + pattern(kind.key)),
                level: index < WindowClients.shown ? .both : .verbose)
        }
        let rest = kinds.dropFirst(WindowClients.shown).reduce(into: ClientSum()) { $0.merge($1.value) }
        if rest.blocked > 0 { lines.append(Line(block: line(rest, "other clients"), level: .screen)) }
        if unknown.blocked > 0 {
            lines.append(Line(block: line(unknown, "clients that the request log does not show")))
        }
        lines += versionBlocks.map { Line(block: $0, level: .verbose) }
        for suspect in assessment.suspects where suspect.unit.isOfRelease && suspect.blocked > 1 {
            let share = suspect.blocked == blocked ? "All" : "\(Figures.grouped(suspect.blocked)) of"
            let text: Wording = """
                \(share) \(Figures.grouped(blocked)) requests that \(assessment.enforcement.fate) come from \
                \(suspect.unit.clients)\(suspect.span).
                """
            lines.append(Line(block: .item(text), level: .verbose))
        }
        if isAllFromSimulators {
            lines.append(Line(block: .item("All of these are simulators: your own developers."), level: .verbose))
        }
        if let addresses { lines.append(Line(block: .item("All \(Figures.grouped(blocked)) come from \(addresses)."))) }
        let days = assessment.period.window.map { " in \(Figures.counted($0.dayCount, "day"))" } ?? ""
        let known: Wording = """
            Known for \(blocked == self.blocked ? "all" : "\(Figures.grouped(blocked)) of") \
            \(Figures.counted(self.blocked, "request"))\(days), by user agent (can be faked).
            """
        return lines + [Line(block: .paragraph(known, .faint))]
    }

    private static let (shown, shownVersions) = (3, 8)
}

extension ClientSum {
    /// `4 of 1,200`.
    var share: Wording { "\(Figures.grouped(blocked)) of \(Figures.grouped(admitted))" }
}

extension RefusalCauses {
    /// The reasons in lines of the SDK, most frequent first.
    var known: [RefusalCause] {
        RefusalCause.allCases.filter { $0 != .unexplained && self[$0] > 0 }
            .sorted { (self[$1], $0) < (self[$0], $1) }
    }

    /// Why tokens were refused; nothing if no line of the SDK shows it.
    fileprivate func items(_ advice: ((RefusalCause) -> Wording)?) -> [Document.Block] {
        let total = counts.reduce(0, +)
        let known = known
        guard let largest = known.first else { return [] }
        let others = known.dropFirst().reduce("") { "\($0), \(Figures.grouped(self[$1])) \($1.noun)" }
        let rest = self[.unexplained]
        let unexplained = rest > 0 ? ", \(Figures.grouped(rest)) unexplained" : ""
        let start = since.map { ", mostly since \(CalendarText.day($0))" } ?? ""
        return [
            .item(
                """
                Why \(Figures.grouped(total)) \(total == 1 ? "token was" : "tokens were") refused (INVALID): \
                \(largest.tokens(self[largest]))\(others)\(unexplained)\(start).
                """ + (advice.map { " " + $0(largest) } ?? ""))
        ]
    }
}

extension ClientKind {
    var displayName: String {
        switch self {
        case .ios: "iOS apps"
        case .iosExtension: "extensions of iOS apps"
        case .iosSimulator: "simulators"
        case .macos: "macOS apps"
        case .android: "Android apps (okhttp)"
        case .androidWebView: "web pages in Android apps (WebView)"
        case .web: "browsers"
        case .webLocal: "pages on localhost"
        case .dart: "Flutter programs (Dart)"
        case .node: "Node"
        case .server: "servers"
        case .google: "scheduled jobs"
        case .tool: "curl and scripts"
        case .none: "clients without a name"
        case .other: "unknown clients"
        }
    }
}

extension RefusalCause {
    /// `expired tokens`, `tokens of another project`.
    fileprivate var tokens: String { tokens("tokens") }

    /// `84 expired tokens`, `1 token of another project`.
    fileprivate func tokens(_ count: Int) -> String {
        "\(Figures.grouped(count)) \(tokens(count == 1 ? "token" : "tokens"))"
    }

    private func tokens(_ word: String) -> String {
        [.placeholder, .expired, .forged].contains(self) ? "\(noun) \(word)" : "\(word) \(noun)"
    }

    fileprivate var noun: String {
        switch self {
        case .placeholder: "placeholder"
        case .expired: "expired"
        case .otherProject: "of another project"
        case .unknownKey: "signed by an unknown key"
        case .forged: "forged"
        case .otherToken: "of another kind"
        case .serverFault: "not verified (server error)"
        case .consume: "not checked for reuse"
        case .unexplained: "unexplained"
        }
    }

    /// Returns the advice on it; `isAndroid` is true if only Android's requests would be refused, as far as is known,
    /// and `hours` are those of the day at which they are, if it is always the same.
    fileprivate func advice(isAndroid: Bool, hours: [Int]?) -> Wording {
        switch self {
        case .placeholder where isAndroid:
            if let hours {
                """
                The app sends a placeholder instead of a token \(CalendarText.hours(hours)) UTC. Check the daily quota of \
                the Play Integrity API, which renews at midnight Pacific time.
                """
            } else {
                """
                The app sends a placeholder instead of a token. Check its SHA-256 fingerprint in the console, the Play \
                Integrity API, and that API's daily quota.
                """
            }
        case .placeholder:
            """
            The app sends a placeholder instead of a token. Check that it is registered and comes from the store, and that \
            the App Check API is enabled. While App Attest is rolled out, \(code: "callcheck app-attest") shows how many to \
            expect.
            """
        case .expired: "Check the clocks of the devices, and that tokens are refreshed."
        case .otherProject: "A build has the configuration file of another Firebase project."
        case .unknownKey, .forged: "No current app sends such tokens: somebody forged them, or kept old ones."
        case .otherToken: "A client sends another token, such as an ID token, in the App Check header."
        case .serverFault:
            """
            Your function could not verify any tokens: this was your own outage, and no users would be refused.
            """
        case .consume:
            """
            Replay protection could not check them: the service account lacks the role Firebase App Check Token \
            Verifier, or the app has no provider. A token that was used before is VALID.
            """
        case .unexplained: ""
        }
    }
}
