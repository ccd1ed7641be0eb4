/// The system's calls on files and descriptors, each made safe.
///
/// A path is the bytes of a name with a NUL after them. Where a call fails, `errno` has the system's number.
package enum FileSystem {
    /// A new descriptor; a negative number where the file cannot be opened.
    package static func descriptor(of path: [CChar], _ flags: Int32, mode: mode_t = 0) -> Int32 {
        unsafe open(path, flags | O_CLOEXEC, mode)
    }

    /// At most this many bytes, none at the end; nil if reading fails.
    package static func bytes(from descriptor: Int32, atMost count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: read(2) writes at most as many bytes as the array has.
        let length = unsafe read(descriptor, &bytes, count)
        return length < 0 ? nil : Array(bytes[..<length])
    }

    /// Writes the bytes from `start` on; returns how many were written, or a negative number if that fails.
    package static func put(_ bytes: [UInt8], from start: Int, to descriptor: Int32) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
            return unsafe write(descriptor, rest.baseAddress, rest.count)
        }
    }

    /// The first bytes of a regular file; nil where it cannot be read.
    package static func beginning(of path: [CChar], atMost count: Int) -> [UInt8]? {
        guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = descriptor(of: path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return bytes(from: descriptor, atMost: count)
    }

    // Safe: the path ends in NUL, and the structure is filled.
    package static func status(of path: [CChar]) -> stat? { filled { unsafe stat(path, &$0) } }
    package static func status(of descriptor: Int32) -> stat? { filled { unsafe fstat(descriptor, &$0) } }
    /// The status of the path itself, even if it is a symbolic link.
    package static func status(ofLink path: [CChar]) -> stat? { filled { unsafe lstat(path, &$0) } }

    private static func filled(_ fill: (inout stat) -> Int32) -> stat? {
        var status = stat()
        return fill(&status) == 0 ? status : nil
    }

    /// The path from the root, without links; nil where there is nothing.
    package static func absolute(_ path: [CChar]) -> [UInt8]? {
        // Safe: without a buffer, realpath returns a string that ends in NUL, freed here.
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) }
    }

    /// True if this user has the access that `mode` names: `F_OK`, `R_OK`, `W_OK`.
    package static func permits(_ path: [CChar], _ mode: Int32) -> Bool { unsafe access(path, mode) == 0 }
    package static func setMode(_ mode: mode_t, of path: [CChar]) -> Bool { unsafe chmod(path, mode) == 0 }

    /// Gives a file to somebody else; only root may.
    package static func setOwner(_ owner: uid_t, group: gid_t, of path: [CChar]) {
        _ = unsafe chown(path, owner, group)
    }

    package static func move(_ path: [CChar], to target: [CChar]) -> Bool {
        unsafe rename(path, target) == 0
    }

    package static func remove(_ path: [CChar]) { unsafe unlink(path) }

    /// Returns the target of the symbolic link; nil if there is no such link.
    package static func target(ofLink path: [CChar]) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: readlink writes at most as many bytes as there is room for.
        let length = unsafe readlink(path, &buffer, buffer.count)
        return length < 0 ? nil : buffer[..<length].map { UInt8(bitPattern: $0) }
    }

    /// The names of the visible entries of a directory; none when it cannot be read.
    package static func names(in directory: [CChar], limit: Int) -> [String] {
        entries(of: directory, limit: limit) { $0.first != CChar(bitPattern: UInt8(ascii: ".")) }.names.map { name in
            String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The names of those entries of a directory that are wanted, each with its NUL, and the system's error number when
    /// there may be more that could not be read.
    package static func entries(
        of directory: [CChar], limit: Int = .max, _ isWanted: ([CChar]) -> Bool
    ) -> (names: [[CChar]], error: Int32?) {
        guard let stream = unsafe opendir(directory) else { return ([], errno) }
        defer { unsafe closedir(stream) }
        var names: [[CChar]] = []
        while names.count < limit {
            // Only the number distinguishes the end from an error.
            errno = 0
            guard let entry = unsafe readdir(stream) else { return (names, errno == 0 ? nil : errno) }
            // Safe: d_name ends in NUL, and is copied before the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    unsafe Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
                }
            }
            if isWanted(name) { names.append(name) }
        }
        return (names, nil)
    }

    /// Returns the input events that poll(2) reports within some time; 0 for none.
    package static func inputEvents(on descriptor: Int32, within milliseconds: Int32) -> Int32 {
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Safe: there is one structure.
        return unsafe poll(&input, 1, milliseconds) > 0 ? Int32(input.revents) : 0
    }
}
