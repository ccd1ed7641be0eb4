import LogStream
import Platform
import Reports

/// A small text file that a run needs before it can begin: a policy, an inventory.
struct TextFile {
    let name: String
    let text: String
    /// Whom the file belongs to.
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
            let part = try TextFile.read(descriptor, atMost: min(1 << 16, limit + 1 - bytes.count), place)
            if part.isEmpty { break }
            bytes += part
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TextFile.failure(place, TextFile.encoding(of: bytes))
        }
        self.text = text
    }

    /// What a parser makes of the text; why it cannot is put into words by `message`, for the file's name.
    func parsed<Value, Fault: Error>(
        _ parse: (String) throws(Fault) -> Value, _ message: (Fault) -> (String) -> String
    ) throws(Failure) -> Value {
        do throws(Fault) {
            return try parse(text)
        } catch {
            throw Failure(status: .usage, message: message(error)(name))
        }
    }

    private static func read(_ descriptor: Int32, atMost count: Int, _ place: String) throws(Failure) -> [UInt8] {
        while true {
            if let part = FileSystem.bytes(from: descriptor, atMost: count) { return part }
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

    private static func unreadable(_ place: String, _ error: Int32, _ hint: String = "") -> Failure {
        failure(place, "cannot be read: \(systemMessage(error)); \(Messages.advice(onReading: error))\(hint)")
    }

    private static func failure(_ place: String, _ reason: String) -> Failure {
        Failure(status: .usage, message: "\(place): \(reason)")
    }
}
