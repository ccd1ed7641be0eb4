import ArgumentParser
import Glibc
import LogStream

/// The inputs that a command line stands for.
struct FoundInputs {
    private(set) var inputs: [LogInput] = []
    /// Directories that were named and hold no files.
    private(set) var emptyDirectories: [String] = []

    /// Takes the inputs named, or standard input, unless somebody sits there who would wait for ever.
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

    /// No inputs: a store is read instead.
    ///
    /// - Throws: What is wrong with options that speak of inputs.
    static func none(beside options: InputOptions) throws -> FoundInputs {
        guard options.reading.input.isEmpty else {
            throw ValidationError("Either --store or inputs: to add inputs to a store, use callcheck ingest.")
        }
        guard !options.keepsDuplicates else { throw ValidationError(Messages.copiesInStore) }
        return FoundInputs()
    }

    /// Leaves out files that were found in a directory; those that were named stay.
    mutating func leaveOut(_ files: [FileIdentity]) {
        inputs.removeAll { input in
            !input.isNamed && FileIdentity(input).map(files.contains) ?? false
        }
    }

    /// False when nothing of it can be opened.
    var canBeOpened: Bool {
        inputs.contains(where: \.isReadable)
    }

    /// Bytes as stored, when all sizes are known.
    var size: Int? {
        let sizes = inputs.map(\.size)
        return sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
    }
}

extension ReadingOptions {
    /// How to read records.
    var scan: ScanOptions {
        var scan = ScanOptions()
        scan.isStrict = strict
        scan.maxRecordBytes = maxRecordBytes.value
        scan.maxFunctions = maxFunctions
        return scan
    }

    /// How many threads may work at once.
    var threads: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
