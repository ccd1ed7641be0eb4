internal import Glibc
internal import Verifications

extension LogInput {
    /// The sources that arguments stand for: files as they are, directories walked to their last file.
    ///
    /// Hidden files, descriptions (`README`, `.md`), symbolic links to directories and everything that is neither file
    /// nor directory are passed over in directories. A path that does not exist becomes a source that cannot be opened:
    /// it is reported like any other.
    public static func expand(_ arguments: [String]) -> [LogInput] {
        arguments.flatMap { argument -> [LogInput] in
            guard argument != "-" else { return [.standardInput] }
            let path = SystemPath(argument)
            let status = FileStatus(path, followsLinks: true)
            if status?.kind == .directory { return files(under: path) }
            return [LogInput(path, size: status?.kind == .file ? status?.size : nil, isNamed: true)]
        }
    }

    private static func files(under directory: SystemPath) -> [LogInput] {
        var found: [LogInput] = []
        var pending = [directory]
        while let current = pending.popLast() {
            guard let names = entries(of: current) else {
                found.append(LogInput(current, size: nil, isNamed: true))
                continue
            }
            for name in names where isWanted(name) {
                let path = current.appending(name)
                guard let entry = FileStatus(path, followsLinks: false) else {
                    // The file has gone: opening it will say so.
                    found.append(LogInput(path, size: nil, isNamed: false))
                    continue
                }
                if entry.kind == .directory {
                    pending.append(path)
                } else if let status = FileStatus(path, followsLinks: true), status.kind == .file {
                    found.append(LogInput(path, size: status.size, isNamed: false))
                }
            }
        }
        return found.sorted { ExactName($0.name) < ExactName($1.name) }
    }

    /// False for hidden entries, and for what people write about the logs beside them: examples in it are no requests.
    private static func isWanted(_ name: [CChar]) -> Bool {
        let name = SystemPath(name).text
        return !name.hasPrefix(".") && !name.hasPrefix("README") && !name.hasSuffix(".md")
    }

    /// The names of a directory's entries, each with its NUL; nil when it cannot be read.
    private static func entries(of directory: SystemPath) -> [[CChar]]? {
        // Safe: the characters end in NUL.
        guard let stream = unsafe opendir(directory.characters) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [[CChar]] = []
        while let entry = unsafe readdir(stream) {
            // Safe: d_name ends in NUL, and is copied before the next call.
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    unsafe names.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
                }
            }
        }
        return names
    }
}

/// What stat(2) says of a path.
private struct FileStatus {
    enum Kind {
        case file
        case directory
        case other
    }

    let kind: Kind
    let size: Int

    init?(_ path: SystemPath, followsLinks: Bool) {
        var status = stat()
        // Safe: the characters end in NUL.
        let result = unsafe followsLinks ? stat(path.characters, &status) : lstat(path.characters, &status)
        guard result == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        size = Int(status.st_size)
    }
}
