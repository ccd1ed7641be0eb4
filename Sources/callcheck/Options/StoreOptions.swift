import ArgumentParser
import PolicyFile

/// The store that a command works on.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store, an SQLite database that callcheck maintains.", valueName: "file"),
        completion: .file())
    var store: String?

    /// The store, from wherever it is named.
    func filled(from settings: inout Settings) throws -> String {
        var path = store
        settings.fill(&path, path: .store)
        guard let path else { throw ValidationError(Messages.noStoreNamed) }
        try HistoryOptions.refuseNonFile(path)
        if path.contains("://") { throw ValidationError("--store takes a file on this machine, not a URL.") }
        return path
    }
}

/// The store that is read instead of inputs.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read what callcheck ingest has added to this store.", valueName: "file"),
        completion: .file())
    var store: String?

    /// The store to read; nil to read inputs.
    ///
    /// Inputs beat a store that only the settings name. Input that waits in a pipe must not be ignored silently.
    func filled(from settings: inout Settings, inputs: [String]) throws -> String? {
        var path = store
        if path == nil, inputs.isEmpty {
            settings.fill(&path, path: .store)
            if let path, let place = settings.origin(of: .store).place, StandardStreams.hasInput {
                throw ValidationError(Messages.pipeNextToStore(path, named: place))
            }
        }
        if let path { try HistoryOptions.refuseNonFile(path) }
        return path
    }

    static func refuseNonFile(_ store: String) throws {
        if store.isEmpty || store == "-" { throw ValidationError("--store takes a file, such as history.db.") }
    }
}

/// How long a store recognizes entries.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Keep fingerprints for this many days before the newest one, from now on (default: the store's setting, 90 \
            days in a new one). Entries of earlier days are not added.
            """, valueName: "days"),
        transform: VerdictOptions.days(.retention))
    var retention: Int?

    mutating func fill(from settings: inout Settings) {
        settings.fill(&retention, .retention) { $0.counts[.retention] }
    }
}
