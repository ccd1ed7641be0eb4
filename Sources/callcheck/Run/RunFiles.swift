import ArgumentParser
import LogStream
import Reports

/// The files that a command line names, to make sure that the run writes over none that it needs.
struct RunFiles {
    var inputs: [LogInput] = []
    /// The policy and the inventory, by the option that names each.
    var texts: [(option: String, path: String?)] = []
    var store: String?
    var output: Destination

    /// - Throws: Which two are the same file; nothing has been read or written by then.
    func refuseOverlaps() throws {
        let storeFiles = store.map(StoreFile.files) ?? []
        if let store { try refuse("--store", store, storeFiles) }
        guard case .file(let path) = output, let file = FileIdentity(path) else { return }
        if storeFiles.contains(file) { throw overlap("--output", path, "belongs to --store") }
        try refuse("--output", path, [file])
    }

    /// Refuses an option whose files are among those that are only read.
    private func refuse(_ option: String, _ path: String, _ files: [FileIdentity]) throws {
        func isAmong(_ file: FileIdentity?) -> Bool { file.map(files.contains) ?? false }
        if let text = texts.first(where: { isAmong($0.path.flatMap(FileIdentity.init)) }) {
            throw overlap(option, path, "is also the file of \(text.option)")
        }
        if let input = inputs.first(where: { isAmong(FileIdentity($0)) }) {
            let isPiped = input == .standardInput
            let name = isPiped ? "standard input" : "the input \(DisplayText(name: input.name).text)"
            throw overlap(option, path, "is also \(name)")
        }
    }

    private func overlap(_ option: String, _ path: String, _ clash: String) -> ValidationError {
        ValidationError(Messages.overlap(option, path, clash))
    }
}
