/// Files that people pass to log readers and that cannot be read as a log: each has a name and advice.
///
/// The bytes that give the binary ones away, in hexadecimal:
///
/// ```
/// gzip     1F 8B                zip    50 4B 03 04 (PK), empty 50 4B 05 06    Parquet  50 41 52 31 (PAR1)
/// xz       FD 37 7A 58 5A 00    zstd   28 B5 2F FD                            Avro     4F 62 6A 01 (Obj)
/// bzip2    42 5A 68 31-39 (BZh) tar    "ustar" at byte 257                    SQLite   "SQLite format 3", 00
/// UTF-16   FF FE or FE FF, or 00 in it
/// ```
///
/// Sources: the formats' specifications, as file(1) collects them. A new one is a case, a row, and its words in
/// ``ProblemWording``.
enum UnusableFormat: CaseIterable, Sendable {
    // Something packed, which may well hold a log.
    case gzip, zip, xz, zstd, bzip2, tar
    // Tables in separate files.
    case parquet, avro
    // Text in another encoding.
    case utf16
    // Another thing.
    case sqlite
    // Text that is not a log.
    case html, xml, errorAnswer, ownReport, errorMessage, csv, yaml, drawnTable, pythonObjects, base64, unknown

    /// What a source is, decided before any readable format is tried; nil when it may be a log.
    init?(startOf sample: Sample) {
        guard let format = SampleRule.first(of: UnusableFormat.rules, fitting: sample) else { return nil }
        self = format
    }

    private static let rules: [SampleRule<UnusableFormat>] = [
        SampleRule(.gzip) { $0.starts(0x1F, 0x8B) },
        // Documents are zip archives as well, and start with a file of this name.
        SampleRule(.unknown) {
            $0.starts("PK") && ($0.holds("[Content_Types].xml", at: 30) || $0.holds("mimetype", at: 30))
        },
        SampleRule(.zip) { $0.starts(0x50, 0x4B, 0x03, 0x04) || $0.starts(0x50, 0x4B, 0x05, 0x06) },
        SampleRule(.xz) { $0.starts(0xFD, 0x37, 0x7A, 0x58, 0x5A) },
        SampleRule(.zstd) { $0.starts(0x28, 0xB5, 0x2F, 0xFD) },
        SampleRule(.bzip2) { $0.starts("BZh") },
        SampleRule(.tar) { $0.holds("ustar", at: 257) && $0.hasTarChecksum },
        SampleRule(.parquet) { $0.starts("PAR1") },
        SampleRule(.avro) { $0.starts(0x4F, 0x62, 0x6A, 1) },
        SampleRule(.sqlite) { $0.starts("SQLite format 3") },
        SampleRule(.utf16) { $0.isUTF16 },
        SampleRule(.xml) { $0.starts("<?xml") },
        SampleRule(.html) { $0.starts("<") },
        SampleRule(.pythonObjects) { $0.starts("{'") || $0.starts("[{'") },
        SampleRule(.errorAnswer) { $0.isErrorAnswer },
        SampleRule(.ownReport) { $0.isOwnReport },
    ]

    /// What a text is in which nothing that can be read was found.
    init(textOf sample: Sample) {
        self =
            if sample.isErrorMessage {
                .errorMessage
            } else if sample.isYAML {
                .yaml
            } else if sample.isDrawnTable {
                .drawnTable
            } else if sample.isCSV {
                .csv
            } else if sample.isBase64 {
                .base64
            } else {
                .unknown
            }
    }

    /// True if it is unknown how many verifications it holds.
    var hidesText: Bool {
        switch self {
        case .gzip, .zip, .xz, .zstd, .bzip2, .tar, .parquet, .avro: true
        default: self == .base64
        }
    }

    /// True when it may be a log in a form that cannot be read, regardless of its name: such a file is reported even
    /// where it was only found in a directory.
    var mayBeLog: Bool {
        hidesText || self == .utf16 || self == .csv || self == .yaml || self == .drawnTable || self == .pythonObjects
    }

    /// Looks for markers in the text; in UTF-16 their letters have zeros between them.
    func search(_ text: RawText, _ skipped: inout SkippedText) {
        guard self == .utf16 else { return skipped.append(text) }
        let letters = ByteCollector(unsafe text.buffer.filter { $0 != 0 })
        skipped.append(letters.text)
    }
}

extension Sample {
    /// True when the first 512 bytes add up to what they say of themselves, in octal digits at byte 148, with spaces in
    /// the place of these: the header of a tar archive (POSIX.1-2017, pax, ustar interchange format).
    ///
    /// A log may well have any word at any place.
    fileprivate var hasTarChecksum: Bool {
        let field = 148..<156
        guard text.count >= 512 else { return false }
        let sum = (0..<512).reduce(0) { $0 + (field.contains($1) ? 0x20 : Int(text[$1])) }
        let digits = field.map { text[$0] }.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        return digits.reduce(0) { $0 * 8 + Int($1 - 0x30) } == sum
    }
}

/// How texts look that are not a log.
///
/// ```
/// {"error":{"code":403,"message":"…","status":"PERMISSION_DENIED"}}             an interface's error answer
/// {"schema":"callcheck.report/4",…                                              what callcheck itself has printed
/// ERROR: (gcloud.logging.read) PERMISSION_DENIED: …                             a command's error message
/// insertId,jsonPayload.message,jsonPayload.verifications.app,timestamp          CSV, from Logs Explorer or BigQuery
/// ---                                                                           YAML, as gcloud prints by itself
/// insertId: 68ac65d4000aea7843e7cf31
/// TIMESTAMP                    SEVERITY  LOG_NAME                               a table, as gcloud and bq draw it
/// eyJpbnNlcnRJZCI6IjY4YWM2NWQ0MDAwYWVhNzg0M2U3Y2YzMSIs…                         the data of messages alone
/// {'insertId': '68ac65d4000aea7843e7cf31', 'labels': {…}}                       entries as Python prints objects
/// ```
extension Sample {
    /// True for text in two bytes a character, with a byte order mark or without.
    var isUTF16: Bool {
        if starts(0xFF, 0xFE) || starts(0xFE, 0xFF) { return true }
        // Without a mark, ASCII shows every other byte as 0.
        return text.count >= 4 && (text[0] == 0) != (text[1] == 0) && (text[2] == 0) == (text[0] == 0)
            && (text[3] == 0) == (text[1] == 0)
    }

    /// True for an object that says what went wrong and nothing else, in an array or not.
    var isErrorAnswer: Bool {
        let body = firstObject
        var scanner = JSONScanner(JSONCursor(body))
        guard !body.hasMember({ key, _ in !Sample.errorKeys.contains { key == $0 } }),
            body.hasMember({ key, _ in key == "error" }), (try? scanner.skipValue()) != nil
        else { return false }
        return body.cut(scanner.position..<body.count).allSatisfy {
            JSONCursor.isWhitespace($0) || starts("[") && $0 == .closeBracket
        }
    }

    /// The key `error`, and those that may accompany it: OAuth's description (RFC 6749, section 5.2), and the status of
    /// `firebase --json`.
    private static let errorKeys: [StaticString] = [
        "error", "error_description", "error_subtype", "error_uri", "status", "code",
    ]

    /// True for an object that callcheck has printed.
    var isOwnReport: Bool {
        firstObject.firstAnswer { (key, scanner) throws(JSONFailure) in
            guard key == "schema" else { return false }
            return try scanner.value().text.hasPrefix("callcheck.")
        } ?? false
    }

    /// True for what a command says on standard error, when that went into the file.
    var isErrorMessage: Bool {
        guard let line = lines.first else { return false }
        return Sample.errorStarts.contains { line.hasPrefix($0) } || line.holds("command not found")
            || Sample.exceptions.contains { line.holds($0) }
    }

    private static let errorStarts: [StaticString] = [
        "ERROR: (gcloud", "ERROR: ", "Error: ", "BigQuery error in ", "Traceback (most recent call last)",
        "Your browser has been opened to visit",
    ]
    private static let exceptions: [StaticString] = [
        "AccessDeniedException: ", "BadRequestException: ", "BucketNotFoundException: ", "CommandException: ",
        "NotFoundException: ", "ServiceException: ", "Reauthentication required",
    ]

    /// True for a heading of columns that logs have, with any separators.
    var isCSV: Bool {
        guard let head = lines.first, !head.contains(.openBrace) else { return false }
        let separators = [.comma, UInt8(ascii: ";"), 0x09]
        guard separators.contains(where: { head.contains($0) }) else { return false }
        return Sample.columns.contains { head.holds($0) }
    }

    private static let columns: [StaticString] = [
        "timestamp", "Timestamp", "insertId", "insert_id", "InsertId", "logName", "log_name", "severity", "Severity",
        "jsonPayload", "json_payload", "textPayload", "text_payload", "firebase-log-type", "firebase_log_type",
    ]

    /// True for an entry's fields, each a name and a colon at the beginning of a line.
    var isYAML: Bool {
        let fields: [StaticString] = ["insertId: ", "logName: projects/", "jsonPayload:", "textPayload: "]
        return lines.contains { line in
            let field = line.hasPrefix("- ") ? line.cut(2..<line.count) : line
            return fields.contains { field.hasPrefix($0) }
        }
    }

    /// True for a table in a frame, or under a heading in capitals.
    var isDrawnTable: Bool {
        guard let head = lines.first else { return false }
        if head.hasPrefix("+--") || head.hasPrefix("┌─") { return true }
        let headings: [StaticString] = ["TIMESTAMP", "TIME_UTC", "SEVERITY", "LOG_NAME", "INSERT_ID", "TEXT_PAYLOAD"]
        let isCapital = (0..<head.count).allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(head[$0]) || head[$0] == UInt8(ascii: "_")
                || head[$0] == UInt8(ascii: " ")
        }
        return isCapital && headings.contains { head.holds($0) }
    }

    /// True for lines that each spell an object in base64.
    var isBase64: Bool { lines.first.map(HiddenText.isBase64) ?? false }
}
