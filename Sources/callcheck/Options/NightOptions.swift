import ArgumentParser
import Verifications

/// How one night is held against others.
struct NightOptions: ParsableArguments {
    @Option(
        help: """
            Tell what changed since the end of this day (default: the day before as-of; the one before that while \
            as-of's day is less than half over).
            """,
        transform: NightOptions.day)
    var compareTo: Day?

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("A date such as 2026-10-13 is wanted: nights are compared at the end of their day.")
        }
        return day
    }
}
