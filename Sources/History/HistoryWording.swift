/// The words for a store that cannot be used: what, why, and what to do next.
extension HistoryFailure {
    /// What to say behind the store's name.
    public var message: String {
        switch cause {
        case .missing: "there is no such store; callcheck ingest --store makes one"
        case .isEmpty: "the file is empty, not a store; callcheck ingest --store makes one of it"
        case .isDirectory: "is a directory; name the file that holds the store"
        case .isNoStore:
            "is no store of callcheck's; it was left as it is. Inputs come behind the store: --store FILE INPUT"
        case .isOfAnotherProgram:
            "is a SQLite database of another program, no store of callcheck's; it was left as it is"
        case .isNewer(let version):
            "was written by a newer callcheck (version \(version) of the tables, this one knows \(Schema.version)); "
                + "update callcheck"
        case .isDamaged(let what):
            "the store is damaged (\(what)); nothing was changed and nothing is reported from it. Put a copy of it back, "
                + "or ingest the exports into a new store"
        case .isBusy:
            "another callcheck has been writing to the store for \(HistoryStore.patience) seconds; try again when it is done"
        case .isReadOnly:
            "may not be written to, which SQLite must even to read it; check the permissions of the file and of its "
                + "folder, or take a copy"
        case .isFull:
            "no space is left on the disk; the store is as it was before this input. Make room and run it again"
        case .cannotBeOpened:
            "cannot be opened; check the permissions of the file and of its folder, which SQLite writes to even for reading"
        case .failed(let what): "the store cannot be used: \(what)"
        }
    }
}
