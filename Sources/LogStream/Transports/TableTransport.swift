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
    /// What a line of the source comes to.
    enum Line {
        case row
        /// The row goes on in the next line.
        case open
        case heading
        /// The row is longer than the limit; its lines are gone.
        case oversized
    }

    private(set) var heading: TableHeading
    /// The row so far, with the line feeds in it, where a quoted cell goes on in the next line.
    private(set) var row: [UInt8] = []
    /// Where the row starts in the plain bytes.
    private(set) var offset = 0
    private var isQuoted = false
    /// True after a quote in the wrong place.
    private(set) var isLost = false

    /// Recognises a table by its first line; nil for everything else, and for one without labels or statuses.
    init?(_ sample: Sample) {
        guard let line = sample.lines.first, let heading = TableHeading(line) else { return nil }
        self.heading = heading
    }

    /// Takes the next line.
    mutating func take(_ line: RawText, offset: Int, limit: Int) -> Line {
        if !isQuoted {
            // A second table behind the first.
            if TableHeading.mayBe(line), let next = TableHeading(line) {
                heading = next
                return .heading
            }
            row.removeAll(keepingCapacity: true)
            self.offset = offset
        } else {
            row.append(0x0A)
        }
        unsafe row.append(contentsOf: line.buffer)
        for index in 0..<line.count where line[index] == .quote { isQuoted.toggle() }
        if row.count > limit {
            (isQuoted, isLost) = (false, true)
            return .oversized
        }
        if isQuoted { return .open }
        if row.last == 0x0D { row.removeLast() }
        return .row
    }

    /// True after a line that a row goes on after.
    var isOpen: Bool { isQuoted }

    /// Gives up what follows: it may be the rest of a quoted cell.
    mutating func lose() { (isQuoted, isLost) = (false, true) }
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
            func holds(_ fields: TableField...) -> Bool {
                columns.contains { column in
                    switch column {
                    case .field(let field): fields.contains(field)
                    case .fields(let path): fields.contains { $0.rawValue.hasPrefix(path + ".") }
                    case nil: false
                    }
                }
            }
            guard holds(.logType), holds(.app, .appCheck), labels < 2 else { continue }
            self.columns = columns
            self.separator = separator
            return
        }
        return nil
    }

    private static func column(named name: RawText) -> Column? {
        let name = TableField.plain(name.string)
        if let field = TableField.byPath[name] ?? TableField.byEnd[name] { return .field(field) }
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
            case .field(let field): reader.fields.set(field, to: reader.cell(cell))
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

/// A field of an entry, by its path.
enum TableField: String, CaseIterable {
    case insertID = "insertId"
    case logName, timestamp, receiveTimestamp, severity, trace
    case spanID = "spanId"
    case text = "textPayload"
    case message = "jsonPayload.message"
    case app = "jsonPayload.verifications.app"
    case appCheck = "jsonPayload.verifications.appCheck"
    case auth = "jsonPayload.verifications.auth"
    case logType = "labels.firebase-log-type"
    case functionID = "labels.goog-drz-cloudfunctions-id"
    case executionID = "labels.execution_id"
    case instanceID = "labels.instanceId"
    case resourceType = "resource.type"
    case projectID = "resource.labels.project_id"
    case functionName = "resource.labels.function_name"
    case region = "resource.labels.region"
    case serviceName = "resource.labels.service_name"
    case location = "resource.labels.location"
    case revisionName = "resource.labels.revision_name"
    case method = "httpRequest.requestMethod"
    case url = "httpRequest.requestUrl"
    case status = "httpRequest.status"
    case userAgent = "httpRequest.userAgent"
    case referer = "httpRequest.referer"
    case address = "httpRequest.remoteIp"

    /// True for text that may contain anything.
    var isWrittenByClients: Bool { [.text, .message, .url, .userAgent, .referer].contains(self) }

    /// By the whole path, as ``plain(_:)`` leaves it.
    static let byPath = Dictionary(uniqueKeysWithValues: allCases.map { (plain($0.rawValue), $0) })
    /// By the last piece of it.
    static let byEnd = Dictionary(
        uniqueKeysWithValues: allCases.map { (plain(String($0.rawValue.split(separator: ".").last ?? "")), $0) })

    /// The letters and digits of a name, in lower case: camel case and snake case are the same then.
    static func plain(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    }
}

extension EntryFields {
    fileprivate mutating func set(_ field: TableField, to newValue: JSONValue) {
        switch field {
        case .insertID: insertId = newValue
        case .logName: logName = newValue
        case .timestamp: timestamp = newValue
        case .receiveTimestamp: receiveTimestamp = newValue
        case .severity: severity = newValue
        case .trace: trace = newValue
        case .spanID: spanID = newValue
        case .text: text = newValue
        case .message: payload.message = newValue
        case .app: payload.verifications.app = newValue
        case .appCheck: payload.verifications.appCheck = newValue
        case .auth: payload.verifications.auth = newValue
        case .logType: labels.logType = newValue
        case .functionID: labels.functionID = newValue
        case .executionID: labels.executionID = newValue
        case .instanceID: labels.instanceID = newValue
        case .resourceType: resource.type = newValue
        case .projectID: resource.labels.projectID = newValue
        case .functionName: resource.labels.functionName = newValue
        case .region: resource.labels.region = newValue
        case .serviceName: resource.labels.serviceName = newValue
        case .location: resource.labels.location = newValue
        case .revisionName: resource.labels.revisionName = newValue
        case .method: request.method = newValue
        case .url: request.url = newValue
        case .status: request.status = newValue
        case .userAgent: request.userAgent = newValue
        case .referer: request.referer = newValue
        case .address: request.address = newValue
        }
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
        if let field = TableField(rawValue: path) {
            fields.set(field, to: JSONValue(kind: .string, text: value))
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
            if let field = TableField(rawValue: "\(path).\(name.string)") {
                fields.set(field, to: JSONValue(kind: .string, text: text))
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
        guard var reader = table else { return }
        if reader.isLost { return }
        // So that the row is not copied while it grows.
        table = nil
        let taken = reader.take(line, offset: offset, limit: options.maxRecordBytes)
        if taken == .row || taken == .oversized {
            let row = ByteCollector(reader.row)
            if taken == .oversized {
                handleOversized(markers: MarkerCount(in: row.text), offset: reader.offset)
                summary.unread.add(nil)
            } else if row.text.first == .openBrace, Scalar.isValue(row.text) {
                // Somebody has joined the table and a log.
                readLine(row.text, hints, offset: offset)
            } else {
                read(row.text, of: &reader, isCutOff: hints.contains(.unended))
            }
        }
        table = reader
    }

    private mutating func read(_ row: RawText, of table: inout TableReader, isCutOff: Bool) {
        guard row.indexOfNonSpace(from: 0) < row.count else { return }
        var reader = entryReader(row)
        let cells = table.heading.cells(of: row)
        let isText = unsafe String(validating: row.buffer, as: UTF8.self) != nil
        guard isText, (try? table.heading.read(cells, into: &reader)) ?? false else {
            if isCutOff { pull.endsInRecord = true }
            summary.records += 1
            if cells.isEmpty { table.lose() }
            // It is not a row, so it may be anything.
            let markers = MarkerCount(in: row)
            let isHidden = cells.isEmpty || HiddenText.isIn(row)
            let isBeginning = isCutOff && markers.verifications <= 1
            return reportMalformed(
                .notRow, unread: isHidden ? nil : isBeginning ? 0 : max(1, markers.verifications), offset: table.offset)
        }
        reader.isRow = true
        count(reader, of: row, offset: table.offset)
        // Two lost quotes turn the rows between them into one.
        guard row.contains(0x0A) else { return }
        let markers = MarkerCount(in: row).verifications
        if markers > 1 { summary.unread.add(markers - 1) }
    }

    /// Ends a source; a row without end is a record.
    mutating func endTable() {
        guard let reader = table else { return }
        table = nil
        guard reader.isOpen else { return }
        let row = ByteCollector(reader.row)
        handleDamaged(
            .notRow, markers: MarkerCount(in: row.text), isObject: true, isCutOff: true, offset: reader.offset)
    }
}
