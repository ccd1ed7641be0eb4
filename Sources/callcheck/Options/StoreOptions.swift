import ArgumentParser

/// The store that inputs are added to.
struct StoreOptions: ParsableArguments {
    @Option(help: "The history: a SQLite database of callcheck's.")
    var store: String

    func validate() throws {
        if store.isEmpty || store == "-" { throw ValidationError("--store takes a file, such as history.db.") }
        if store.contains("://") { throw ValidationError("--store takes a file on this machine, not a URL.") }
    }
}

/// How a store keeps what it needs to count each entry once.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: """
            Keep the fingerprints of so many days before the newest one, from now on (default: what the store says, \
            90 days in a new one). Entries of earlier days are not added.
            """,
        transform: RetentionOptions.days)
    var retention: Int?

    private static func days(_ text: String) throws -> Int {
        let digits = text.hasSuffix("d") ? text.dropLast() : text[...]
        guard let days = Int(digits), (1...36_500).contains(days) else {
            throw ValidationError("A number of days is wanted, such as 90d, from 1d to 36500d.")
        }
        return days
    }
}
