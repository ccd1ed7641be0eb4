import ArgumentParser
import PolicyFile
import Readiness
import Reports

struct ReadingOptions: ParsableArguments {
    @Argument(
        help: .value("Files, stores, directories (read recursively) or - for standard input.", "log"),
        completion: .file())
    var input: [String] = []

    @Flag(help: .rare("Exit with 65 if anything could not be read.")) var strict = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: .rare("Threads to use (default: one per core).", "n"))
    var jobs: String?

    func validate() throws {
        for name in input where name.contains("://") {
            let fetch = name.hasPrefix("gs://") ? "gcloud storage cat" : "curl -fsS"
            let url = ShellWord(name, placeholder: "URL").quoted
            throw ValidationError("callcheck cannot read URLs. Pipe the object in instead: \(fetch) \(url) | callcheck")
        }
    }

    var typed: TypedSettings { [\.strict: strict ? ["true"] : [], \.jobs: [jobs].compactMap(\.self)] }
}

struct SettingsOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: .value("A setting: max-refused=2%. callcheck config lists all.", "key=value"))
    var assignments: [String] = []

    @Option(
        help: .rare("A settings file (default: the nearest callcheck.yml, here or above).", "file"),
        completion: .file())
    var config: String?
}

struct StoreOptions: ParsableArguments {
    @Option(help: .value("Read a store, filled by callcheck store add.", "file"), completion: .file())
    var store: [String] = []

    var typed: TypedSettings { [\.store: store] }

    func validate() throws {
        guard store.count > 1 else { return }
        throw ValidationError("There are two --store: leave one of them out, or name stores as logs are named.")
    }

    /// The store to read; nil to read inputs.
    ///
    /// Inputs take precedence over a store from the settings. Input in a pipe must not be ignored silently.
    static func path(_ settings: Settings, inputs: [String]) throws -> String? {
        let isTyped = settings.origin(of: \.store).isTyped
        guard isTyped || inputs.isEmpty, let path = settings.store else { return nil }
        if !isTyped, let place = settings.origin(of: \.store).place, StandardStreams.hasInput {
            throw ValidationError(
                """
                Standard input is piped in, and \(place) names a store. Name - to read standard input, or \
                --store \(DisplayText(name: path).text) to read the store.
                """)
        }
        try refuseNonFile(path, "--store")
        return path
    }

    static func refuseNonFile(_ store: String, _ name: String) throws {
        if ["", "-", ":memory:"].contains(store) { throw ValidationError("\(name) takes a file, such as history.db.") }
        if store.contains("://") { throw ValidationError("\(name) takes a file on this machine, not a URL.") }
    }
}
