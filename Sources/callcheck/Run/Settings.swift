import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

protocol SettingOptions {
    /// All of them, with what was typed; nil where nothing was.
    var typed: [PolicyKey: SettingValue?] { get }
}

/// What every setting is that a command takes, and who said so.
///
/// A flag beats a variable, which beats the file; ``PolicyKey/row`` has what holds when nobody says anything. The
/// policy's numbers beat those of the settings file.
struct Settings {
    let file: SettingsFile?
    private(set) var policy: (file: String, document: PolicyDocument)?
    private var said: [PolicyKey: (value: SettingValue, origin: SettingOrigin)] = [:]

    /// The path is as given to `--config`; otherwise a variable may name the file, or it is searched for.
    init(_ path: String?, _ options: [any SettingOptions] = []) throws(Failure) {
        file = try SettingsFile(path)
        let typed = options.reduce(into: [:]) { $0.merge($1.typed) { $1 } }
        for (key, value) in typed {
            if let value {
                said[key] = (value, .flag)
            } else if let name = key.row.variable, let text = Terminal.environment(name) {
                said[key] = (key.row.kind == .globs ? .texts([text]) : .text(text), .variable(name))
            } else if let file, let value = file[key] {
                said[key] = (value, file.origin(of: key))
            }
        }
    }

    subscript(key: PolicyKey) -> SettingValue? { said[key]?.value ?? key.row.usual }

    func isOn(_ key: PolicyKey) -> Bool { self[key] == .flag(true) }
    func text(_ key: PolicyKey) -> String? { self[key]?.text }
    func count(_ key: PolicyKey) -> Int? { self[key]?.count }
    func globs(_ key: PolicyKey) -> [String] { if case .texts(let globs) = self[key] { globs } else { [] } }

    func origin(of key: PolicyKey) -> SettingOrigin { said[key]?.origin ?? .builtIn }

    /// What to call the setting in an error about the file that it names: `--policy`, or where it was written.
    func name(of key: PolicyKey) -> String {
        switch origin(of: key) {
        case .flag, .builtIn: "--\(key.flag)"
        case .variable(let name): name
        case .file(let name, let line): "\(name):\(line): \(key.rawValue)"
        }
    }

    /// The files that a flag, the environment and the settings file name, whichever of them counts.
    func paths(of key: PolicyKey) -> [String] {
        [text(key), key.row.variable.flatMap(Terminal.environment), file?[key]?.text].compactMap(\.self)
    }

    /// With the policy that a path names, or the one that is written out in the settings file.
    func readingPolicy() throws(Failure) -> Settings {
        var settings = self
        if let path = text(.policy) {
            let text = try TextFile(path, of: name(of: .policy), limit: PolicyDocument.sizeLimit)
            settings.policy = (text.name, try text.parsed(PolicyDocument.init, InvalidPolicy.message))
        } else if let file, let document = file.document.policy {
            settings.policy = (file.name, document)
        }
        guard let (name, document) = settings.policy else { return self }
        let place = file?.origin(of: file?.document.lines[.policy] == nil ? .functions : .policy) ?? .builtIn
        settings.said[.policy] = (.text(name), said[.policy]?.origin ?? place)
        for (key, value) in document.values where origin(of: key) != .flag {
            settings.said[key] = (value, .file(name, line: document.lines[key] ?? 1))
        }
        return settings
    }

    func rules(since: Day?) -> PolicyRules {
        var rules = PolicyRules(since: since)
        rules.entries = policy?.document.entries ?? []
        rules.numbers.apply(PolicySettings(said.mapValues(\.value)))
        rules.numbers.assumeComplete = text(.assumeComplete).flatMap(AssumeComplete.init) ?? .nothing
        rules.numbers.settings = effect
        return rules
    }

    var gate: Gate {
        Gate(failOn: text(.failOn).flatMap(Gate.FailOn.init) ?? .unsure)
    }

    /// What the file does to the answer; nil where it sets no limit nor selects.
    private var effect: SettingsEffect? {
        guard let file else { return nil }
        func isOfFile(_ key: PolicyKey) -> Bool {
            guard case .file(let name, _) = origin(of: key) else { return false }
            // What a policy says that the file names counts as the file's own.
            return name == file.name || key != .policy && isOfFile(.policy)
        }
        func isLax(_ key: PolicyKey) -> Bool { self[key].map(key.loosens) ?? false }
        // Numbers come first.
        let limits = [[.higher, .lower], [.other]].flatMap { (kinds: [SettingRow.Laxer?]) in
            PolicyKey.allCases.filter { kinds.contains($0.row.laxer) && isOfFile($0) }
        }
        let selects = [PolicyKey.project, .region, .function].contains(where: isOfFile)
        guard selects || !limits.isEmpty || isOfFile(.policy) else { return nil }
        var loosened = limits.filter(isLax)
        if isOfFile(.policy), let policy = policy?.document {
            if policy.entries.contains(where: { $0.since != nil }) { loosened.append(.since) }
            let hasQuietDays = policy.settings.quietDays?.isEmpty == false
            if hasQuietDays || !policy.entries.isEmpty || policy.values.keys.contains(where: isLax) {
                loosened.append(.policy)
            }
        }
        return SettingsEffect(file: file.name, loosened: loosened.map(\.rawValue), selectsFunctions: selects)
    }

    var listing: SettingsListing {
        let rows = PolicySection.settingsFile.keys.compactMap { key -> SettingsListing.Row? in
            guard let value = key == .jobs ? .count(threads) : self[key] else { return nil }
            let origin = origin(of: key)
            let place = origin == .flag ? "--\(key.rawValue)" : origin.place
            return (key.rawValue, key.text(of: value), origin.source, place)
        }
        return SettingsListing(file: file?.name, rows: rows)
    }

    /// True when a flag asks for silence: a file must not hide itself.
    var isQuietByFlag: Bool { origin(of: .quiet) == .flag }

    var showsProgress: Bool { !isOn(.quiet) && !isOn(.noProgress) }

    func style(for output: Destination) -> TerminalStyle {
        let color = text(.color).flatMap(ColorChoice.init) ?? .auto
        return Terminal.style(color: color, isRedirected: !output.isStandardOutput)
    }

    /// How many threads may work at once: beyond the cores they gain nothing.
    var threads: Int { min(count(.jobs) ?? .max, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    func scan(_ fingerprints: FingerprintOptions? = nil) -> ScanOptions {
        var scan = ScanOptions()
        if let key = fingerprints?.key { scan.fingerprintKey = key }
        scan.isStrict = isOn(.strict)
        scan.maxRecordBytes = count(.maxRecordBytes) ?? scan.maxRecordBytes
        scan.maxFunctions = count(.maxFunctions) ?? scan.maxFunctions
        return scan
    }
}

enum SettingOrigin: Equatable {
    case flag
    case variable(String)
    /// The settings file or the policy file, printable.
    case file(String, line: Int)
    case builtIn

    var source: String {
        switch self {
        case .flag: "flag"
        case .variable: "environment"
        case .file: "file"
        case .builtIn: "default"
        }
    }

    /// The variable, or the file and the line; nil for a flag and for a built-in default.
    var place: String? {
        switch self {
        case .flag, .builtIn: nil
        case .variable(let name): name
        case .file(let name, let line): "\(name):\(line)"
        }
    }
}
