import ArgumentParser

/// The history that is read instead of inputs.
struct HistoryOptions: ParsableArguments {
    @Option(help: "Read what callcheck ingest has put into this store, instead of inputs.")
    var store: String?

    func validate() throws {
        if let store, store.isEmpty || store == "-" {
            throw ValidationError("--store takes a file, such as history.db.")
        }
    }
}
