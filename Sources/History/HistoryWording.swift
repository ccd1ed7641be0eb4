/// The words for a store that cannot be used: what, why, and what to do next.
extension HistoryFailure {
    /// A file that ends in -wal holds what was written last.
    private static let permissions = """
        check the permissions of the file and of its folder. To read it where nothing may be written, copy it, and the \
        file -wal that stands beside it, to a folder of yours and name the copy
        """

    /// What to say behind the store's name.
    public var message: String {
        switch cause {
        case .missing: "there is no such store; callcheck ingest --store makes one"
        case .folderIsMissing: "its folder does not exist; create it first, or correct the path"
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
            "may not be written to; \(HistoryFailure.permissions)"
        case .isFull:
            "no space is left on the disk; the store is as it was before this input. Make room and run it again"
        case .cannotBeOpened:
            "cannot be opened; \(HistoryFailure.permissions)"
        case .failed(let what):
            "the store cannot be used: \(what); run it again when the cause is gone, or put a copy of the store back"
        }
    }
}
