/// Reads rows of CSV whose columns are fields of events, as `bq query --format=csv` prints them.
///
/// ```
/// event_date,event_timestamp,event_name,platform,user_pseudo_id,version,operating_system_version
/// 20261012,1791800000123456,AppAttestSuccess,IOS,0123456789ABCDEF0123456789ABCDEF,1.4,17.5.1
/// ```
///
/// `bq` prints a nested field under its last name unless the query gives it another one, and null as an empty cell.
/// Source: RFC 4180.
struct EventTable {
    private typealias Field = WritableKeyPath<EventFields, JSONValue>

    private var columns: [Field?]
    let rows = RowCollector()

    /// Recognises a table by its first line; nil for everything else.
    init?(_ sample: Sample) {
        guard let columns = sample.lines.first.flatMap(EventTable.columns) else { return nil }
        self.columns = columns
    }

    /// Nil unless an event's name, its day and its user are among the columns.
    private static func columns(of line: RawText) -> [Field?]? {
        guard line.holds("event_name") else { return nil }
        let columns = line.cells(separatedBy: .comma).map { field(named: $0.string) }
        let needed: [Field] = [\.name, \.user]
        return needed.allSatisfy(columns.contains) && (columns.contains(\.date) || columns.contains(\.timestamp))
            ? columns : nil
    }

    private static func field(named name: String) -> Field? {
        switch name.filter({ $0 != "\"" }).replacing(".", with: "_") {
        case "event_name": \.name
        case "event_date": \.date
        case "event_timestamp": \.timestamp
        case "platform": \.platform
        case "user_pseudo_id": \.user
        case "app_info_id", "app_id", "id": \.app
        case "app_info_version", "app_version", "version": \.version
        case "device_operating_system_version", "operating_system_version", "os_version": \.system
        default: nil
        }
    }

    /// Takes the next line; returns the row that ends with it.
    mutating func take(_ line: RawText, offset: Int, limit: Int) -> RawText? {
        // A second table after the first.
        if !rows.isOpen, let next = EventTable.columns(of: line) {
            columns = next
            return nil
        }
        return rows.take(line, offset: offset, limit: limit)
    }

    /// The fields of a row; nil where it does not fit the heading.
    func fields(of row: RawText, _ scratch: TextScratch) -> EventFields? {
        let cells = row.cells(separatedBy: .comma)
        guard cells.count == columns.count else { return nil }
        var fields = EventFields()
        for (column, cell) in zip(columns, cells) where !cell.isEmpty {
            if let column { fields[keyPath: column] = JSONValue(kind: .string, text: cell.withoutQuotes(scratch)) }
        }
        return fields
    }
}
