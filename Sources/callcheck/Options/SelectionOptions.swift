import ArgumentParser
import Readiness

/// What of the input counts, and what of it is shown.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: "Count from here on: RFC 3339, a date (its 00:00Z), or an age such as 7d or 36h; of a store, whole days.",
        transform: SinceArgument.typed)
    var since: SinceArgument?

    @Option(
        help: "Count up to here: RFC 3339 (exclusive), or a date (the whole day).", transform: MomentArgument.typed)
    var until: MomentArgument?

    @Option(
        help: "Judge as of this instant: RFC 3339, or a date (its end). Default: the newest verification.",
        transform: MomentArgument.typed)
    var asOf: MomentArgument?

    @Option(name: .customLong("project"), help: "Show only projects that match the glob; repeatable.")
    var projects: [String] = []

    @Option(name: .customLong("region"), help: "Show only regions that match the glob; repeatable.")
    var regions: [String] = []
}

/// Which functions are shown; apart, as `explain` takes one as its argument.
struct FunctionOptions: ParsableArguments {
    @Option(name: .customLong("function"), help: "Show only functions that match the glob; repeatable.")
    var functions: [String] = []
}
