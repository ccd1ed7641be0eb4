import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports

/// What the environment and the settings file say, for options that no flag sets.
///
/// Options are filled in once, while a command line is resolved. A flag beats a variable, which beats the file.
struct Settings {
    /// The variables that stand for settings; `CALLCHECK_CONFIG` names the file itself.
    private static let variables: [PolicyKey: String] = [
        .project: "CALLCHECK_PROJECT", .store: "CALLCHECK_STORE", .policy: "CALLCHECK_POLICY",
    ]

    /// The file that is used; nil without one.
    let file: SettingsFile?
    private var origins: [PolicyKey: SettingOrigin] = [:]

    /// - Parameter path: As given to `--config`; otherwise a variable may name the file, or it is searched for.
    /// - Throws: ``Failure`` when the file cannot be read, or contains what is not allowed in a settings file.
    init(_ path: String?) throws(Failure) {
        file = try SettingsFile(path)
    }

    /// Where a setting comes from.
    func origin(of key: PolicyKey) -> SettingOrigin {
        origins[key] ?? .builtIn
    }

    /// What to call the setting in an error about the file that it names: `--policy`, or where it was written.
    func name(of key: PolicyKey) -> String {
        let option = "--\(key.rawValue)"
        return switch origin(of: key) {
        case .flag, .builtIn: option
        case .variable(let name): name
        case .file(let name, let line): "\(name):\(line): \(key.rawValue)"
        }
    }

    /// Fills in an option that no flag has set.
    mutating func fill<Value>(_ field: inout Value?, _ key: PolicyKey, _ ofFile: (SettingsDocument) -> Value?) {
        if field != nil {
            origins[key] = .flag
        } else if let file, let value = ofFile(file.document) {
            field = value
            origins[key] = file.origin(of: key)
        }
    }

    /// Fills in a list of globs, which replaces the file's as a whole.
    mutating func fill(_ field: inout [String], _ key: PolicyKey) {
        var globs = field.isEmpty ? nil : field
        if globs == nil, let (value, origin) = Settings.variable(key) {
            (globs, origins[key]) = ([value], origin)
        } else {
            fill(&globs, key) { $0.globs[key] }
        }
        field = globs ?? []
    }

    /// Fills in a path; those in the settings file are relative to that file.
    mutating func fill(_ field: inout String?, path key: PolicyKey) {
        if field == nil, let (value, origin) = Settings.variable(key) {
            (field, origins[key]) = (value, origin)
        } else {
            fill(&field, key) { [file] in $0.paths[key].flatMap { file?.path(to: $0) } }
        }
    }

    mutating func fill(_ flag: inout Bool, _ key: PolicyKey) {
        var value = flag ? true : nil
        fill(&value, key) { $0.flags[key] }
        flag = value ?? false
    }

    /// Reads the policy that a path names, or takes the one that is written out in the settings file.
    mutating func policy(_ path: String?) throws(Failure) -> NamedPolicy? {
        guard let path else {
            guard let file, let document = file.document.policy else { return nil }
            origins[.policy] = file.origin(of: file.document.lines[.policy] == nil ? .functions : .policy)
            return NamedPolicy(file: file.name, document: document)
        }
        let text = try TextFile(path, of: name(of: .policy), limit: PolicyDocument.sizeLimit)
        do throws(InvalidPolicy) {
            return NamedPolicy(file: text.name, document: try PolicyDocument(yaml: text.text))
        } catch {
            throw Failure(status: .usage, message: error.message(file: text.name))
        }
    }

    /// The settings file, and what it or a variable names, among the files that must not be overwritten.
    var texts: [(role: String, path: String?)] {
        [
            ("the settings file", file?.path), ("the file of --policy", path(of: .policy)),
            ("the file of --inventory", path(of: .inventory)),
        ]
    }

    private func path(of key: PolicyKey) -> String? {
        Settings.variable(key)?.value ?? file.flatMap { file in file.document.paths[key].map(file.path) }
    }

    /// Notes where a number comes from; the policy and the settings file may have it as well.
    ///
    /// - Parameters:
    ///   - key: The number.
    ///   - isFlag: True when a flag sets it.
    ///   - policy: The policy that is used.
    mutating func trace(_ key: PolicyKey, isFlag: Bool, _ policy: NamedPolicy?) {
        if isFlag {
            origins[key] = .flag
        } else if let policy, let line = policy.document.lines[key] {
            origins[key] = .file(policy.file, line: line)
        } else if let file, file.document.lines[key] != nil {
            origins[key] = file.origin(of: key)
        }
    }

    /// Says which settings file is used, and which store is read although no option names it.
    func announce(isQuiet: Bool, reading store: String? = nil) {
        guard !isQuiet else { return }
        if let file { Messages.print([Messages.settings(from: file.name)]) }
        if let store, let place = origin(of: .store).place { Messages.print([Messages.store(store, from: place)]) }
    }

    /// The value of a variable; nil when it is not set or empty.
    private static func variable(_ key: PolicyKey) -> (value: String, origin: SettingOrigin)? {
        guard let name = variables[key], let value = Terminal.path(named: name) else { return nil }
        return (value, .variable(name))
    }
}

/// Where a setting comes from.
enum SettingOrigin: Equatable {
    case flag
    /// A variable of the environment.
    case variable(String)
    /// The settings file or the policy file, printable.
    case file(String, line: Int)
    case builtIn

    /// The variable, or the file and the line; nil for a flag and for a built-in default.
    var place: String? {
        switch self {
        case .flag, .builtIn: nil
        case .variable(let name): name
        case .file(let name, let line): "\(name):\(line)"
        }
    }
}

/// A policy, and the file that it is from.
struct NamedPolicy {
    /// The file, printable.
    let file: String
    let document: PolicyDocument
}

/// A settings file that was read.
struct SettingsFile {
    /// Its name when no option names another.
    static let usualName = "callcheck.yml"

    let path: String
    /// The path, printable.
    let name: String
    let document: SettingsDocument

    /// The values allowed in it where a word is expected.
    private static let words: [PolicyKey: [String]] = [
        .format: OutputFormat.allValueStrings, .color: ColorChoice.allValueStrings,
        .failOn: Gate.FailOn.allValueStrings, .assumeComplete: ["true", "false", "failures"],
    ]

    /// Reads the file that an option or a variable names, else the nearest one of the usual name.
    ///
    /// Returns nil when there is none.
    init?(_ named: String?) throws(Failure) {
        let variable = "CALLCHECK_CONFIG"
        let (path, role): (String, String)
        if let named {
            (path, role) = (named, "--config")
        } else if let named = Terminal.path(named: variable) {
            (path, role) = (named, variable)
        } else if let found = SettingsFile.nearest() {
            (path, role) = (found, "the settings file")
        } else {
            return nil
        }
        let file = try TextFile(path, of: role, limit: PolicyDocument.sizeLimit)
        self.path = path
        name = file.name
        do throws(InvalidPolicy) {
            document = try SettingsDocument(yaml: file.text, words: SettingsFile.words)
        } catch {
            throw Failure(status: .usage, message: error.message(file: file.name))
        }
    }

    func origin(of key: PolicyKey) -> SettingOrigin {
        .file(name, line: document.lines[key] ?? 1)
    }

    /// A path that is written in the file, as seen from the working directory.
    func path(to target: String) -> String {
        guard !target.hasPrefix("/") else { return target }
        // The prefix keeps a file called - from meaning standard input.
        return path.contains("/") || target == "-" ? "\(ReplacedFile.directory(of: path))/\(target)" : target
    }

    /// Looks in the working directory and above it, up to the root or the top of a repository.
    private static func nearest() -> String? {
        var above = ""
        var last: FolderIdentity?
        while let folder = FolderIdentity(above + "."), folder != last {
            if FileIdentity(above + usualName) != nil, MisplacedPath.exists(above + usualName) {
                return above + usualName
            }
            if MisplacedPath.exists(above + ".git") { return nil }
            last = folder
            above += "../"
        }
        return nil
    }
}

/// Tells directories apart: the parent of the root is the root again.
private struct FolderIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init?(_ path: String) {
        var status = stat()
        // Safe: the characters end in NUL, and the structure is filled.
        guard unsafe stat(SystemPath(path).characters, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
