import ArgumentParser
import PolicyFile
import Readiness

/// What functions are held against.
struct VerdictOptions: ParsableArguments {
    @Option(help: "A policy file (YAML): limits for all functions, and what holds for single ones.")
    var policy: String?

    @Option(help: "Look at this many days (default: 7d).", transform: VerdictOptions.days(.window))
    var window: Int?

    @Option(
        help: "For quiet functions look at two, three or more times as many days, up to this (default: 28d).",
        transform: VerdictOptions.days(.maxWindow))
    var maxWindow: Int?

    @Option(
        help: "The share of requests that enforcement may newly refuse (default: 1%).",
        transform: VerdictOptions.share(.maxBlocked))
    var maxBlocked: Double?

    @Option(
        help: "How sure to be of that (default: 95%).", transform: VerdictOptions.share(.confidence))
    var confidence: Double?

    @Option(
        help: "How long a function must have been seen (default: 7d).", transform: VerdictOptions.days(.minDays))
    var minDays: Int?

    @Option(
        help: "Require the rule to say enforce on this many days in a row (default: 7d).",
        transform: VerdictOptions.days(.confirm))
    var confirm: Int?

    @Flag(help: "Functions refuse signed-out callers themselves: judge signed-in requests only.")
    var requiresAuth = false

    @Flag(
        help: """
            The log is complete: days without data, missing failures and records that could not be judged do not count \
            against a function. With =failures, missing failures alone do not.
            """)
    var assumeComplete = false

    /// How ``Program`` spells `--assume-complete=failures`, as the parser knows no flag that may have a value.
    @Flag(help: .hidden)
    var assumeCompleteFailures = false

    @Option(help: "What is deployed: output of firebase functions:list --json or gcloud functions list --format=json.")
    var inventory: String?

    /// The numbers that flags name.
    var settings: PolicySettings {
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

    private static func days(_ days: PolicyDays) -> @Sendable (String) throws -> Int {
        { text in try VerdictOptions.explained { () throws(PolicyNumberFault) in try days.read(text) } }
    }

    private static func share(_ share: PolicyShare) -> @Sendable (String) throws -> Double {
        { text in try VerdictOptions.explained { () throws(PolicyNumberFault) in try share.read(text) } }
    }

    /// Puts a fault into words for the parser, which says before them which option and which value it is about.
    private static func explained<Value>(_ read: () throws(PolicyNumberFault) -> Value) throws -> Value {
        do throws(PolicyNumberFault) {
            return try read()
        } catch {
            throw ValidationError(error.message)
        }
    }
}
