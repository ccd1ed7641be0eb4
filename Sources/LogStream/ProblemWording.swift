internal import Platform
internal import Verifications

/// The words of every problem this module reports: what happened and what to do next, never record content.
enum ProblemWording {
    /// Describes what is wrong with a record; `limit` is the number of bytes that the longest may have.
    static func malformed(_ cause: Malformation, limit: Int) -> String {
        switch cause {
        case .notJSON:
            "a record that is not valid JSON; it is not counted. Export the log again, or check what rewrote the file"
        case .tooDeep:
            "a record nested more than \(JSONScanner.depthLimit) levels deep, which Cloud Logging never writes; it is not "
                + "counted. Check what rewrote the file"
        case .nameTooLong:
            "a verification with a project, region or function name over \(NameTable.textLimit) bytes, longer than "
                + "Google allows; it is not counted. Check what rewrote the file"
        case .dataNotBase64:
            "a Pub/Sub message whose data is not valid base64; it is not counted. Pull it again, or check what "
                + "rewrote the file"
        case .dataNotGzip:
            "a Pub/Sub message whose data is damaged gzip, or was packed in another way; it is not counted. Pull it again, "
                + "or check what published it"
        case .dataTooLong:
            limit < PubSub.longestEntry
                ? "a Pub/Sub message whose data unpacks to more than \(limit) bytes; it is not counted. If it is a log "
                    + "entry, raise max-record-bytes"
                : "a Pub/Sub message whose data unpacks to more than \(PubSub.longestEntry) bytes, longer than any log "
                    + "entry; it is not counted. Check what published it"
        case .dataTooDense:
            "a Pub/Sub message of a source whose messages unpack to over \(PubSub.mostForEachByte) times their size, as "
                + "those of a log never do; it is not counted. Check what published it"
        case .dataNotEntry:
            "a Pub/Sub message that mentions a verification but does not hold one log entry; it is not counted. "
                + "Publish one entry per message, as a log sink does"
        }
    }

    static func oversized(limit: Int) -> String {
        "a record over \(limit) bytes was skipped; if it is a log entry, raise max-record-bytes"
    }

    /// The words for all that is not read: records and files of any format.
    static let notRead =
        "callcheck does not read this format, so nothing in it is counted. Get the log as JSON: \(exportCommand); in the "
        + "Logs Explorer, download as JSON"

    static let noStatuses =
        "verifications without their statuses: the export left out jsonPayload.verifications, as a projection such as "
        + "--format='json(timestamp,labels)' does; they are not counted. Export whole entries (\(exportCommand))"

    static let cutPull =
        "the pull stopped before the end of the log, so earlier days may be missing. Follow nextPageToken to the last page, "
        + "or leave out --limit (\(exportCommand))"

    static let incompleteRecord =
        "the last record has no end: the file was cut, or is still being written. Everything before that is counted. If "
        + "nothing writes to it any more, fetch it again"

    static let noEvent =
        "the first record that is neither a Google Analytics event nor a Remote Config template; such records are not read. "
        + "Export the rows with every column (bq extract of events_ tables)"

    static let noRows =
        "it holds neither Google Analytics events nor a Remote Config template. Export the rows with bq extract "
        + "--destination_format NEWLINE_DELIMITED_JSON, or with bq query --format=json"

    static let errorAmongEntries =
        "an API's error response in the place of entries, of which any number may be missing: read the log again to its "
        + "last page"

    static let empty =
        "the file is empty: the command that wrote it failed or found nothing. Run it again on its own and read its output"

    static let emptyPipe = "nothing came: check whether the command before the pipe failed"

    // MARK: Sources that cannot be read

    static func unusable(_ format: UnusableFormat, name: String, isInGzip: Bool) -> String {
        let file = shellWord(name)
        func unpacked(by program: String) -> String {
            isInGzip ? "gzip -dc \(file) | \(program) -dc | callcheck" : "\(program) -dc \(file) | callcheck"
        }
        return switch format {
        case .gzip: "gzip inside gzip: unpack it once (gzip -dc \(file) | callcheck)"
        case .zip:
            "a zip archive: unpack it first ("
                + (isInGzip ? "gzip -dc \(file) | funzip | callcheck)" : "unzip -p \(file) | callcheck)")
        case .xz: "xz data: unpack it first (\(unpacked(by: "xz")))"
        case .zstd: "zstd data: unpack it first (\(unpacked(by: "zstd")))"
        case .bzip2: "bzip2 data: unpack it first (\(unpacked(by: "bzip2")))"
        case .tar: "a tar archive: unpack it first (tar -xOf \(file) | callcheck)"
        case .parquet:
            "a Parquet file: turn its rows into JSON first "
                + "(duckdb -c \"COPY (FROM '\(file)') TO '/dev/stdout' (FORMAT json)\" | callcheck), or \(tableExport)"
        case .avro: "an Avro file: \(tableExport)"
        case .utf16:
            "UTF-16 text, as PowerShell's > writes it: convert it first (gzip -dcf \(file) | iconv -f UTF-16 "
                + "-t UTF-8 | callcheck)"
        case .utf32:
            "UTF-32 text: convert it first (gzip -dcf \(file) | iconv -f UTF-32 -t UTF-8 | callcheck)"
        case .sqlite: "a SQLite database, not a log; if it is a callcheck store, unpack it and name the file"
        case .encoded: "encrypted or encoded text, or a pointer to a file of Git LFS: decode or fetch it first"
        case .errorAnswer:
            "an API's error response, not a log: its code and message say why. For 401 and 403, sign in "
                + "(gcloud auth login) with an account that has roles/logging.viewer, then export again"
        case .unknown: notRead
        }
    }

    private static let exportCommand = "callcheck export --project PROJECT prints the command"
    private static let tableExport =
        "export the table as JSON instead (bq extract --destination_format=NEWLINE_DELIMITED_JSON --compression=GZIP "
        + "DATASET.TABLE 'gs://BUCKET/log-*.json.gz')"

    /// A file's name as it can be typed; `FILE` for what has none, or one that would have to be quoted.
    private static func shellWord(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0.isLetterOrDigit || "+,-./:_=@%".utf8.contains($0) }
        return isPlain && !name.hasPrefix("-") ? name : "FILE"
    }

    static let unterminated =
        "the input ends inside a JSON array; this is normal when gcloud logging tail was stopped with Ctrl-C. Every "
        + "entry before that is counted"

    static func unreadable(_ errorNumber: Int32, isLink: Bool = false) -> String {
        if isLink, errorNumber == ENOENT {
            return "cannot be read: the symbolic link leads to nothing; correct it, or remove it"
        }
        let advice =
            switch errorNumber {
            case EMFILE, ENFILE: "raise the limit on open files (ulimit -n), or lower --jobs"
            case ENOENT, ENOTDIR: "correct the path, or check whether the command that writes the file has run"
            case EACCES, EPERM: "let this user read it (chmod, chown), or run as a user who can"
            case ELOOP: "correct the symbolic link"
            case EIO, ESTALE, ENOTCONN, ETIMEDOUT:
                "its disk or network share is failing; try again, or read a copy"
            default: "fix the cause and run again"
            }
        return "cannot be read: \(systemMessage(errorNumber)); \(advice)"
    }

    static func readFailed(_ errorNumber: Int32) -> String {
        "reading stopped early: \(systemMessage(errorNumber)); what came before is counted. Fix the cause and run "
            + "again"
    }

    static func damage(_ damage: StreamDamage) -> String {
        let what =
            switch damage.format {
            case .gzip: "gzip member"
            case .zlib: "zlib stream"
            }
        let place = "the \(what) that starts at byte \(damage.offset)"
        return switch damage.kind {
        case .truncated:
            "\(place) is cut off at byte \(damage.noticedAt); what could be decoded is counted. Fetch the file again"
        case .badHeader:
            "the header of \(place) is damaged; nothing of it is counted\(resumption(damage.format)). Fetch the file again"
        case .corrupt:
            "\(place) is corrupt near byte \(damage.noticedAt); what came before is counted but unverified from its "
                + "start\(resumption(damage.format)). Fetch the file again"
        case .checksumMismatch:
            "\(place) does not match its checksum; its counts are unverified. Fetch the file again"
        case .lengthMismatch:
            "\(place) does not have the length that its trailer gives; its counts are unverified. Fetch the file again"
        case .trailingGarbage:
            "the bytes from \(damage.offset) on are not a \(what) and are not read\(resumption(damage.format)). "
                + "Check what was appended"
        }
    }

    /// Gzip members are independent of one another; a zlib stream is all there is.
    private static func resumption(_ format: CompressionFormat) -> String {
        format == .gzip ? ", and reading continues with the next member, if any" : ""
    }

    static func kind(of damage: StreamDamage) -> Problem.Kind {
        switch (damage.kind, damage.format) {
        case (.truncated, .gzip): .truncatedGzip
        case (.truncated, .zlib): .truncatedZlib
        case (.badHeader, .gzip), (.corrupt, .gzip): .corruptGzip
        case (.badHeader, .zlib), (.corrupt, .zlib): .corruptZlib
        case (.checksumMismatch, .gzip): .checksumMismatchGzip
        case (.checksumMismatch, .zlib): .checksumMismatchZlib
        case (.lengthMismatch, _): .lengthMismatchGzip
        case (.trailingGarbage, .gzip): .trailingGarbageGzip
        case (.trailingGarbage, .zlib): .trailingGarbageZlib
        }
    }
}

/// Why a verification could not be read, so that it counts as malformed.
enum Malformation {
    case notJSON
    /// More containers are open at once than ``JSONScanner/depthLimit``.
    case tooDeep
    /// A name that would be kept is longer than ``NameTable/textLimit``.
    case nameTooLong
    case dataNotBase64
    case dataNotGzip
    /// The data of a Pub/Sub message is compressed and longer than a record may be.
    case dataTooLong
    /// The data of a Pub/Sub message is compressed, and the source has unpacked to more than logs ever do.
    case dataTooDense
    /// The data of a Pub/Sub message shows a verification and is not an object.
    case dataNotEntry

    var hidesText: Bool {
        switch self {
        case .dataNotBase64, .dataNotGzip, .dataTooLong, .dataTooDense: true
        case .notJSON, .tooDeep, .nameTooLong, .dataNotEntry: false
        }
    }
}
