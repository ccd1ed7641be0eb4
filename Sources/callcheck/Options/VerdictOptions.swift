import ArgumentParser
import PolicyFile
import Readiness
import Verifications

struct VerdictOptions: ParsableArguments {
    @Option(help: .value("Limits, and exceptions for functions.", "file"), completion: .file())
    var policy: String?

    @Flag(help: .rare("Judge signed-in requests only.")) var requiresAuth = false

    @Option(
        help: .rare(
            "Deployed functions: output of firebase functions:list --json or gcloud functions list --format=json.",
            "file"),
        completion: .file())
    var inventory: String?

    var typed: TypedSettings {
        [
            \.policy: [policy].compactMap(\.self), \.inventory: [inventory].compactMap(\.self),
            \.requiresAuth: requiresAuth ? ["true"] : [],
        ]
    }
}

struct GateOptions: ParsableArguments {
    @Option(
        help: .value("What fails: unsure (default), not-safe, lockout.", "what"),
        completion: .list(Gate.FailOn.allCases.map(\.rawValue)))
    var failOn: String?

    var typed: TypedSettings { [\.failOn: [failOn].compactMap(\.self)] }
}

struct NightOptions: ParsableArguments {
    @Option(
        help: .value("Show changes since: a date or an age such as 7d.", "time"),
        transform: NightOptions.day)
    var changesSince: SinceArgument?

    @Option(help: .rare("An earlier log, or a store, to compare with; repeatable.", "log"), completion: .file())
    var before: [String] = []

    @Option(help: .rare("act: exit with 1 if a change needs action.", "what")) var failOn: String?

    func validate() throws {
        if let failOn, failOn != "act" { throw ValidationError("--fail-on: must be act here; see callcheck check.") }
    }

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
