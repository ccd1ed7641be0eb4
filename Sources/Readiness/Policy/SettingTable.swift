/// Every setting, in the order in which they are listed.
///
/// A new one is an entry here, and its use: files, environment, `--set`, `callcheck config`, the JSON `policy` and the
/// hints in messages are loops over these.
package struct SettingTable: Sendable {
    package let match = Setting("match", .glob, "admin*", in: [.entry])
    package let project = Setting(
        "project", .globs, "my-app", in: [.settingsFile, .entry], variable: "CALLCHECK_PROJECT")
    package let region = Setting("region", .globs, "us-central1", in: [.settingsFile, .entry])
    package let function = Setting("function", .globs, "addMessage,admin*")
    package let store = Setting("store", .path, "history.db", variable: "CALLCHECK_STORE")
    package let policy = Setting(
        "policy", .path, "policy.yaml", in: [.settingsFile, .file], variable: "CALLCHECK_POLICY")
    package let functions = Setting("functions", .text, "and a list below it", in: [.settingsFile, .file])
    package let inventory = Setting("inventory", .path, "functions.json")
    package let exempt = Setting("exempt", .reason, "must work when App Check is down", in: [.entry])
    package let enforced = Setting("enforced", .time, "2026-10-20T09:00Z", in: [.entry])
    package let owner = Setting("owner", .text, "payments team", in: [.entry])
    package let since = Setting("since", .date, "2026-10-20", in: [.entry])
    package let until = Setting("until", .date, "2026-10-20", in: [.entry])

    // What a verdict is made of; the defaults are those of a new policy.
    package let maxRefused = Setting(
        "max-refused", .rate, "1%", in: anywhere, at: \VerdictPolicy.maxBlocked, looser: .higher, json: "maxBlocked")
    // Below one half a one-sided bound lies on the wrong side of what was seen.
    package let confidence = Setting(
        "confidence", .share(0.5..<1), "95%", in: anywhere, at: \VerdictPolicy.confidence, looser: .lower)
    package let window = Setting("window", .days(), "7d", in: anywhere, at: \VerdictPolicy.window, looser: .lower)
    package let maxWindow = Setting(
        "max-window", .days(), "28d", in: anywhere, at: \VerdictPolicy.maxWindow, looser: .higher)
    package let minDays = Setting(
        "min-days", .days(0...3650), "7d", in: anywhere, at: \VerdictPolicy.minDays, looser: .lower)
    package let requiresAuth = Setting(
        "requires-auth", .flag, "true", in: anywhere, at: \VerdictPolicy.requiresAuth, looser: .other)
    package let safeNights = Setting(
        "safe-nights", .days(), "7d", in: everyFunction, at: \VerdictPolicy.confirm, looser: .lower, json: "confirm")
    package let assumeComplete = Setting<AssumeComplete>(
        "assume-complete", .word(), "failures", at: \VerdictPolicy.assumeComplete, looser: .other)
    package let maxPerWeek = Setting(
        "max-per-week", .amount, "1", in: anywhere, at: \VerdictPolicy.maxPerWeek, looser: .higher)
    package let ignoreClients = Setting(
        "ignore-clients", .clients, "iosSimulator,tool", in: everyFunction, at: \VerdictPolicy.ignoredClients,
        looser: .other)
    package let acceptPlatforms = Setting(
        "accept-platforms", .platforms, "web/firefox,com.example.app@3.1.0", in: anywhere,
        at: \VerdictPolicy.acceptedPlatforms, looser: .other)
    package let requireCallers = Setting(
        "require-callers", .flag, "true", in: everyFunction, at: \VerdictPolicy.requiresCallers)
    package let countMachines = Setting(
        "count-machines", .flag, "true", in: everyFunction, at: \VerdictPolicy.countsMachines, looser: .other)
    package let quietDays = Setting(
        "quiet-days", .quietDays, "sat,sun,2026-12-25", in: [.policy], at: \VerdictPolicy.quietDays, looser: .other)

    package let failOn = Setting("fail-on", .word(), "not-safe", default: Gate.FailOn.unsure, looser: .other)
    package let callers = Setting("callers", .word(["all", "none"]), "none", default: "all", looser: .other)
    package let dedupe = Setting("dedupe", .flag, "false", default: true, looser: .other)
    package let format = Setting("format", .word(), "json", default: OutputFormat.table)
    package let color = Setting("color", .word(), "never", default: ColorChoice.auto)
    package let quiet = Setting("quiet", .flag, "true", default: false)
    package let noProgress = Setting("no-progress", .flag, "true", default: false)
    package let clear = Setting("clear", .flag, "false", default: true)
    package let strict = Setting("strict", .flag, "true", default: false)
    package let jobs = Setting("jobs", .count, "2")
    package let maxOpen = Setting("max-open", .count, "100000", default: 1_000_000, looser: .lower)
    package let maxRecordBytes = Setting("max-record-bytes", .size, "16M", default: 16 << 20)
    package let maxFunctions = Setting("max-functions", .count, "1000", default: 100_000)
    package let retention = Setting("retention", .days(1...36_500), "90d")
    package let fingerprintKey = Setting("fingerprint-key", .text, "some-secret")

    package let attestDays = Setting("attest-days", .days(), "14d", default: 14)
    package let maxFailed = Setting("max-failed", .rate, "2%", default: 0.02)
    package let steps = Setting("steps", .steps, "1,5,10,25,50,100", default: [1, 5, 10, 25, 50, 100])
    package let dailyUsers = Setting("daily-users", .count, "50000")

    // For the command line alone: in a file that nobody named they would surprise.
    package let generation = Setting("generation", .word(["1", "2"]), "1", in: [])
    package let from = Setting("from", .path, "export.json.gz", in: [])
    package let dryRun = Setting("dry-run", .flag, "true", in: [], default: false)

    private static let anywhere: Set<PolicySection> = [.settingsFile, .policy, .entry]
    private static let everyFunction: Set<PolicySection> = [.settingsFile, .policy]

    static let all = SettingTable()
}

/// The mappings of a policy file and of a settings file, which have separate keys.
package enum PolicySection: Hashable, Sendable {
    /// The policy file itself.
    case file
    case settingsFile
    /// The mapping under `policy:`.
    case policy
    /// One item of the list under `functions:`.
    case entry

    package var keys: [SettingKey] { SettingKey.all.filter { $0.sections.contains(self) } }
}
