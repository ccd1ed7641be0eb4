import Readiness
import Verifications

extension Explanation {
    /// What to do: on a screen the first two steps, without commands to copy.
    var steps: Part? {
        let title: String
        var blocks: [Document.Block]
        switch function.assessment.verdict {
        case _ where isLockout: (title, blocks) = ("What to do now", rollingBack)
        case .enforce: (title, blocks) = ("How to switch it on", enforcing)
        case .wait, .investigate: (title, blocks) = ("What to look at first", causes)
        case .insufficient, .blind: (title, blocks) = ("What is missing", isDeployedOnly ? [] : missing + policyEntry)
        case .enforced: (title, blocks) = ("What to watch", policyEntry + [.paragraph(nightly)])
        case .superseded: (title, blocks) = ("What is left to do", [succession])
        case .exempt: return nil
        }
        let first = firstStep.map { [Line(block: .item($0), level: .screen)] }
        // What ends in a colon leads to a query.
        let texts = blocks.indices.filter { blocks[$0].text.map { !$0.text(ascii: true).hasSuffix(":") } ?? false }
            .prefix(first == nil ? 2 : 0)
        let lines = blocks.indices.map { Line(block: blocks[$0], level: texts.contains($0) ? .both : .verbose) }
        return blocks.isEmpty && first == nil ? nil : Part(label: "Do", title: title, lines: (first ?? []) + lines)
    }

    /// The one thing to do, where it is known.
    private var firstStep: Wording? {
        let assessment = function.assessment
        if isLockout { return assessment.mode?.isByGoogle == true ? ServiceCommand.noWayBack : "Roll back:" }
        if assessment.verdict == .enforce {
            if function.identity.isService { return ServiceCommand.enforce }
            if !summary.logAge.isEmpty, let day = summary.asOf?.day {
                return """
                    Export the log again first: this answer is as of \(CalendarText.day(day)). If it stays, set \
                    \(code: "enforceAppCheck: true").
                    """
            }
            return """
                Set \(code: "enforceAppCheck: true") and deploy it alone: \(code: function.deployment).\
                \(summary.functions.count > 1 ? " Leave the others for a day." : "")
                """
        }
        if assessment.gateClass == .notSafe, let old = function.oldVersions {
            return assessment.reasons.refusedReleases.contains(old)
                ? "Fix \(old.clients), or stop its rollout, before most people have it; then check again."
                : "Retire \(old.clients), for example with a forced update; then check again."
        }
        return assessment.listed.has(.sdk3)
            ? "Upgrade firebase-functions to version 4 or newer, then check again." : nil
    }

    var commands: CloudCommand {
        CloudCommand(function.identity)
    }

    private var enforcing: [Document.Block] {
        if function.identity.isService {
            return [
                .paragraph(ServiceCommand.enforce),
                .code(ServiceCommand(identity: function.identity).enforcing, language: "sh"), .paragraph(nightly),
            ]
        }
        let code = EnforcementCode(function)
        let deploying: Wording =
            function.sourceName == nil
            ? EnforcementCode.unknownCapitals + " Deploy this function alone:"
            : "Deploy this function alone:"
        return code.listings.flatMap { listing -> [Document.Block] in
            [.paragraph("\(listing.title)"), .code(listing.lines, language: listing.language)]
        } + [.paragraph(deploying), .code([function.deployment], language: "sh")] + firstDay
    }

    /// The steps for the first day after enforcement was switched on.
    private var firstDay: [Document.Block] {
        var blocks: [Document.Block] = [
            .paragraph(
                """
                For the first 24 hours, leave the other functions as they are. To roll back, remove the option and \
                deploy again. That takes minutes: prepare the command now.
                """)
        ]
        if function.identity.generation == .second {
            blocks += [
                .paragraph("List current 401 answers with their user agents:"),
                .code(commands.unauthorized, language: "sh"),
            ]
        }
        return blocks + [.paragraph("Add \(code: "enforced: TIME") to the policy. " + nightly)]
    }

    private var nightly: Wording {
        guard !function.identity.isService else {
            return """
                Denied requests are in the metric. Read it each night and run \(code: "callcheck check --fail-on lockout"): it \
                fails if too many are denied.
                """
        }
        return """
            Refused requests still appear in the log. Run \(code: "callcheck check --fail-on lockout") each night: it fails \
            if \(function.assessment.aftermath?.asksSignedIn == false ? "people" : "signed-in people") are refused.
            """
    }

    /// The entry that the policy lacks: for a function that is enforced by the log, and for one that is too quiet.
    var policyEntry: [Document.Block] {
        // Whoever should roll back is not asked to keep it.
        guard !function.assessment.isLockout else { return [] }
        func block(_ title: Wording, _ entry: MissingEntry) -> [Document.Block] {
            [.paragraph(title), .code(["functions:"] + entry.lines.map { "  " + $0 }, language: "yaml")]
        }
        if let perWeek = function.assessment.nextStep?.perWeek, let entry = function.assessment.acceptance {
            return block("If \(Figures.counted(perWeek, "request")) a week may fail, add this to the policy:", entry)
        }
        return function.missingEntry.map { block("Add this to the policy:", $0) } ?? []
    }

    private var rollingBack: [Document.Block] {
        let enforcement = function.assessment.enforcement
        let isOfPolicy = enforcement.policy != nil
        if function.identity.isService {
            let isByGoogle = function.assessment.mode?.isByGoogle == true
            let now: Wording = isByGoogle ? ServiceCommand.noWayBack : "Requests are denied right now."
            return [.item(now)] + (isByGoogle ? [] : function.rollback) + causes
        }
        let entry: Wording = isOfPolicy ? "remove \(code: "enforced:") from the policy and " : ""
        let now: Wording = "Signed-in people are refused right now. Roll back, then "
        return [.item(now + entry + "wait for the verdict.")] + function.rollback + causes
    }

    /// The data that is missing for a verdict, one step for each reason, with the export that would show it.
    private var missing: [Document.Block] {
        let assessment = function.assessment
        guard !assessment.reasons.isEmpty else {
            return [.item("Choose one function: \(name: function.name) means all entries without a function name.")]
        }
        if assessment.outlook == .readOn {
            return [
                .item(
                    "Read the log to its last page, without \(code: "--limit"): it goes further back than this export."),
                newExport,
            ]
        }
        // Where passes are missing, and for a silent function, nothing else is worth counting.
        return assessment.reasons.filter { reason in
            assessment.verdict == .blind ? reason.kind == .blind : !assessment.isSilent || reason.kind == .silence
        }.flatMap { $0.statement(of: assessment).steps?(self) ?? [] }
    }

    var newExport: Document.Block {
        .code(
            !function.identity.isService
                ? commands.export(function.assessment.policy.numbers)
                : ServiceCommand(identity: function.identity).reading, language: "sh")
    }

    private var succession: Document.Block {
        let successor = function.assessment.reasons[.superseded]?.names.first
        return .paragraph(
            """
            Look at \(name: successor ?? function.name) instead. Nothing calls this one any more. Delete it: it is \
            reachable without App Check.
            """)
    }
}

extension Explanation {
    var causes: [Document.Block] {
        if function.identity.isService { return serviceCauses }
        let period = function.assessment.period
        let kinds: [(count: Int, blocks: [Document.Block])] = [
            (period.signedInNoToken, signedInWithoutToken), (period.anonymousNoToken, anonymous),
            (period.tokenRefused, refusedTokens),
        ]
        let byCount = kinds.enumerated().filter { $0.element.count > 0 }
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        return platformBlocks + byCount.flatMap(\.element.blocks)
    }

    /// True where a whole platform is all that is against enforcement: its step says more than those for any client.
    private var isOfPlatform: Bool {
        function.assessment.decidingPlatforms != nil && !function.assessment.listed.has(.tooManyBlocked)
    }

    private var platformBlocks: [Document.Block] {
        guard !function.assessment.listed.has(.allRefused) else { return [] }
        return function.assessment.reasons.flatMap { reason -> [Document.Block] in
            reason.platformStatement(function.assessment)?.steps?(self) ?? []
        }
    }

    private var signedInWithoutToken: [Document.Block] {
        var blocks: [Document.Block] =
            isOfPlatform
            ? []
            : [
                .item(
                    "Signed in, without an App Check token: "
                        + (isWebAlone
                            ? "make sure that the website sets up App Check before its first call."
                            : """
                            which versions of your apps without App Check are still in use? They disappear as users update; \
                            a forced update stops them. On the web, set App Check up before the first call.
                            """))
            ]
        if function.identity.generation == .second {
            blocks += [
                .paragraph("Which apps call it (iOS names app and version, Android only okhttp):"),
                .code(commands.clients, language: "sh"),
            ]
        }
        return blocks
    }

    /// True where rows show only browsers among those that would be refused.
    private var isWebAlone: Bool { refusedKinds.isSubset(of: [.web, .androidWebView]) && !refusedKinds.isEmpty }

    /// The same of Android's apps.
    var isAndroidAlone: Bool { refusedKinds == [.android] }

    private var refusedKinds: Set<ClientKind> {
        Set(function.assessment.clients?.callers.refused { $0.kind }.map(\.key) ?? [])
    }

    private var anonymous: [Document.Block] {
        let signedInResult = function.assessment.signedIn.verdict
        let isGuarded = function.assessment.admission == .signedIn
        let clients = function.assessment.clients
        // The request log shows that it serves them.
        let isServed = clients.map { $0.callers.sum().blocked > 0 && $0.alreadyFailing == 0 } ?? false
        let hint: Wording =
            signedInResult == .enforce && !isGuarded && !isServed
            ? " If the function rejects them itself, set \(code: "requires-auth: true") in the policy." : ""
        return [
            .item(
                """
                Neither signed in nor with a token: is the function called before sign-in, or by your own servers \
                and jobs? Give those a separate endpoint, or tokens that the Admin SDK makes (\(code: "createToken")).
                """ + hint)
        ]
    }

    /// Why tokens were refused, if lines of the SDK explain all of them; nil otherwise.
    private var explained: RefusalCauses? {
        function.assessment.causes.flatMap { $0[.unexplained] == 0 ? $0 : nil }
    }

    /// True where the next steps say what to do about refused tokens.
    var advisesOnTokens: Bool { explained != nil && [.notSafe, .lockedOut].contains(function.assessment.gateClass) }

    private var refusedTokens: [Document.Block] {
        if let explained {
            // The step of a refused platform says so.
            return isAllFromSimulators || function.assessment.looksLikeRollout
                ? [] : explained.known.prefix(1).map { .item(advice(on: $0)) }
        }
        return [
            .item("Look up why the SDK refused each token\(isOfPlatform ? ":" : ".")"),
            .code(commands.refusals, language: "sh"),
            .figures([
                (
                    "Decoding App Check token failed",
                    "the placeholder of an app whose attestation fails (not from the store, rooted, quota), or a debug token"
                ),
                ("has expired", "an old token: wrong device clock, or an app resumed from background"),
                ("incorrect \"aud\"", "the app is set up for another project"),
                ("signature, algorithm, \"kid\", \"sub\"", "forged, or very old"),
                ("public keys, project ID", "a server error: the function could not verify any token"),
            ]),
        ]
    }
}

struct EnforcementCode {
    private let generation: Generation?
    /// The name in the source, if it is known and valid in the language.
    private let name: String

    init(_ function: FunctionSummary) {
        generation = function.identity.generation
        name = EnforcementCode.deployedName(of: function)
    }

    private static func deployedName(of function: FunctionSummary) -> String {
        let name = function.sourceName ?? function.name
        return isIdentifier(name) ? name : "NAME"
    }

    /// Returns the commands that deploy only these functions: one for each project, whichever one the shell is set to.
    static func deployments(of functions: [FunctionSummary]) -> [String] {
        let projects = Set(functions.map { ExactName($0.identity.project) }).sorted()
        return projects.map { project in
            let own = functions.filter { ExactName($0.identity.project) == project }
            let list = Set(own.map(deployedName)).sorted().map { "functions:\($0)" }.joined(separator: ",")
            let place = own.first { $0.identity.project != FunctionIdentity.unknown }
            return "firebase deploy --only \(list)"
                + (place.map { " --project \(CloudCommand($0.identity).project)" } ?? "")
        }
    }

    /// How to roll back, in a sentence.
    static func rollback(_ all: [FunctionSummary], inALine: Bool = false) -> Wording {
        let functions = all.filter { !$0.identity.isService }
        let commands = deployments(of: functions).map { "\(code: $0)" as Wording }
        let undo: [Wording] =
            functions.isEmpty
            ? []
            : inALine
                ? ["Without \(code: "enforceAppCheck"): \(list: commands)."]
                : ["To undo: remove \(code: "enforceAppCheck"), then \(list: commands)."]
        let services = all.compactMap { $0.serviceRollback.map { $0.lead + " " + $0.command } }
        return (undo + (inALine ? [] : capitals(functions)) + services).joined
    }

    /// The same with each command on a line by itself.
    static func rollbackLines(_ all: [FunctionSummary]) -> [Wording] {
        let functions = all.filter { !$0.identity.isService }
        let undo: [Wording] = functions.isEmpty ? [] : ["To undo: remove \(code: "enforceAppCheck"), then"]
        return undo + deployments(of: functions).map { "\(code: $0)" } + capitals(functions)
            + all.flatMap { $0.serviceRollback.map { [$0.lead, $0.command] } ?? [] }
    }

    private static func capitals(_ functions: [FunctionSummary]) -> [Wording] {
        functions.allSatisfy { $0.sourceName != nil } ? [] : [unknownCapitals]
    }

    static let unknownCapitals: Wording = """
        Use the name as in your source: this log does not show its capitals.
        """

    var listings: [(title: String, language: String, lines: [String])] {
        let all: [(of: Generation, title: String, language: String, lines: [String])] = [
            (
                .second, "Node.js, generation 2:", "js",
                [
                    #"const { onCall } = require("firebase-functions/v2/https");"#,
                    "exports.\(name) = onCall({ enforceAppCheck: true }, (request) => { /* as it is */ });",
                ]
            ),
            (
                .first, "Node.js, generation 1 (firebase-functions 4 or newer):", "js",
                [
                    #"const functions = require("firebase-functions/v1");"#,
                    "exports.\(name) = functions.runWith({ enforceAppCheck: true })",
                    "    .https.onCall((data, context) => { /* as it is */ });",
                ]
            ),
            (
                .second, "Python:", "python",
                [
                    "@https_fn.on_call(enforce_app_check=True)",
                    "def \(name)(request: https_fn.CallableRequest):",
                    "    ...  # as it is",
                ]
            ),
        ]
        return all.filter { generation == nil || $0.of == generation }.map { ($0.title, $0.language, $0.lines) }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
