import LogStream
import Platform
import PolicyFile
import Reports

struct SettingsFile {
    /// Its name when no option names another.
    static let usualName = "callcheck.yml"

    let path: String
    let name: String
    let document: SettingsDocument

    /// Reads the file that an option or a variable names, else the nearest one of the usual name.
    ///
    /// Returns nil when there is none.
    init?(_ named: String?) throws(Failure) {
        let variable = "CALLCHECK_CONFIG"
        let given = named.map { ($0, "--config") } ?? Terminal.environment(variable).map { ($0, variable) }
        let found = given == nil ? SettingsFile.nearest() : nil
        guard let (path, role) = given ?? found.map({ ($0, "the settings file") }) else { return nil }
        let file = try TextFile(path, of: role, limit: PolicyDocument.sizeLimit)
        self.path = path
        name = file.name
        guard found == nil || SettingsFile.isTrusted(path, owner: file.owner) else {
            throw Failure(status: .usage, message: Messages.settingsOfAnother(path))
        }
        document = try file.parsed(SettingsDocument.init, InvalidPolicy.message)
    }

    func origin(of key: PolicyKey) -> SettingOrigin { .file(name, line: document.lines[key] ?? 1) }

    /// What the file says; paths as seen from the working directory.
    subscript(key: PolicyKey) -> SettingValue? {
        let value = document.values[key]
        return key.row.kind == .path ? (value?.text).map { .text(path(to: $0)) } : value
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
