import ArgumentParser
import PolicyFile
package import Readiness
import Verifications

/// What functions are judged by.
struct VerdictOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A policy file: limits, and exceptions for functions.", valueName: "file"),
        completion: .file())
    var policy: String?

    @Option(
        help: ArgumentHelp("Look at this many days (default: 7d).", valueName: "days", visibility: .hidden),
        transform: VerdictOptions.days(.window))
    var window: Int?

    @Option(
        help: ArgumentHelp(
            "For quiet functions, look at two, three or more times as many days, up to this (default: 28d).",
            valueName: "days", visibility: .hidden),
        transform: VerdictOptions.days(.maxWindow))
    var maxWindow: Int?

    @Option(
        help: ArgumentHelp("The share that may be refused (default: 1%).", valueName: "rate"),
        transform: VerdictOptions.share(.maxBlocked))
    var maxBlocked: Double?

    @Option(
        help: ArgumentHelp("How sure to be of that share (default: 95%).", valueName: "rate", visibility: .hidden),
        transform: VerdictOptions.share(.confidence))
    var confidence: Double?

    @Option(
        help: ArgumentHelp(
            "How long a function must have been seen (default: 7d).", valueName: "days", visibility: .hidden),
        transform: VerdictOptions.days(.minDays))
    var minDays: Int?

    @Option(
        help: ArgumentHelp("Safe days in a row before it is ready (default: 7d).", valueName: "days"),
        transform: VerdictOptions.days(.confirm))
    var confirm: Int?

    @Flag(help: "Judge signed-in requests only.")
    var requiresAuth = false

    @Flag(
        help: ArgumentHelp(
            """
            The log is complete: days without data, missing failures and unreadable records do not count against a \
            function. With =failures, only missing failures do not.
            """, visibility: .hidden))
    var assumeComplete = false

    /// How ``Program`` spells `--assume-complete=failures`, because the parser has no flags with an optional value.
    @Flag(help: .private)
    var assumeCompleteFailures = false

    @Option(
        help: ArgumentHelp(
            "What is deployed: firebase functions:list --json or gcloud functions list --format=json.",
            valueName: "file"),
        completion: .file())
    var inventory: String?

    /// Fills in the policy and the inventory where no flag names them, and whether the log is complete.
    mutating func fill(from settings: inout Settings) {
        settings.fill(&policy, path: .policy)
        settings.fill(&inventory, path: .inventory)
        var word = assumeComplete ? "true" : assumeCompleteFailures ? "failures" : nil
        settings.fill(&word, .assumeComplete) { $0.words[.assumeComplete] }
        (assumeComplete, assumeCompleteFailures) = (word == "true", word == "failures")
    }

    /// Defaults, then the numbers of the settings file, of the policy and of flags, and then the policy's entries.
    func rules(_ policy: PolicyDocument?, over settings: SettingsDocument?, since: Day?) -> PolicyRules {
        var rules = PolicyRules(since: since)
        if let settings { rules.numbers.apply(settings.numbers) }
        if let policy {
            rules.numbers.apply(policy.settings)
            rules.entries = policy.entries
        }
        rules.numbers.apply(numbers)
        rules.numbers.assumeComplete =
            assumeComplete ? .everything : assumeCompleteFailures ? .failures : .nothing
        return rules
    }

    /// The numbers that a policy may have too, and whether a flag sets them.
    var numbersByFlag: [(key: PolicyKey, isFlag: Bool)] {
        [
            (.maxBlocked, maxBlocked != nil), (.confidence, confidence != nil), (.minDays, minDays != nil),
            (.window, window != nil), (.maxWindow, maxWindow != nil), (.confirm, confirm != nil),
            (.requiresAuth, requiresAuth),
        ]
    }

    /// The numbers that flags set.
    private var numbers: PolicySettings {
        var settings = PolicySettings()
        settings.maxBlocked = maxBlocked
        settings.confidence = confidence
        settings.minDays = minDays
        settings.window = window
        settings.maxWindow = maxWindow
        settings.confirm = confirm
        settings.requiresAuth = requiresAuth ? true : nil
        return settings
    }

    static func days(_ days: PolicyDays) -> @Sendable (String) throws -> Int {
        { text in try VerdictOptions.explained { () throws(PolicyNumberFault) in try days.read(text) } }
    }

    static func share(_ share: PolicyShare) -> @Sendable (String) throws -> Double {
        { text in try VerdictOptions.explained { () throws(PolicyNumberFault) in try share.read(text) } }
    }

    /// Puts a fault into words for the parser, which adds the option and the value before them.
    private static func explained<Value>(_ read: () throws(PolicyNumberFault) -> Value) throws -> Value {
        do throws(PolicyNumberFault) {
            return try read()
        } catch {
            throw ValidationError(error.message)
        }
    }
}

/// When a gate fails.
struct GateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What fails: unsure (the default), only not-safe, or only lockout: enforced and refusing signed-in users.
            """, valueName: "what"))
    var failOn: Gate.FailOn?

    @Flag(
        help: ArgumentHelp(
            "Let a quiet function pass that can be enforced together with the project's other quiet functions.",
            visibility: .hidden))
    var acceptTogether = false

    /// The gate that was selected.
    func filled(from settings: inout Settings) -> Gate {
        var options = self
        settings.fill(&options.failOn, .failOn) { $0.words[.failOn].flatMap(Gate.FailOn.init) }
        settings.fill(&options.acceptTogether, .acceptTogether)
        return Gate(failOn: options.failOn ?? .unsure, acceptsTogether: options.acceptTogether)
    }
}

extension Gate.FailOn: ExpressibleByArgument {}

/// Which night a report is compared with.
struct NightOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Show what changed since the end of this day (default: the day before as-of; the one before that while \
            as-of's day is less than half over).
            """, valueName: "date"),
        transform: NightOptions.day)
    var compareTo: Day?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            Compare with these earlier logs, or with this store: before and after a release, say. Put -- behind the \
            last of them. The inputs are judged from their first day on.
            """, valueName: "old", visibility: .hidden))
    var compare: [String] = []

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("Write a date such as 2026-10-13: nights are compared at the end of their day.")
        }
        return day
    }
}
