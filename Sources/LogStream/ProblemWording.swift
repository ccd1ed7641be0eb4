internal import Glibc
internal import Verifications

/// The words of every problem this module reports: what happened and what to do next, never record content.
enum ProblemWording {
    enum Malformation {
        case notJSON
        case nameTooLong
    }

    static func malformed(_ cause: Malformation) -> String {
        switch cause {
        case .notJSON:
            "a record whose text is not JSON to its last byte; it is not counted. Export it again, or check what "
                + "rewrote the file"
        case .nameTooLong:
            "a verification with a project, region or function name above \(NameTable.textLimit) bytes; it is not counted"
        }
    }

    static func oversized(limit: Int) -> String {
        "a record above \(limit) bytes was passed over; if it is a log entry, raise --max-record-bytes"
    }

    static let unexpectedValue =
        "a JSON array, or a value over several lines, among lines that are one record each; it is not read. Put it into "
        + "a file of its own"

    static let unexpectedText =
        "a console line among entries in JSON; it is not read. Put the console's text into a file of its own"

    static let empty = "the file is empty: the command that wrote it failed or found nothing; run it again"

    static let unterminated =
        "the input ends inside a JSON array; normal when its writer was stopped, as gcloud logging tail is by Ctrl-C. "
        + "Every entry before that is counted"

    static func unreadable(_ errorNumber: Int32) -> String {
        "cannot be read: \(systemMessage(errorNumber)); check the path and its permissions"
    }

    static func readFailed(_ errorNumber: Int32) -> String {
        "reading stopped early: \(systemMessage(errorNumber)); what came before is counted. Read it again when the "
            + "cause is gone"
    }

    static func damage(_ damage: StreamDamage) -> String {
        let what =
            switch damage.wrapper {
            case .gzip: "gzip member"
            case .zlib: "zlib stream"
            }
        let place = "the \(what) that starts at byte \(damage.offset)"
        return switch damage.kind {
        case .truncated:
            "\(place) is cut off at byte \(damage.noticedAt); what could be decoded is counted. Fetch the file again"
        case .corrupt:
            "\(place) is corrupt near byte \(damage.noticedAt); what came before is counted, unverified from its "
                + "start\(resumption(damage.wrapper)). Fetch the file again"
        case .checksumMismatch:
            "\(place) does not match its check sum; its counts are unverified. Fetch the file again"
        case .lengthMismatch:
            "\(place) does not have the length its trailer says; its counts are unverified. Fetch the file again"
        case .trailingGarbage:
            "from byte \(damage.offset) on there is no \(what); what is there is not read\(resumption(damage.wrapper)). "
                + "Check what was appended"
        }
    }

    /// Gzip members are independent of one another; a zlib stream is all there is.
    private static func resumption(_ wrapper: Wrapper) -> String {
        wrapper == .gzip ? ", and reading goes on with the next member, if there is one" : ""
    }

    static func kind(of damage: StreamDamage) -> Problem.Kind {
        switch (damage.kind, damage.wrapper) {
        case (.truncated, .gzip): .truncatedGzip
        case (.truncated, .zlib): .truncatedZlib
        case (.corrupt, .gzip): .corruptGzip
        case (.corrupt, .zlib): .corruptZlib
        case (.checksumMismatch, .gzip): .checksumMismatchGzip
        case (.checksumMismatch, .zlib): .checksumMismatchZlib
        case (.lengthMismatch, _): .lengthMismatchGzip
        case (.trailingGarbage, .gzip): .trailingGarbageGzip
        case (.trailingGarbage, .zlib): .trailingGarbageZlib
        }
    }

    private static func systemMessage(_ errorNumber: Int32) -> String {
        // Safe: strerror returns a string that ends in NUL; it is copied at once.
        unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error \(errorNumber)"
    }
}
