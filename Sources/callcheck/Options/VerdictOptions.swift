import ArgumentParser
import PolicyFile
package import Readiness
import Verifications

struct VerdictOptions: ParsableArguments, SettingOptions {
    @Option(help: .value("A policy file: limits, and exceptions for functions.", "file"), completion: .file())
    var policy: String?

    @Option(help: .rare("Look at this many days (default: 7d).", "days"), transform: PolicyKey.window.read)
    var window: SettingValue?

    @Option(
        help: .rare(
            "For quiet functions, look at two, three or more times as many days, up to this (default: 28d).", "days"),
        transform: PolicyKey.maxWindow.read)
    var maxWindow: SettingValue?

    @Option(help: .value("The share that may be refused (default: 1%).", "rate"), transform: PolicyKey.maxBlocked.read)
    var maxBlocked: SettingValue?

    @Option(help: .rare("How sure to be of that share (default: 95%).", "rate"), transform: PolicyKey.confidence.read)
    var confidence: SettingValue?

    @Option(
        help: .rare("How long a function must have been seen (default: 7d).", "days"),
        transform: PolicyKey.minDays.read)
    var minDays: SettingValue?

    @Option(
        help: .value("Safe days in a row before it is ready (default: 7d).", "days"),
        transform: PolicyKey.confirm.read)
    var confirm: SettingValue?

    @Flag(help: "Judge signed-in requests only.") var requiresAuth = false

    @Option(
        help: .rare("Or so few refused requests a week, for quiet functions (default: off).", "number"),
        transform: PolicyKey.maxPerWeek.read)
    var maxPerWeek: SettingValue?

    @Option(
        name: .customLong("ignore-client"),
        help: .rare("Leave out your own clients: iosSimulator, webLocal, tool, server and others; repeatable.", "kind"),
        transform: PolicyKey.ignoreClients.item)
    var ignoredClients: [String] = []

    @Option(
        name: .customLong("accept-platform"),
        help: .rare(
            "This platform may be refused: web/firefox, com.example.app, com.example.app@3.1.0; repeatable.", "name"),
        transform: PolicyKey.acceptPlatforms.item)
    var acceptedPlatforms: [String] = []

    @Flag(help: .rare("Pass only where the request log shows who would be refused."))
    var requireCallers = false

    @Flag(
        help: .rare(
            """
            The log is complete: days without data, missing failures and unreadable records do not count against a \
            function. With =failures, only missing failures do not.
            """))
    var assumeComplete = false

    /// How ``Program`` spells `--assume-complete=failures`, because the parser has no flags with an optional value.
    @Flag(help: .private) var assumeCompleteFailures = false

    @Option(
        help: .value(
            "What is deployed: firebase functions:list --json or gcloud functions list --format=json.", "file"),
        completion: .file())
    var inventory: String?

    func validate() throws {
        guard let window = window?.count, let maxWindow = maxWindow?.count, window > maxWindow else { return }
        throw ValidationError("--window \(window)d is longer than --max-window \(maxWindow)d; leave one of them out.")
    }

    var typed: [PolicyKey: SettingValue?] {
        [
            .policy: policy.map(SettingValue.text), .inventory: inventory.map(SettingValue.text), .window: window,
            .maxWindow: maxWindow, .maxBlocked: maxBlocked, .confidence: confidence, .minDays: minDays,
            .confirm: confirm, .requiresAuth: requiresAuth ? .flag(true) : nil,
            .maxPerWeek: maxPerWeek, .requireCallers: requireCallers ? .flag(true) : nil,
            .ignoreClients: ignoredClients.isEmpty ? nil : .texts(ignoredClients),
            .acceptPlatforms: acceptedPlatforms.isEmpty ? nil : .texts(acceptedPlatforms),
            .assumeComplete: assumeComplete ? .text("true") : assumeCompleteFailures ? .text("failures") : nil,
        ]
    }
}

extension PolicyKey {
    fileprivate func item(_ text: String) throws(PolicyValueFault) -> String {
        try checkItem(text)
        return text
    }
}

struct GateOptions: ParsableArguments, SettingOptions {
    @Option(
        help: .value(
            """
            What fails next to lock-outs: unsure (the default), only not-safe, or, with lockout, nothing else.
            """, "what"))
    var failOn: Gate.FailOn?

    var typed: [PolicyKey: SettingValue?] { [.failOn: failOn.map { .text($0.rawValue) }] }
}

extension Gate.FailOn: ExpressibleByArgument {}

struct NightOptions: ParsableArguments {
    @Option(
        help: .value(
            """
            Show what changed since this day or age (default: the day before as-of; the one before that while as-of's \
            day is less than half over).
            """, "date"),
        transform: NightOptions.day)
    var compareTo: SinceArgument?

    @Option(
        parsing: .upToNextOption,
        help: .rare(
            """
            Compare with these earlier logs, or with this store: before and after a release, say. End the list \
            with --. The inputs are judged from their first day on.
            """, "old"))
    var compare: [String] = []

    @Option(help: .rare("End with status 1 if a change needs action: act.", "what")) var failOn: Urgency?

    enum Urgency: String, ExpressibleByArgument { case act }

    private static func day(_ text: String) throws -> SinceArgument {
        switch text == "yesterday" ? .moment(try MomentArgument.named(text)) : try? SinceArgument(typed: text) {
        case .moment(let moment) where moment.isDay: return .moment(moment)
        case .age(let seconds) where seconds % Instant.secondsPerDay == 0: return .age(seconds)
        default:
            throw ValidationError(
                "Write a date such as 2026-10-13, or an age such as 7d: nights are compared at the end of their day.")
        }
    }
}
