import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

/// The words that were typed for options that are settings, which are read as a file's are; none where nothing was.
typealias TypedSettings = [PartialKeyPath<SettingTable>: [String]]

/// The value of every setting, and its origin.
///
/// Precedence: the command line (an option, or `--set`), a variable, the policy's numbers, the settings file, the
/// default in the ``SettingTable``.
@dynamicMemberLookup
struct Settings {
    let file: SettingsFile?
    private(set) var policy: (file: String, document: PolicyDocument)?
    private var values = SettingValues()
    private var origins: [SettingKey: SettingOrigin] = [:]

    /// Reads a policy that is a file of its own only where it is asked for.
    init(_ named: SettingsOptions, _ options: [TypedSettings] = [], readsPolicy: Bool = false) throws {
        file = try SettingsFile(named.config)
        try Settings.refuseUnknownVariables()
        var typed: [SettingKey: (words: [String], option: String)] = [:]
        for text in named.assignments {
            let (key, word) = try Settings.assignment(text)
            typed[key] = ((typed[key]?.words ?? []) + [word], "--set \(key.name)")
        }
        for (path, words) in options.joined() where !words.isEmpty {
            let key = SettingKey[path]
            typed[key] = (words, "--\(key.name)")
        }
        for key in SettingKey.all {
            if let (words, option) = typed[key] {
                (values[key], origins[key]) = (try Settings.read(words, as: key, option), .typed(option))
            } else if let name = key.variable, let text = Terminal.environment(name) {
                (values[key], origins[key]) = (try Settings.read([text], as: key, name), .variable(name))
            } else if let file, let value = file[key] {
                (values[key], origins[key]) = (value, file.origin(of: key))
            }
        }
        if origin(of: \.window).isTyped, origin(of: \.maxWindow).isTyped, let window = values.window,
            let longest = values.maxWindow, window > longest
        {
            throw ValidationError("window \(window)d is longer than max-window \(longest)d; leave one of them out.")
        }
        try addPolicy(isRead: readsPolicy)
    }

    /// Takes the policy that a path names, or the one that is written out in the settings file.
    private mutating func addPolicy(isRead: Bool) throws(Failure) {
        if let path = values.policy {
            guard isRead else { return }
            let text = try TextFile(path, of: name(of: \.policy), limit: PolicyDocument.sizeLimit)
            policy = (text.name, try text.parsed(PolicyDocument.init(yaml:), InvalidPolicy.message))
        } else if let file, let document = file.document.policy {
            policy = (file.name, document)
            let keys = [SettingKey[\.policy], SettingKey[\.functions]]
            origins[keys[0]] = keys.first { file.document.lines[$0] != nil }.map(file.origin)
        }
        guard let (name, document) = policy else { return }
        for key in document.values.keys where origins[key].map(\.isFile) ?? true {
            (values[key], origins[key]) = (document.values[key], .file(name, line: document.lines[key] ?? 1))
        }
    }

    /// A mistyped key must not be ignored: a limit that was meant would not hold.
    private static func refuseUnknownVariables() throws {
        let keys = SettingKey.all.filter { $0.variable != nil }
        let known = keys.compactMap(\.variable)
        for name in Terminal.environmentNames where name.hasPrefix("CALLCHECK_SET_") && !known.contains(name) {
            let meant = NearestName.of(String(name.dropFirst(14)), among: keys.map(\.name))
            let hint = hint(meant.flatMap(SettingKey.named)?.variable)
            throw ValidationError("\(Messages.short(name)): there is no such setting. \(hint)")
        }
    }

    /// The key and the value of `KEY=VALUE`.
    private static func assignment(_ text: String) throws -> (SettingKey, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let key = SettingKey.named(parts[0]), key.isSettable else {
            let keys = SettingKey.all.filter(\.isSettable).map(\.name)
            let hint = hint(NearestName.of(parts[0], among: keys))
            throw ValidationError("--set: there is no setting \(Messages.short(parts[0])). \(hint)")
        }
        guard parts.count == 2 else {
            throw ValidationError("--set takes a key and a value: --set \(key.name)=\(key.example)")
        }
        return (key, parts[1])
    }

    private static func hint(_ meant: String?) -> String {
        meant.map { "Did you mean \($0)?" } ?? "callcheck config lists all of them."
    }

    /// Reads what was typed: the items of a list may be typed one by one; else the last one counts.
    private static func read(_ words: [String], as key: SettingKey, _ name: String) throws -> SettingKey.Value {
        do throws(SettingFault) {
            return try key.read(key.form == .list ? words.joined(separator: ",") : words.last ?? "")
        } catch {
            throw ValidationError("\(name): \(error).")
        }
    }

    /// The value of a setting, or its default; nil if it has neither.
    subscript<Value: Hashable>(dynamicMember path: KeyPath<SettingTable, Setting<Value>>) -> Value? {
        values[dynamicMember: path] ?? SettingKey[path].defaultValue as? Value
    }

    func isOn(_ path: KeyPath<SettingTable, Setting<Bool>>) -> Bool { self[dynamicMember: path] ?? false }

    func origin(of path: PartialKeyPath<SettingTable>) -> SettingOrigin { origins[SettingKey[path]] ?? .builtIn }

    /// Returns the name of the setting in an error about the file that it names: `--policy`, or where it was written.
    func name(of path: PartialKeyPath<SettingTable>) -> String {
        let key = SettingKey[path]
        return switch origin(of: path) {
        case .typed(let option): option
        case .builtIn: "--\(key.name)"
        case .variable(let name): name
        case .file(let name, let line): "\(name):\(line): \(key.name)"
        }
    }

    /// The files that the command line, the environment and the settings file name, whichever of them counts.
    func paths(of path: KeyPath<SettingTable, Setting<String>>) -> [String] {
        let key = SettingKey[path]
        return [self[dynamicMember: path], key.variable.flatMap(Terminal.environment), file?[key] as? String]
            .compactMap(\.self)
    }

    func rules(since: Day?) -> PolicyRules {
        var rules = PolicyRules(since: since, entries: policy?.document.entries ?? [])
        rules.numbers.apply(values)
        rules.numbers.settings = effect
        return rules
    }

    var gate: Gate { Gate(failOn: self.failOn ?? .unsure) }

    /// Refuses to ask whom enforcement refuses without the rows and lines that show it.
    func refuseBlindGate() throws {
        guard gate.failOn == .lockout, rowLimit == 0 else { return }
        throw ValidationError(
            Messages.blindGate(
                failOn: origin(of: \.failOn).place ?? "", callers: origin(of: \.callers).place ?? ""))
    }

    /// The effect of the settings file and the environment on the answer, and of what a policy loosens; nil if they
    /// neither set a limit nor select.
    private var effect: SettingsEffect? {
        let lax = Set(values.loosened)
        let policyKey = SettingKey[\.policy]
        let isTyped = origin(of: \.policy).isTyped
        let entries = policy?.document.entries ?? []
        // What a policy says that they name counts as theirs; of one that somebody typed, what it loosens.
        func source(_ key: SettingKey) -> String? {
            switch origins[key] {
            case .variable(let name): name
            case .file(let name, _) where name == file?.name: name
            case .file where key != policyKey: isTyped ? (lax.contains(key) ? policy?.file : nil) : source(policyKey)
            default: nil
            }
        }
        let ofEntries = Set(entries.flatMap(\.settings.loosened))
        // Numbers come first.
        let limits = [[.higher, .lower], [.other]].flatMap { (kinds: [SettingKey.Direction?]) in
            SettingKey.all.filter { kinds.contains($0.looser) && (source($0) != nil || ofEntries.contains($0)) }
        }
        let selecting = [SettingKey[\.project], SettingKey[\.region], SettingKey[\.function]]
            .filter { source($0) != nil }
        var sources = (limits + selecting).compactMap(source)
        var loosened = limits.filter { ofEntries.contains($0) || lax.contains($0) }
        let movesStart = entries.contains { $0.settings.since != nil }
        if movesStart { loosened.append(SettingKey[\.since]) }
        if let name = source(policyKey) {
            sources.append(name)
            if !entries.isEmpty || !(policy?.document.values.loosened ?? []).isEmpty { loosened.append(policyKey) }
        } else if let policy, !ofEntries.isEmpty || movesStart {
            sources.append(policy.file)
        }
        guard !sources.isEmpty else { return nil }
        var names: [String] = [file?.name].compactMap(\.self).filter(sources.contains)
        for name in sources where !names.contains(name) { names.append(name) }
        let others = names.count > 1 ? " (and \(names.dropFirst().joined(separator: ", ")))" : ""
        return SettingsEffect(file: names[0] + others, loosened: loosened, selectsFunctions: !selecting.isEmpty)
    }

    var listing: SettingsListing {
        let rows = SettingKey.all.filter(\.isSettable).map { key -> SettingsListing.Row in
            let text =
                switch key {
                case SettingKey[\.jobs]: "\(threads)"
                case SettingKey[\.policy]: policy?.file
                // Whoever has the key can tell which fingerprint belongs to which entry.
                case SettingKey[\.fingerprintKey]: values.fingerprintKey.map { _ in "(not shown)" }
                default: (values[key] ?? key.defaultValue).map(key.text)
                }
            let origin = origins[key] ?? .builtIn
            return (key.name, text, key.defaultValue.map(key.text), origin.source, origin.place)
        }
        return SettingsListing(file: file?.name, rows: rows)
    }

    /// True when the command line asks for silence: a file must not hide itself.
    var isQuietByOption: Bool { origin(of: \.quiet).isTyped }

    var showsProgress: Bool { !isOn(\.quiet) && !isOn(\.noProgress) }

    func style(for output: Destination) -> TerminalStyle {
        Terminal.style(color: self.color ?? .auto, isRedirected: !output.isStandardOutput)
    }

    /// The most threads that may work at once: beyond the cores they gain nothing.
    var threads: Int { min(self.jobs ?? .max, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    var scan: ScanOptions {
        var scan = ScanOptions()
        if let phrase = values.fingerprintKey { scan.fingerprintKey = HashKey(phrase: phrase) }
        scan.isStrict = isOn(\.strict)
        scan.maxRecordBytes = self.maxRecordBytes ?? scan.maxRecordBytes
        scan.maxFunctions = self.maxFunctions ?? scan.maxFunctions
        return scan
    }

    /// The most requests that may wait for their verification; 0 if callers are not read.
    var rowLimit: Int { self.callers == "none" ? 0 : self.maxOpen ?? 0 }
}

enum SettingOrigin: Equatable {
    /// By the option of that name.
    case typed(String)
    case variable(String)
    /// The settings file or the policy file, printable.
    case file(String, line: Int)
    case builtIn

    var isTyped: Bool { if case .typed = self { true } else { false } }
    var isFile: Bool { if case .file = self { true } else { false } }

    var source: String {
        switch self {
        case .typed: "flag"
        case .variable: "environment"
        case .file: "file"
        case .builtIn: "default"
        }
    }

    /// The option, the variable, or the file and the line; nil for a built-in default.
    var place: String? {
        switch self {
        case .builtIn: nil
        case .typed(let name), .variable(let name): name
        case .file(let name, let line): "\(name):\(line)"
        }
    }
}
