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
            guard let status = FileStatus(argument, followsLinks: true) else { return [.file(argument)] }
            switch status.kind {
            case .directory: return files(under: argument)
            case .file: return [LogInput(name: argument, size: status.size, isNamed: true)]
            case .other: return [.file(argument)]
            }
        }
    }

    private static func files(under directory: String) -> [LogInput] {
        var found: [LogInput] = []
        var pending = [directory]
        while let current = pending.popLast() {
            guard let names = entries(of: current) else {
                found.append(LogInput(name: current, size: nil, isNamed: true))
                continue
            }
            for name in names where !name.hasPrefix(".") && !isDescription(name) {
                let path = current.hasSuffix("/") ? current + name : current + "/" + name
                guard let entry = FileStatus(path, followsLinks: false) else {
                    // The name is not UTF-8, or the file has gone: opening it will say so.
                    found.append(LogInput(name: path, size: nil, isNamed: false))
                    continue
                }
                if entry.kind == .directory {
                    pending.append(path)
                } else if let status = FileStatus(path, followsLinks: true), status.kind == .file {
                    found.append(LogInput(name: path, size: status.size, isNamed: false))
                }
            }
        }
        return found.sorted { ExactName($0.name) < ExactName($1.name) }
    }

    /// True for what people write about the logs beside them: examples in it are no requests.
    private static func isDescription(_ name: String) -> Bool {
        name.hasPrefix("README") || name.hasSuffix(".md")
    }

    private static func entries(of directory: String) -> [String]? {
        guard let stream = unsafe opendir(directory) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // Safe: d_name ends in NUL, and is copied before the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
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

    init?(_ path: String, followsLinks: Bool) {
        var status = stat()
        let result = followsLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        guard result == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        size = Int(status.st_size)
    }
}
