import ArgumentParser

/// What to read, how, and what of it counts.
struct InputOptions: ParsableArguments {
    @OptionGroup var reading: ReadingOptions

    @Flag(name: .customLong("no-dedupe"), help: "Count copies of an entry as well.")
    var keepsDuplicates = false
}
