import Analysis
import ArgumentParser
import LogStream
import Platform

/// The inputs that a command line names.
struct FoundInputs {
    private(set) var inputs: [LogInput] = []
    /// Directories that were named and hold no files.
    private(set) var emptyDirectories: [String] = []

    /// Takes the inputs named, or standard input, unless it is a terminal, where the run would wait forever.
    init(_ arguments: [String]) throws {
        guard !arguments.isEmpty else {
            guard !Terminal.isTerminal(STDIN_FILENO) else { throw ValidationError(Messages.noInput) }
            inputs = [.standardInput]
            return
        }
        for argument in arguments {
            let found = LogInput.expand([argument])
            if found.isEmpty { emptyDirectories.append(argument) }
            inputs += found
        }
    }

    private init() {}

    static let none = FoundInputs()

    /// No inputs: a store is read instead.
    ///
    /// - Throws: What is wrong with options about inputs.
    static func none(beside options: some JudgingOptions) throws -> FoundInputs {
        guard options.reading.input.isEmpty else {
            throw ValidationError("Either --store or inputs: to add inputs to a store, use callcheck ingest.")
        }
        guard !options.inputs.keepsDuplicates else { throw ValidationError(Messages.copiesInStore) }
        return .none
    }

    /// Leaves out a store that was found in a directory; one that was named stays, and so does a log that is taken for
    /// a store.
    ///
    /// A store may lie in the folder of the logs, but reading it as a log would drop SQLite's locks on it.
    mutating func leaveOut(store: String) {
        guard !StoreFile.holdsOtherData(store) else { return }
        let files = StoreFile.files(of: store)
        inputs.removeAll { input in
            !input.isNamed && FileIdentity(input).map(files.contains) ?? false
        }
    }

    /// True for a snapshot by its first bytes.
    mutating func isSnapshot(at index: Int) -> Bool { LogAnalysis.isSnapshot(&inputs[index]) }

    /// Bytes as stored, when all sizes are known.
    var size: Int? {
        let sizes = inputs.map(\.size)
        return sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
    }
}
