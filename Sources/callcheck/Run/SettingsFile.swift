import LogStream
import Platform
import PolicyFile
import Readiness
import Reports

struct SettingsFile {
    static let usualName = "callcheck.yml"

    let path: String
    let name: String
    let document: SettingsDocument

    /// Reads the file that an option or a variable names, else the nearest one of the usual name; nil without any.
    init?(_ named: String?) throws(Failure) {
        let variable = "CALLCHECK_CONFIG"
        let given = named.map { ($0, "--config") } ?? Terminal.environment(variable).map { ($0, variable) }
        let found = given == nil ? SettingsFile.nearest() : nil
        guard let (path, role) = given ?? found.map({ ($0, "the settings file") }) else { return nil }
        let file = try TextFile(path, of: role, limit: PolicyDocument.sizeLimit)
        self.path = path
        name = file.name
        guard found == nil || SettingsFile.isTrusted(path, owner: file.owner) else {
            throw Failure(
                """
                the settings file \(name) belongs neither to you nor to root nor to the owner of this directory. If \
                you trust it, name it: --config \(ShellWord.plain(path, placeholder: "FILE")). To do without: \
                --config /dev/null
                """)
        }
        document = try file.parsed(SettingsDocument.init, InvalidPolicy.message)
    }

    func origin(of key: SettingKey) -> SettingOrigin { .file(name, line: document.lines[key] ?? 1) }

    /// The value of a setting in the file; paths as seen from the working directory.
    subscript(key: SettingKey) -> SettingKey.Value? {
        let value = document.values[key]
        return key.form == .path ? (value as? String).map(path) : value
    }

    private func path(to target: String) -> String {
        guard !target.hasPrefix("/") else { return target }
        // The prefix keeps a file called - from meaning standard input.
        return path.contains("/") || target == "-" ? "\(ReplacedFile.directory(of: path))/\(target)" : target
    }

    /// Looks in the working directory and above it: up to the top of a repository; where there is none, up to the home
    /// directory if that is above, and else in the working directory alone.
    private static func nearest() -> String? {
        guard let here = absolute(".") else { return nil }
        let above = (0...here.split(separator: UInt8(ascii: "/")).count).map { String(repeating: "../", count: $0) }
        let home = Terminal.environment("HOME").flatMap(absolute)
        let top =
            above.firstIndex { MisplacedPath.exists($0 + ".git") }
            ?? home.flatMap { home in above.firstIndex { absolute($0 + ".") == home } } ?? 0
        return above[...top].map { $0 + usualName }.first { FileIdentity($0) != nil && MisplacedPath.exists($0) }
    }

    private static func absolute(_ path: String) -> [UInt8]? { FileSystem.absolute(SystemPath(path).characters) }

    /// Whoever may write a file that nobody named could open every gate below it.
    private static func isTrusted(_ path: String, owner: uid_t) -> Bool {
        guard let link = FileSystem.status(ofLink: SystemPath(path).characters),
            let folder = FileSystem.status(of: SystemPath(".").characters)
        else { return false }
        let trusted = [geteuid(), 0, folder.st_uid]
        return trusted.contains(owner) && trusted.contains(link.st_uid)
    }
}

/// A small text file that a run needs before it can begin: a policy, an inventory.
struct TextFile {
    let name: String
    let text: String
    let owner: uid_t

    /// Reads the whole file, once: it may be a pipe (`--policy <(…)`).
    ///
    /// `option` names it in errors; of a file longer than the limit one byte more is read, so that the parser notices.
    init(_ path: String, of option: String, limit: Int) throws(Failure) {
        name = DisplayText(name: path).text
        let place = "\(option) \(name)"
        let descriptor = FileSystem.descriptor(of: SystemPath(path).characters, O_RDONLY)
        guard descriptor >= 0 else { throw TextFile.unreadable(place, errno, MistypedName.hint(near: path)) }
        defer { close(descriptor) }
        guard let status = FileSystem.status(of: descriptor) else { throw TextFile.unreadable(place, errno) }
        owner = status.st_uid
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let part = FileSystem.bytes(from: descriptor, atMost: min(1 << 16, limit + 1 - bytes.count)) else {
                if errno == EINTR { continue }
                throw TextFile.unreadable(place, errno)
            }
            if part.isEmpty { break }
            bytes += part
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TextFile.failure(place, TextFile.encoding(of: bytes))
        }
        self.text = text
    }

    /// Returns the parsed text; `message` puts into words why it cannot be parsed, for the file's name.
    func parsed<Value, Fault: Error>(
        _ parse: (String) throws(Fault) -> Value, _ message: (Fault) -> (String) -> String
    ) throws(Failure) -> Value {
        do throws(Fault) {
            return try parse(text)
        } catch {
            throw Failure(message(error)(name))
        }
    }

    private static func encoding(of bytes: [UInt8]) -> String {
        switch Array(bytes.prefix(2)) {
        case [0xff, 0xfe], [0xfe, 0xff]: "UTF-16 text, as PowerShell writes it; save the file as UTF-8"
        case [0x1f, 0x8b]: "gzip data, not text; is this the right file?"
        default: "not UTF-8 text; is this the right file?"
        }
    }

    private static func unreadable(_ place: String, _ error: Int32, _ hint: String = "") -> Failure {
        failure(place, "cannot be read: \(systemMessage(error)); \(Messages.advice(onReading: error))\(hint)")
    }

    private static func failure(_ place: String, _ reason: String) -> Failure {
        Failure("\(place): \(reason)")
    }
}
