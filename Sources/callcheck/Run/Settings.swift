import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

/// The words that were typed for options that are settings, which are read as a file's are; none where nothing was.
typealias TypedSettings = [SettingKey: [String]]

/// The value of every setting, and its origin.
///
/// Precedence: the command line (an option, or `--set`), a variable, the file; ``SettingKey/row`` has the default. The
/// policy's numbers take precedence over those of the settings file.
struct Settings {
    let file: SettingsFile?
    private(set) var policy: (file: String, document: PolicyDocument)?
    private var said: [SettingKey: (value: SettingValue, origin: SettingOrigin)] = [:]

    init(_ named: SettingsOptions, _ options: [TypedSettings] = []) throws {
        file = try SettingsFile(named.config)
        var typed: [SettingKey: (words: [String], option: String)] = [:]
        for text in named.assignments {
            let (key, word) = try Settings.assignment(text)
            typed[key] = ((typed[key]?.words ?? []) + [word], "--set \(key.name)")
        }
        for group in options {
            for (key, words) in group where !words.isEmpty { typed[key] = (words, "--\(key.name)") }
        }
        for key in SettingKey.allCases {
            if let (words, option) = typed[key] {
                said[key] = (try Settings.read(words, as: key, option), .typed(option))
            } else if let name = key.variable, let text = Terminal.environment(name) {
                said[key] = (try Settings.read([text], as: key, name), .variable(name))
            } else if let file, let value = file[key] {
                said[key] = (value, file.origin(of: key))
            }
        }
        if origin(of: .window).isTyped, origin(of: .maxWindow).isTyped, let window = count(.window),
            let longest = count(.maxWindow), window > longest
        {
            throw ValidationError("window \(window)d is longer than max-window \(longest)d; leave one of them out.")
        }
    }

    /// The key and the value of `KEY=VALUE`.
    private static func assignment(_ text: String) throws -> (SettingKey, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = Messages.short(parts[0])
        guard let key = SettingKey(name: parts[0]), key.isSettable else {
            let keys = SettingKey.allCases.filter(\.isSettable).map(\.name)
            let meant = NearestName.of(parts[0], among: keys)
            let hint = meant.map { "Did you mean \($0)?" } ?? "callcheck config lists all of them."
            throw ValidationError("--set: there is no setting \(name). \(hint)")
        }
        guard parts.count == 2 else {
            throw ValidationError("--set takes a key and a value: --set \(key.name)=\(key.row.example)")
        }
        return (key, parts[1])
    }

    /// Reads what was typed: the items of a list may be typed one by one; else the last one counts.
    private static func read(_ words: [String], as key: SettingKey, _ name: String) throws -> SettingValue {
        var text = words.last ?? ""
        if case .list = key.row.kind { text = words.joined(separator: ",") }
        do throws(SettingFault) {
            return try key.read(text)
        } catch {
            throw ValidationError("\(name): \(error).")
        }
    }

    subscript(key: SettingKey) -> SettingValue? { said[key]?.value ?? key.row.defaultValue }

    func isOn(_ key: SettingKey) -> Bool { self[key] == .flag(true) }
    func text(_ key: SettingKey) -> String? { self[key]?.text }
    func count(_ key: SettingKey) -> Int? { self[key]?.count }
    func number(_ key: SettingKey) -> Double? { self[key]?.number }
    func texts(_ key: SettingKey) -> [String] { self[key]?.texts ?? [] }

    func origin(of key: SettingKey) -> SettingOrigin { said[key]?.origin ?? .builtIn }

    /// Returns the name of the setting in an error about the file that it names: `--policy`, or where it was written.
    func name(of key: SettingKey) -> String {
        switch origin(of: key) {
        case .typed(let option): option
        case .builtIn: "--\(key.name)"
        case .variable(let name): name
        case .file(let name, let line): "\(name):\(line): \(key.name)"
        }
    }

    /// The files that the command line, the environment and the settings file name, whichever of them counts.
    func paths(of key: SettingKey) -> [String] {
        [text(key), key.variable.flatMap(Terminal.environment), file?[key]?.text].compactMap(\.self)
    }

    /// With the policy that a path names, or the one that is written out in the settings file.
    func readingPolicy() throws(Failure) -> Settings {
        var settings = self
        if let path = text(.policy) {
            let text = try TextFile(path, of: name(of: .policy), limit: PolicyDocument.sizeLimit)
            settings.policy = (text.name, try text.parsed(PolicyDocument.init(yaml:), InvalidPolicy.message))
        } else if let file, let document = file.document.policy {
            settings.policy = (file.name, document)
        }
        guard let (name, document) = settings.policy else { return self }
        let place = file?.origin(of: file?.document.lines[.policy] == nil ? .functions : .policy) ?? .builtIn
        settings.said[.policy] = (.text(name), said[.policy]?.origin ?? place)
        for (key, value) in document.values where !origin(of: key).isTyped {
            settings.said[key] = (value, .file(name, line: document.lines[key] ?? 1))
        }
        return settings
    }

    func rules(since: Day?) -> PolicyRules {
        var rules = PolicyRules(since: since)
        rules.entries = policy?.document.entries ?? []
        rules.numbers.apply(said.mapValues(\.value))
        rules.numbers.settings = effect
        return rules
    }

    var gate: Gate {
        Gate(failOn: text(.failOn).flatMap(Gate.FailOn.init) ?? .unsure)
    }

    /// Refuses to ask whom enforcement refuses without the rows and lines that show it.
    func refuseBlindGate() throws {
        guard gate.failOn == .lockout, openLimit == 0 else { return }
        let places = [SettingKey.failOn, .callers].map { origin(of: $0).place ?? "" }
        throw ValidationError(Messages.blindGate(failOn: places[0], callers: places[1]))
    }

    /// The effect of the settings file and the environment on the answer, and of what a policy loosens; nil if they
    /// neither set a limit nor select.
    private var effect: SettingsEffect? {
        func isLax(_ key: SettingKey) -> Bool { self[key].map(key.loosens) ?? false }
        let isTyped = origin(of: .policy).isTyped
        // What a policy says that they name counts as theirs; of one that somebody typed, what it loosens.
        func source(_ key: SettingKey) -> String? {
            switch origin(of: key) {
            case .variable(let name): name
            case .file(let name, _) where name == file?.name: name
            case .file where key != .policy: isTyped ? (isLax(key) ? policy?.file : nil) : source(.policy)
            default: nil
            }
        }
        let entries = policy?.document.entries ?? []
        let ofEntries = Set(entries.flatMap { $0.settings.filter { $0.key.loosens($0.value) }.keys })
        // Numbers come first.
        let limits = [[.higher, .lower], [.other]].flatMap { (kinds: [SettingRow.Looser?]) in
            SettingKey.allCases.filter {
                kinds.contains($0.row.looser) && (source($0) != nil || ofEntries.contains($0))
            }
        }
        let selecting = [SettingKey.project, .region, .function].filter { source($0) != nil }
        var sources = (limits + selecting).compactMap(source)
        var loosened = limits.filter { ofEntries.contains($0) || isLax($0) }
        if entries.contains(where: { $0.since != nil }) { loosened.append(.since) }
        if let name = source(.policy) {
            sources.append(name)
            if !entries.isEmpty || policy?.document.values.keys.contains(where: isLax) ?? false {
                loosened.append(.policy)
            }
        } else if let policy, !ofEntries.isEmpty || loosened.last == .since {
            sources.append(policy.file)
        }
        guard !sources.isEmpty else { return nil }
        var names: [String] = [file?.name].compactMap(\.self).filter(sources.contains)
        for name in sources where !names.contains(name) { names.append(name) }
        let others = names.count > 1 ? " (and \(names.dropFirst().joined(separator: ", ")))" : ""
        return SettingsEffect(file: names[0] + others, loosened: loosened, selectsFunctions: !selecting.isEmpty)
    }

    var listing: SettingsListing {
        let rows = SettingKey.allCases.filter(\.isSettable).map { key -> SettingsListing.Row in
            let value = key == .jobs ? .count(threads) : self[key]
            // Whoever has the key can tell which fingerprint belongs to which entry.
            let text = key == .fingerprintKey ? value.map { _ in "(not shown)" } : value.map(key.text)
            let origin = origin(of: key)
            return (key.name, text, key.row.defaultValue.map(key.text), origin.source, origin.place)
        }
        return SettingsListing(file: file?.name, rows: rows)
    }

    /// True when the command line asks for silence: a file must not hide itself.
    var isQuietByOption: Bool { origin(of: .quiet).isTyped }

    var showsProgress: Bool { !isOn(.quiet) && !isOn(.noProgress) }

    func style(for output: Destination) -> TerminalStyle {
        let color = text(.color).flatMap(ColorChoice.init) ?? .auto
        return Terminal.style(color: color, isRedirected: !output.isStandardOutput)
    }

    /// The most threads that may work at once: beyond the cores they gain nothing.
    var threads: Int { min(count(.jobs) ?? .max, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    var scan: ScanOptions {
        var scan = ScanOptions()
        if let phrase = text(.fingerprintKey) { scan.fingerprintKey = HashKey(phrase: phrase) }
        scan.isStrict = isOn(.strict)
        scan.maxRecordBytes = count(.maxRecordBytes) ?? scan.maxRecordBytes
        scan.maxFunctions = count(.maxFunctions) ?? scan.maxFunctions
        return scan
    }

    /// The most requests that may wait for their verification; 0 if callers are not read.
    var openLimit: Int { text(.callers) == "none" ? 0 : count(.maxOpen) ?? 0 }
}

enum SettingOrigin: Equatable {
    /// By the option of that name.
    case typed(String)
    case variable(String)
    /// The settings file or the policy file, printable.
    case file(String, line: Int)
    case builtIn

    var isTyped: Bool { if case .typed = self { true } else { false } }

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
