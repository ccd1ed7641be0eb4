import ArgumentParser

/// The store that a command works on.
struct StoreOptions: ParsableArguments {
    @Option(help: "The history, an SQLite database that callcheck keeps.")
    var store: String

    func validate() throws {
        try HistoryOptions.refuseNonFile(store)
        if store.contains("://") { throw ValidationError("--store takes a file on this machine, not a URL.") }
    }
}

/// The store that is read instead of inputs.
struct HistoryOptions: ParsableArguments {
    @Option(help: "Read what callcheck ingest has added to this store, instead of inputs.")
    var store: String?

    func validate() throws {
        if let store { try HistoryOptions.refuseNonFile(store) }
    }

    fileprivate static func refuseNonFile(_ store: String) throws {
        if store.isEmpty || store == "-" { throw ValidationError("--store takes a file, such as history.db.") }
    }
}

/// How long a store recognizes entries.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: """
            Keep fingerprints for this many days before the newest one, from now on (default: the store's setting, 90 \
            days in a new one). Entries of earlier days are not added.
            """,
        transform: RetentionOptions.days)
    var retention: Int?

    private static func days(_ text: String) throws -> Int {
        let digits = text.hasSuffix("d") ? text.dropLast() : text[...]
        guard let days = Int(digits), (1...36_500).contains(days) else {
            throw ValidationError("Write a number of days such as 90d, from 1d to 36500d.")
        }
        return days
    }
}
