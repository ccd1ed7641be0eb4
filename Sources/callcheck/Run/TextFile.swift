import LogStream
import Platform
import Reports

/// A small text file that a run needs before it can begin: a policy, an inventory.
struct TextFile {
    /// The path as typed, printable.
    let name: String
    let text: String

    /// Reads the whole file, once: it may be a pipe (`--policy <(…)`).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - option: The option that names it.
    ///   - limit: How many bytes are read at most; of a longer file one more byte, so that the parser notices.
    /// - Throws: ``Failure`` with the status of a wrong command line.
    init(_ path: String, of option: String, limit: Int) throws(Failure) {
        name = DisplayText(name: path).text
        let place = "\(option) \(name)"
        let descriptor = unsafe open(SystemPath(path).characters, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TextFile.unreadable(place, errno, MistypedName.file(near: path)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let part = try TextFile.read(descriptor, atMost: min(1 << 16, limit + 1 - bytes.count), place)
            if part.isEmpty { break }
            bytes += part
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TextFile.failure(place, TextFile.encoding(of: bytes))
        }
        self.text = text
    }

    private static func read(_ descriptor: Int32, atMost count: Int, _ place: String) throws(Failure) -> [UInt8] {
        while true {
            var part = [UInt8](repeating: 0, count: count)
            // Safe: read(2) writes at most as many bytes as the array has.
            let length = unsafe Platform.read(descriptor, &part, count)
            if length >= 0 { return Array(part[..<length]) }
            if errno != EINTR { throw unreadable(place, errno) }
        }
    }

    /// What bytes that are not UTF-8 seem to be.
    private static func encoding(of bytes: [UInt8]) -> String {
        switch Array(bytes.prefix(2)) {
        case [0xff, 0xfe], [0xfe, 0xff]: "UTF-16 text, as PowerShell writes it; save the file as UTF-8"
        case [0x1f, 0x8b]: "gzip data, not text; is this the right file?"
        default: "not UTF-8 text; is this the right file?"
        }
    }

    private static func unreadable(_ place: String, _ error: Int32, _ nearest: String? = nil) -> Failure {
        let hint = nearest.map { ". Did you mean \(DisplayText(name: $0).text)?" } ?? ""
        return failure(place, "cannot be read: \(systemMessage(error)); \(Messages.advice(onReading: error))\(hint)")
    }

    private static func failure(_ place: String, _ reason: String) -> Failure {
        Failure(status: .usage, message: "\(place): \(reason)")
    }
}
