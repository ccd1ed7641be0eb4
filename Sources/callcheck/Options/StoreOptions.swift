import ArgumentParser
import PolicyFile

struct StoreOptions: ParsableArguments, SettingOptions {
    @Option(help: .value("The store, an SQLite database that callcheck maintains.", "file"), completion: .file())
    var store: String?

    var typed: [PolicyKey: SettingValue?] { [.store: store.map(SettingValue.text)] }

    func path(_ settings: Settings) throws -> String {
        guard let path = settings.text(.store) else { throw ValidationError(Messages.noStoreNamed) }
        try HistoryOptions.refuseNonFile(path)
        if path.contains("://") { throw ValidationError("--store takes a file on this machine, not a URL.") }
        return path
    }
}

struct HistoryOptions: ParsableArguments, SettingOptions {
    @Option(help: .value("Read what callcheck ingest has added to this store.", "file"), completion: .file())
    var store: String?

    var typed: [PolicyKey: SettingValue?] { [.store: store.map(SettingValue.text)] }

    /// The store to read; nil to read inputs.
    ///
    /// Inputs beat a store that only the settings name. Input that waits in a pipe must not be ignored silently.
    func path(_ settings: Settings, inputs: [String]) throws -> String? {
        guard store != nil || inputs.isEmpty, let path = settings.text(.store) else { return nil }
        if let place = settings.origin(of: .store).place, StandardStreams.hasInput {
            throw ValidationError(Messages.pipeNextToStore(path, named: place))
        }
        try HistoryOptions.refuseNonFile(path)
        return path
    }

    static func refuseNonFile(_ store: String) throws {
        if store.isEmpty || store == "-" { throw ValidationError("--store takes a file, such as history.db.") }
    }
}

struct RetentionOptions: ParsableArguments, SettingOptions {
    @Option(
        help: .value(
            """
            Keep fingerprints for this many days before the newest one, from now on (default: the store's setting, 90 \
            days in a new one). Entries of earlier days are not added.
            """, "days"),
        transform: PolicyKey.retention.read)
    var retention: SettingValue?

    var typed: [PolicyKey: SettingValue?] { [.retention: retention] }
}
