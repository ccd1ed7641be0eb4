internal import Glibc
internal import Verifications

/// The words of every problem this module reports: what happened and what to do next, never record content.
enum ProblemWording {
    /// What is wrong with a record; `limit` is how many bytes the longest may have.
    static func malformed(_ cause: Malformation, limit: Int) -> String {
        switch cause {
        case .notJSON:
            "a record whose text is not JSON to its last byte; it is not counted. Export it again, or check what "
                + "rewrote the file"
        case .tooDeep:
            "a record nested deeper than \(JSONScanner.depthLimit) levels, which Cloud Logging does not write; it is not "
                + "counted. Check what rewrote the file"
        case .nameTooLong:
            "a verification with a project, region or function name above \(NameTable.textLimit) bytes, which Google "
                + "does not give; it is not counted. Check what rewrote the file"
        case .dataNotBase64:
            "a Pub/Sub message whose data is not base64 to its last byte; it is not counted. Pull it again, or check "
                + "what rewrote the file"
        case .dataNotGzip:
            "a Pub/Sub message whose data is damaged gzip; it is not counted. Pull it again, or check what rewrote the "
                + "file"
        case .dataTooLong:
            limit < PubSub.longestEntry
                ? "a Pub/Sub message whose data is above \(limit) bytes when unpacked; it is not counted. If it is a log "
                    + "entry, raise --max-record-bytes"
                : "a Pub/Sub message whose data is above \(PubSub.longestEntry) bytes when unpacked, which no log entry "
                    + "is; it is not counted. Check what published it"
        case .dataNotEntry:
            "a Pub/Sub message that shows a verification and whose data is no single log entry; it is not counted. "
                + "Publish one entry a message, as a log sink does"
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

    static let strayEntry =
        "the first record that holds a log entry inside another object or a string; such entries are not counted. Take "
        + "them out, one a line (jq -c '.. | objects, (strings | fromjson? | .. | objects) | select(.labels?)' FILE | "
        + "callcheck)"

    static let empty =
        "the file is empty: the command that wrote it failed or found nothing; run it again by itself and read what it says"

    // MARK: Sources that cannot be read

    /// What a source is, and what to do instead.
    static func unusable(_ format: UnusableFormat, name: String) -> String {
        let file = shellWord(name)
        return switch format {
        case .gzip: "gzip inside gzip: unpack it once (gzip -dc \(file) | callcheck)"
        case .compress: "data of compress: unpack it first (gzip -dc \(file) | callcheck)"
        case .zip: "a zip archive: unpack it first (unzip -p \(file) | callcheck)"
        case .sevenZip: "a 7z archive: unpack it first (7z x -so \(file) | callcheck)"
        case .xz: "xz data: unpack it first (xz -dc \(file) | callcheck)"
        case .zstd: "zstd data: unpack it first (zstd -dc \(file) | callcheck)"
        case .bzip2: "bzip2 data: unpack it first (bzip2 -dc \(file) | callcheck)"
        case .lz4: "lz4 data: unpack it first (lz4 -dc \(file) | callcheck)"
        case .tar: "a tar archive: unpack it first (tar -xOf \(file) | callcheck)"
        case .parquet:
            "a Parquet file: turn its rows into JSON first "
                + "(duckdb -c \"COPY (FROM '\(file)') TO '/dev/stdout' (FORMAT json)\" | callcheck), or \(tableExport)"
        case .avro: "an Avro file: \(tableExport)"
        case .orc: "an ORC file: \(tableExport)"
        case .utf16:
            "UTF-16 text, as > of PowerShell writes it: convert it first (iconv -f UTF-16 -t UTF-8 \(file) | callcheck)"
        case .sqlite: "a SQLite database, not a log; if it is a history, read it with callcheck report --store \(file)"
        case .pdf: "a PDF document, not a log: in Logs Explorer choose Download and then JSON, or \(freshExport)"
        case .office: "an office document, not a log: in Logs Explorer choose Download and then JSON, or \(freshExport)"
        case .picture: "a picture, not a log: in Logs Explorer choose Download and then JSON, or \(freshExport)"
        case .html:
            "an HTML page, often one to sign in or of an error, not a log: fetch the file again with what signs in by "
                + "itself (gcloud storage cp gs://BUCKET/OBJECT .)"
        case .xml:
            "XML, often Cloud Storage's answer for an object that you may not read, not a log: sign in "
                + "(gcloud auth login) and fetch it again (gcloud storage cp gs://BUCKET/OBJECT .)"
        case .errorAnswer:
            "an error answer of an API, not a log: its code and message say why. For 401 and 403 sign in "
                + "(gcloud auth login) as somebody with the role roles/logging.viewer, then fetch the export again"
        case .ownReport:
            "a report of callcheck, not a log: pass the logs that it was made from, and keep reports in a folder of "
                + "their own"
        case .errorMessage:
            "a command's error message, not a log: it says why the export failed. Run the export again by itself, and "
                + "keep standard error out of the file (no 2>&1)"
        case .csv: "CSV, whose columns leave out labels and statuses: in Logs Explorer download JSON, or \(freshExport)"
        case .yaml: "YAML, as gcloud prints it when no format is asked for: add --format=json (\(exportCommand))"
        case .drawnTable:
            "a table drawn for people, which leaves out labels and statuses: ask for --format=json (\(exportCommand))"
        case .base64:
            "base64, as it is the data of Pub/Sub messages: pull whole messages "
                + "(gcloud pubsub subscriptions pull SUBSCRIPTION --limit=1000 --format=json)"
        case .unknown: "nothing in it is a log entry in JSON, or a line of a console that is known: \(freshExport)"
        }
    }

    private static let exportCommand = "callcheck export --project PROJECT prints the command"
    private static let freshExport = "export afresh (\(exportCommand))"
    private static let tableExport =
        "export the table as JSON instead (bq extract --destination_format=NEWLINE_DELIMITED_JSON --compression=GZIP "
        + "DATASET.TABLE 'gs://BUCKET/log-*.json.gz')"

    /// A file's name as it can be typed; `FILE` for what has none, or one that would have to be quoted.
    private static func shellWord(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "@"),
                UInt8(ascii: "%"):
                true
            default: false
            }
        }
        return isPlain && !name.hasPrefix("-") ? name : "FILE"
    }

    static let unterminated =
        "the input ends inside a JSON array; normal when its writer was stopped, as gcloud logging tail is by Ctrl-C. "
        + "Every entry before that is counted"

    static func unreadable(_ errorNumber: Int32) -> String {
        let advice =
            switch errorNumber {
            case EMFILE, ENFILE: "raise the limit on open files (ulimit -n), or lower --jobs"
            case ENOENT, ENOTDIR: "correct the path, or see whether the command that writes the file has run"
            case EACCES, EPERM: "let this user read it (chmod, chown), or run as one who may"
            case ELOOP: "correct the symbolic link"
            case EIO, ESTALE, ENOTCONN, ETIMEDOUT:
                "the disk or the share that it lies on fails; read it again, or a copy of it"
            default: "run again when the cause is gone"
            }
        return "cannot be read: \(systemMessage(errorNumber)); \(advice)"
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
        case .badHeader:
            "the header of \(place) is damaged; nothing of it is counted\(resumption(damage.wrapper)). Fetch the file again"
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
        case (.badHeader, .gzip), (.corrupt, .gzip): .corruptGzip
        case (.badHeader, .zlib), (.corrupt, .zlib): .corruptZlib
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
