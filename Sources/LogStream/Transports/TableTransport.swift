internal import Verifications

/// Reads rows of CSV whose columns are fields of entries, as Logs Explorer downloads them and `gcloud` prints them.
///
/// ```
/// insertId,jsonPayload.verifications.app,labels.firebase-log-type,logName,resource.labels.service_name,timestamp
/// 68ac,MISSING,callable-request-verification,projects/PROJ/logs/run.googleapis.com%2Fstdout,add,2025-08-25T13:32:04Z
///
/// timestamp,labels,json_payload
/// 2025-08-25T13:32:04Z,execution_id=a1;firebase-log-type=callable-request-verification,"message=Callable …
/// ```
///
/// A column is the path of a field. `gcloud` shortens it to the end that tells it from the columns before, in snake
/// case. A cell with several fields holds JSON or, from `gcloud`, `key=value` with semicolons between; a value with a
/// comma, a quote or a semicolon is quoted by itself there. Sources: RFC 4180; the Cloud SDK, `csv_printer.py` and
/// `resource_projection_parser.py`.
///
/// A row ends where a line ends outside of quotes. Nothing after a quote in the wrong place is read: one was lost, so
/// that what looks like a row may be text that a client sent.
struct TableReader {
    private(set) var heading: TableHeading
    let rows = RowCollector()
    /// True after a quote in the wrong place.
    private(set) var isLost = false

    /// Recognises a table by its first line; nil for everything else, and for one without labels or statuses.
    init?(_ sample: Sample) {
        guard let line = sample.lines.first, let heading = TableHeading(line) else { return nil }
        self.heading = heading
    }

    /// Takes the next line; returns the row that ends with it.
    mutating func take(_ line: RawText, offset: Int, limit: Int) -> RawText? {
        // A second table behind the first.
        if !rows.isOpen, TableHeading.mayBe(line), let next = TableHeading(line) {
            heading = next
            return nil
        }
        return rows.take(line, offset: offset, limit: limit)
    }

    /// Gives up what follows: it may be the rest of a quoted cell.
    mutating func lose() {
        rows.lose()
        isLost = true
    }
}

/// Puts rows of CSV together: where a quoted cell goes on in the next line, so does the row.
final class RowCollector {
    private var collected = ByteCollector()
    /// True after a line that a row goes on after.
    private(set) var isOpen = false
    /// Where the row starts in the plain bytes.
    private(set) var offset = 0

    /// The row so far, where it has several lines.
    var text: RawText { collected.text }

    /// Takes the next line.
    ///
    /// - Returns: The row that ends with it, which is valid until the next line, or its beginning if that is longer
    ///   than the limit; nil while it goes on.
    func take(_ line: RawText, offset: Int, limit: Int) -> RawText? {
        let wasOpen = isOpen
        if !wasOpen { self.offset = offset }
        for index in 0..<line.count where line[index] == .quote { isOpen.toggle() }
        var row = line
        if wasOpen || isOpen {
            if wasOpen { collected.append(RawText("\n")) } else { collected.removeAll() }
            collected.append(line)
            row = collected.text
        }
        if row.count > limit {
            isOpen = false
            return row
        }
        if isOpen { return nil }
        return row.last == UInt8(ascii: "\r") ? row.cut(0..<row.count - 1) : row
    }

    /// Gives up the row, which has no end.
    func lose() { isOpen = false }
}

/// The columns of a table.
struct TableHeading {
    private enum Column {
        case field(TableField)
        /// Several fields, whose paths begin like this.
        case fields(String)
    }

    private let columns: [Column?]
    private let separator: UInt8

    /// Longer lines are no headings: entries have some forty fields.
    private static let longest = 8 << 10

    /// False for nearly all rows.
    static func mayBe(_ line: RawText) -> Bool {
        line.count <= longest && !line.contains(UInt8(ascii: "=")) && (line.holds("abels") || line.holds("irebase"))
    }

    /// Reads the names of columns; nil unless there are labels and statuses among them.
    init?(_ line: RawText) {
        guard line.count <= TableHeading.longest else { return nil }
        for separator in [UInt8.comma, UInt8(ascii: ";"), 0x09] {
            let columns = line.cells(separatedBy: separator).map { TableHeading.column(named: $0) }
            // gcloud names labels and the resource's labels alike where both come in an unusual order.
            let labels = columns.count { if case .fields("labels") = $0 { true } else { false } }
            func holds(_ path: String) -> Bool {
                columns.contains { column in
                    switch column {
                    case .field(let field): field.path == path
                    case .fields(let beginning): path.hasPrefix(beginning + ".")
                    case nil: false
                    }
                }
            }
            let hasStatus = holds("jsonPayload.verifications.app") || holds("jsonPayload.verifications.appCheck")
            guard hasStatus, holds("labels.firebase-log-type"), labels < 2 else { continue }
            self.columns = columns
            self.separator = separator
            return
        }
        return nil
    }

    private static func column(named name: RawText) -> Column? {
        let name = TableField.plain(name.string)
        if let field = TableField.named(name) { return .field(field) }
        switch name {
        case "labels", "resource": return .fields(name)
        case "resourcelabels", "labelsresource": return .fields("resource.labels")
        case "jsonpayload": return .fields("jsonPayload")
        case "verifications", "jsonpayloadverifications": return .fields("jsonPayload.verifications")
        case "httprequest": return .fields("httpRequest")
        default: return nil
        }
    }

    /// The cells of a row; empty if a quote is in the wrong place.
    func cells(of row: RawText) -> [RawText] { row.cells(separatedBy: separator) }

    /// Fills the fields of an entry from the cells of a row.
    ///
    /// - Returns: False where the row is none of this table, or shows a verification where none can be.
    func read(_ cells: [RawText], into reader: inout EntryReader) throws(JSONFailure) -> Bool {
        guard cells.count == columns.count else { return false }
        for (column, cell) in zip(columns, cells) where !cell.isEmpty {
            switch column {
            case .field(let field): reader.fields[keyPath: field.place] = reader.cell(cell)
            case .fields(let path): try reader.readCell(cell, of: path)
            case nil: break
            }
        }
        if let label = reader.string(reader.fields.labels.logType) { return label == Marker.label }
        return zip(columns, cells).allSatisfy { column, cell in
            if case .field(let field) = column, field.isWrittenByClients { return true }
            if case .fields = column { return true }
            return !Marker.shows(in: cell)
        }
    }
}

/// A field of an entry: its path, and where it is kept.
struct TableField: Sendable {
    let path: String
    let place: any WritableKeyPath<EntryFields, JSONValue> & Sendable
    /// True for text that may contain anything.
    let isWrittenByClients: Bool

    private init(
        _ path: String, _ place: any WritableKeyPath<EntryFields, JSONValue> & Sendable,
        isWrittenByClients: Bool = false
    ) {
        (self.path, self.place, self.isWrittenByClients) = (path, place, isWrittenByClients)
    }

    private static let all = [
        TableField("insertId", \.insertId),
        TableField("logName", \.logName),
        TableField("timestamp", \.timestamp),
        TableField("receiveTimestamp", \.receiveTimestamp),
        TableField("severity", \.severity),
        TableField("trace", \.trace),
        TableField("spanId", \.spanID),
        TableField("textPayload", \.text, isWrittenByClients: true),
        TableField("jsonPayload.message", \.payload.message, isWrittenByClients: true),
        TableField("jsonPayload.verifications.app", \.payload.verifications.app),
        TableField("jsonPayload.verifications.appCheck", \.payload.verifications.appCheck),
        TableField("jsonPayload.verifications.auth", \.payload.verifications.auth),
        TableField("labels.firebase-log-type", \.labels.logType),
        TableField("labels.goog-drz-cloudfunctions-id", \.labels.functionID),
        TableField("labels.execution_id", \.labels.executionID),
        TableField("labels.instanceId", \.labels.instanceID),
        TableField("resource.type", \.resource.type),
        TableField("resource.labels.project_id", \.resource.labels.projectID),
        TableField("resource.labels.function_name", \.resource.labels.functionName),
        TableField("resource.labels.region", \.resource.labels.region),
        TableField("resource.labels.service_name", \.resource.labels.serviceName),
        TableField("resource.labels.location", \.resource.labels.location),
        TableField("resource.labels.revision_name", \.resource.labels.revisionName),
        TableField("httpRequest.requestMethod", \.request.method),
        TableField("httpRequest.requestUrl", \.request.url, isWrittenByClients: true),
        TableField("httpRequest.status", \.request.status),
        TableField("httpRequest.userAgent", \.request.userAgent, isWrittenByClients: true),
        TableField("httpRequest.referer", \.request.referer, isWrittenByClients: true),
        TableField("httpRequest.remoteIp", \.request.address),
    ]

    static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
    /// By the whole path, as ``plain(_:)`` leaves it.
    private static let byPlainPath = Dictionary(uniqueKeysWithValues: all.map { (plain($0.path), $0) })
    /// By the last piece of it.
    private static let byEnd = Dictionary(
        uniqueKeysWithValues: all.map { (plain(String($0.path.split(separator: ".").last ?? "")), $0) })

    /// The field of which this is the whole path or its end, as ``plain(_:)`` leaves them.
    static func named(_ name: String) -> TableField? { byPlainPath[name] ?? byEnd[name] }

    /// The letters and digits of a name, in lower case: camel case and snake case are the same then.
    static func plain(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    }
}

extension EntryReader {
    fileprivate func cell(_ cell: RawText) -> JSONValue {
        JSONValue(kind: .string, text: cell.withoutQuotes(scratch))
    }

    /// Reads a cell with several fields, of which the paths begin like this.
    fileprivate mutating func readCell(_ cell: RawText, of path: String) throws(JSONFailure) {
        let whole = cell.withoutQuotes(scratch)
        if whole.first == .openBrace {
            let outer = scanner
            scanner = JSONScanner(JSONCursor(whole))
            try readObject(at: path)
            guard scanner.isAtEnd() else { throw JSONFailure() }
            scanner = outer
            return
        }
        let pairs = cell.cells(separatedBy: UInt8(ascii: ";")).map { $0.withoutQuotes(scratch) }
        // A client's key may hold the sign that ends it: a payload with other keys than the SDK's is not the SDK's.
        guard path != "jsonPayload" || pairs.count < 3 else {
            fields.payload.message = JSONValue(kind: .string, text: .unknown)
            return
        }
        for pair in pairs {
            guard let sign = pair.index(of: UInt8(ascii: "="), from: 0) else { continue }
            set("\(path).\(pair.cut(0..<sign).string)", to: pair.cut(sign + 1..<pair.count))
        }
    }

    /// Sets a field; a value may be a map, as Python prints it: `{'app': 'VALID', 'auth': 'VALID'}`.
    private mutating func set(_ path: String, to value: RawText) {
        if let field = TableField.byPath[path] {
            fields[keyPath: field.place] = JSONValue(kind: .string, text: value)
            return
        }
        guard value.first == .openBrace, value.last == .closeBrace else { return }
        var key: RawText?
        var index = 1
        while index < value.count {
            let quote = value[index]
            index += 1
            guard quote == .quote || quote == UInt8(ascii: "'"), let end = value.index(of: quote, from: index) else {
                if quote == .comma { key = nil }
                continue
            }
            let text = value.cut(index..<end)
            index = end + 1
            guard let name = key else {
                key = text
                continue
            }
            if let field = TableField.byPath["\(path).\(name.string)"] {
                fields[keyPath: field.place] = JSONValue(kind: .string, text: text)
            }
            key = nil
        }
    }
}

extension RawText {
    /// The pieces between separators outside of quotes.
    ///
    /// A quote opens at the beginning of a cell, or of a pair in one, and closes at its end: anything else shows that
    /// one was lost.
    ///
    /// - Returns: Empty if a quote is anywhere else.
    func cells(separatedBy separator: UInt8) -> [RawText] {
        var (cells, start, index, isQuoted) = ([RawText](), 0, 0, false)
        func isEdge(_ place: Int) -> Bool {
            place < 0 || place >= count || self[place] == separator || self[place] == UInt8(ascii: ";")
        }
        while index < count {
            if self[index] == .quote {
                let isPair = isQuoted && index + 1 < count && self[index + 1] == .quote
                guard isPair || isEdge(isQuoted ? index + 1 : index - 1) else { return [] }
                if isPair { index += 1 } else { isQuoted.toggle() }
            } else if self[index] == separator, !isQuoted {
                cells.append(cut(start..<index))
                start = index + 1
            }
            index += 1
        }
        return isQuoted ? [] : cells + [cut(start..<count)]
    }

    /// What a cell means that is quoted as a whole, with two quotes for one in it; any other cell as it is.
    func withoutQuotes(_ scratch: TextScratch) -> RawText {
        guard count > 1, first == .quote, last == .quote else { return self }
        let inner = cut(1..<count - 1)
        var pairs = 0
        var index = 0
        while let quote = inner.index(of: .quote, from: index) {
            guard quote + 1 < inner.count, inner[quote + 1] == .quote else { return self }
            pairs += 1
            index = quote + 2
        }
        guard pairs > 0 else { return inner }
        return unsafe scratch.fill(capacity: inner.count) { room in
            var (written, index) = (0, 0)
            while index < inner.count {
                // Safe: never more bytes than the text has.
                unsafe room[written] = inner[index]
                written += 1
                index += inner[index] == .quote ? 2 : 1
            }
            return written
        }
    }
}

/// What is read of a source whose lines are rows of a table.
extension RecordReader {
    /// Reads a line.
    mutating func readTableLine(_ line: RawText, _ hints: MarkerHints, offset: Int) {
        let limit = options.maxRecordBytes
        guard table?.isLost == false, let row = table?.take(line, offset: offset, limit: limit), let table else {
            return
        }
        if row.count > limit {
            handleOversized(markers: MarkerCount(in: row), offset: table.rows.offset)
            loseTable()
        } else if row.first == .openBrace, Scalar.isValue(row) {
            // Somebody has joined the table and a log.
            readLine(row, hints, offset: offset)
        } else {
            read(row, of: table, isCutOff: hints.contains(.unended))
        }
    }

    private mutating func read(_ row: RawText, of table: TableReader, isCutOff: Bool) {
        guard row.indexOfNonSpace(from: 0) < row.count else { return }
        var reader = entryReader(row)
        let cells = table.heading.cells(of: row)
        guard row.isUTF8, (try? table.heading.read(cells, into: &reader)) ?? false else {
            if isCutOff { pull.endsInRecord = true }
            summary.records += 1
            if cells.isEmpty { self.table?.lose() }
            // It is not a row, so it may be anything.
            let markers = MarkerCount(in: row)
            let isHidden = cells.isEmpty || HiddenText.isIn(row)
            let isBeginning = isCutOff && markers.verifications <= 1
            return reportMalformed(
                .notRow, unread: isHidden ? nil : isBeginning ? 0 : max(1, markers.verifications),
                offset: table.rows.offset)
        }
        reader.isRow = true
        count(reader, of: row, offset: table.rows.offset)
        // Two lost quotes turn the rows between them into one.
        guard row.contains(0x0A) else { return }
        let markers = MarkerCount(in: row).verifications
        if markers > 1 { summary.unread.add(markers - 1) }
    }

    /// Gives up a table: nobody knows how many verifications are in the rest of it.
    mutating func loseTable() {
        table?.lose()
        summary.unread.add(nil)
    }

    /// Ends a source; a row without end is a record.
    mutating func endTable() {
        guard let rows = table?.rows, rows.isOpen else { return }
        handleDamaged(
            .notRow, markers: MarkerCount(in: rows.text), isObject: true, isCutOff: true, offset: rows.offset)
    }
}
