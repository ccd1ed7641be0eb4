import ArgumentParser
import Verifications

/// How one night is held against others.
struct NightOptions: ParsableArguments {
    @Option(help: "Say enforce only when nothing has spoken against it on this many days in a row (default: 7).")
    var confirm: Int?

    @Option(
        help: """
            Tell what changed since the end of this day (default: the day before as-of; the one before that while \
            as-of's day is less than half over).
            """,
        transform: NightOptions.day)
    var compareTo: Day?

    func validate() throws {
        if let confirm, confirm < 1 {
            throw ValidationError("--confirm must be at least 1: how many nights must agree.")
        }
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("A date such as 2026-10-13 is wanted: nights are compared at the end of their day.")
        }
        return day
    }
}
