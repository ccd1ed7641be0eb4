import ArgumentParser
import PolicyFile
import Rollout

/// What a rollout is judged by.
struct RolloutOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The Remote Config parameter that switches App Attest on.", valueName: "name"))
    var parameter = "AppAttestEnabled"

    @Option(
        help: ArgumentHelp(
            "The day on which the percentage last changed: days after it are judged (default: all).", valueName: "date"),
        transform: SinceArgument.init(typed:))
    var since: SinceArgument?

    @Option(
        help: ArgumentHelp("Judge this many complete days (default: 14d).", valueName: "days"),
        transform: VerdictOptions.days(.window))
    var window: Int?

    @Option(
        help: ArgumentHelp("The share of users whose attestation may fail (default: 2%).", valueName: "rate"),
        transform: VerdictOptions.share(.maxBlocked))
    var maxFailed: Double?

    @Option(
        help: ArgumentHelp("The percentages to go through (default: 1,5,10,25,50,100).", valueName: "list"),
        transform: RolloutOptions.steps)
    var steps: [Double]?

    @Option(
        help: ArgumentHelp(
            "How many people use the iOS app on a day: keeps a step within Apple's limits.", valueName: "count"))
    var dailyUsers: Int?

    @Option(
        help: ArgumentHelp(
            "When the percentage is to be raised, write the template with the new one to this file.", valueName: "file")
    )
    var patch: String?

    @Option(help: ArgumentHelp("Keep sums of the days here, for callcheck report.", valueName: "file"))
    var store: String?

    @OptionGroup var fingerprints: FingerprintOptions

    func validate() throws {
        if let store { try HistoryOptions.refuseNonFile(store) }
        if let dailyUsers, dailyUsers < 1 { throw ValidationError("--daily-users must be at least 1.") }
        if patch == "-" { throw ValidationError("--patch needs a file: standard output shows the answer.") }
    }

    /// Percentages with commas between them, in ascending order, with `%` or without.
    private static func steps(_ text: String) throws -> [Double] {
        let steps = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> Double? in
            let digits = part.hasSuffix("%") ? part.dropLast() : part
            return digits.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) } ? Double(digits) : nil
        }
        let known = steps.compactMap(\.self)
        guard known.count == steps.count, known.allSatisfy({ $0 > 0 && $0 <= 100 }), known == Array(Set(known)).sorted()
        else { throw ValidationError("write percentages in ascending order, such as 1,5,10,25,50,100.") }
        return known
    }
}
