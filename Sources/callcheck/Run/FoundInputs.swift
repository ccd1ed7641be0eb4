import ArgumentParser
import History
import LogStream
import Platform
import Reports

/// What a command line names as input: logs, folders and stores, each file once.
struct FoundInputs {
    private(set) var inputs: [LogInput] = []
    /// Stores that were named, each once.
    private(set) var stores: [String] = []
    /// The stores that each folder has: they are not read.
    private var storesInFolders: [(folder: String, stores: [LogInput])] = []
    /// The number of callcheck's own reports that each folder has: they are not read.
    private(set) var reportsInFolders: [(folder: String, count: Int)] = []
    private(set) var emptyDirectories: [String] = []
    /// Inputs that are not read because they are other inputs, too, which are read.
    private(set) var repeated: [(input: LogInput, read: LogInput)] = []

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
            var logs = found.filter { !$0.isStore }
            if let first = found.first, !first.isNamed {
                if logs.count < found.count {
                    storesInFolders.append((argument, found.filter { $0.isStore && !$0.isBesideStore }))
                }
                let all = logs.count
                logs.removeAll(where: \.isReport)
                if logs.count < all { reportsInFolders.append((argument, all - logs.count)) }
            } else if logs.isEmpty, !found.isEmpty {
                stores.append(argument)
            }
            inputs += logs
        }
        leaveOutRepeated()
    }

    /// Adds what a growing log is read from, where stores alone were named.
    mutating func addStandardInput() { inputs.append(.standardInput) }

    /// Returns the number of stores in each folder that are not named elsewhere.
    func storesInFolders(besides store: String?) -> [(folder: String, count: Int)] {
        let named = (stores + [store].compactMap(\.self)).compactMap(FileIdentity.init)
        return storesInFolders.map { folder, stores in
            (folder, stores.count { FileIdentity($0).map { !named.contains($0) } ?? true })
        }.filter { $0.count > 0 }
    }

    /// Adds a store that an option names; one that was named among the inputs is read once.
    mutating func add(store: String) {
        let known = stores.compactMap(FileIdentity.init)
        if let file = FileIdentity(store), known.contains(file) { return }
        stores.append(store)
    }

    /// Leaves one input of each file and of each pipe, whose bytes can be read only once.
    private mutating func leaveOutRepeated() {
        var places: [FileIdentity: Int] = [:]
        var unique: [LogInput] = []
        for input in inputs {
            let file = FileIdentity(input)
            if let place = file.flatMap({ places[$0] }) {
                let other = unique[place]
                // A named input is reported if it is not a log; a found one is not. And part of a redirected standard
                // input may already have been read.
                let isBetter = input.isNamed && (!other.isNamed || other == .standardInput && input.size != nil)
                repeated.append((input: isBetter ? other : input, read: isBetter ? input : other))
                if isBetter { unique[place] = input }
            } else {
                if let file { places[file] = unique.count }
                unique.append(input)
            }
        }
        inputs = unique
        var files: Set<FileIdentity> = []
        stores.removeAll { store in FileIdentity(store).map { !files.insert($0).inserted } ?? false }
    }

    /// The first input that is no file and is to be read among others as well.
    func pipe(alsoIn others: FoundInputs) -> LogInput? {
        let read = Set(others.inputs.compactMap(FileIdentity.init))
        return inputs.first { input in input.size == nil && FileIdentity(input).map(read.contains) ?? false }
    }

    init() {}

    var isEmpty: Bool { inputs.isEmpty && stores.isEmpty }

    var files: [LogInput] { inputs + stores.map { .file($0) } }

    /// Bytes as stored, when all sizes are known.
    var size: Int? {
        let sizes = inputs.map(\.size)
        return sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
    }
}

extension LogInput {
    /// True for a file that begins as SQLite's do, and for those that SQLite keeps next to it.
    fileprivate var isStore: Bool {
        guard let path, size != nil else { return false }
        return isBesideStore || Store.isStore(path)
    }

    fileprivate var isReport: Bool {
        guard let path, size != nil else { return false }
        return FileSystem.beginning(of: path.characters, atMost: 256).map(Format.isReport) ?? false
    }

    fileprivate var isBesideStore: Bool { !isNamed && ["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) }
}
