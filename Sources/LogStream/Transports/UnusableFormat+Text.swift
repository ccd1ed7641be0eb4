/// How texts look that are no log.
///
/// ```
/// {"error":{"code":403,"message":"…","status":"PERMISSION_DENIED"}}             an interface's error answer
/// {"schema":"callcheck.summary/1",…                                             what callcheck itself has printed
/// ERROR: (gcloud.logging.read) PERMISSION_DENIED: …                             a command's error message
/// insertId,jsonPayload.message,jsonPayload.verifications.app,timestamp          CSV, from Logs Explorer or BigQuery
/// ---                                                                           YAML, as gcloud prints by itself
/// insertId: 68ac65d4000aea7843e7cf31
/// TIMESTAMP                    SEVERITY  LOG_NAME                               a table, as gcloud and bq draw it
/// eyJpbnNlcnRJZCI6IjY4YWM2NWQ0MDAwYWVhNzg0M2U3Y2YzMSIs…                         the data of messages alone
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
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return false }
            var isFirst = true
            var saysError = false
            while let key = try scanner.nextKey(&isFirst) {
                if key.text == "error" {
                    saysError = true
                } else if !Sample.errorKeys.contains(where: { key.text == $0 }) {
                    return false
                }
                try scanner.skipValue()
            }
            return saysError
                && (scanner.position..<body.count).allSatisfy { place in
                    JSONCursor.isWhitespace(body[place]) || (starts("[") && body[place] == UInt8(ascii: "]"))
                }
        } catch {
            return false
        }
    }

    /// What may stand beside `error`: OAuth's description (RFC 6749, section 5.2), and `firebase --json`'s status.
    private static let errorKeys: [StaticString] = [
        "error_description", "error_subtype", "error_uri", "status", "code",
    ]

    /// True for an object that callcheck has printed.
    var isOwnReport: Bool {
        var scanner = JSONScanner(JSONCursor(firstObject))
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return false }
            var isFirst = true
            guard let key = try scanner.nextKey(&isFirst), key.text == "schema" else { return false }
            return try scanner.value().text.hasPrefix("callcheck.")
        } catch {
            return false
        }
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

    /// True for a heading of columns that logs have, whatever stands between them.
    var isCSV: Bool {
        guard let head = lines.first, !head.contains(UInt8(ascii: "{")) else { return false }
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
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
    var isBase64: Bool { lines.first?.hasPrefix("eyJ") ?? false }
}
