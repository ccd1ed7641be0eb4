internal import GRDB

/// One row of a table of ours, as a value.
///
/// Reading never trusts what it finds: a row whose cells are of the wrong kind is damage, not a crash.
protocol StoredRow {
    static var table: StoredTable { get }
    init(_ cells: inout CellReader) throws(DamagedRow)
    /// In the order of the table's columns.
    var cells: [DatabaseValue] { get }
}

/// A row that can be added to: counts of one more input.
protocol MergingRow: StoredRow {
    mutating func merge(_ other: Self)
}

/// What a table is called, and its columns, those of the primary key first.
struct StoredTable {
    let name: String
    let columns: [String]
    let keyCount: Int

    /// - Parameters:
    ///   - name: The table.
    ///   - key: The columns of its primary key.
    ///   - columns: Its other columns; large ones that are read apart are not among them.
    init(_ name: String, key: [String], columns: [String]) {
        self.name = name
        self.columns = key + columns
        keyCount = key.count
    }

    var selection: String { "SELECT \(columns.joined(separator: ", ")) FROM \(name)" }

    var order: String { " ORDER BY \(columns.prefix(keyCount).joined(separator: ", "))" }

    var keyCondition: String { columns.prefix(keyCount).map { "\($0) = ?" }.joined(separator: " AND ") }

    var replacement: String {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT OR REPLACE INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places))"
    }
}

/// A row that callcheck did not write like this.
struct DamagedRow: Error {
    let table: String
}

/// Reads the cells of a row in their order.
struct CellReader {
    private let table: String
    private let cells: [DatabaseValue]
    private var next = 0

    init(_ cells: [DatabaseValue], of table: StoredTable) {
        self.cells = cells
        self.table = table.name
    }

    mutating func integer<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value {
        guard case .int64(let number) = cell(), let value = Value(exactly: number) else { throw damage }
        return value
    }

    mutating func optionalInteger<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value? {
        if case .null = cell() { return nil }
        next -= 1
        return try integer(type)
    }

    /// A count: never negative, and far from where adding two of them fails.
    mutating func count() throws(DamagedRow) -> Int {
        let count = try integer(Int.self)
        guard count >= 0, count < 1 << 60 else { throw damage }
        return count
    }

    /// All 64 bits, kept as a signed number.
    mutating func bits() throws(DamagedRow) -> UInt64 {
        UInt64(bitPattern: try integer(Int64.self))
    }

    mutating func optionalBits() throws(DamagedRow) -> UInt64? {
        try optionalInteger(Int64.self).map(UInt64.init(bitPattern:))
    }

    mutating func flag() throws(DamagedRow) -> Bool {
        switch try integer(Int.self) {
        case 0: return false
        case 1: return true
        default: throw damage
        }
    }

    mutating func text() throws(DamagedRow) -> String {
        guard case .string(let text) = cell() else { throw damage }
        return StoredText.text(text)
    }

    mutating func optionalText() throws(DamagedRow) -> String? {
        if case .null = cell() { return nil }
        next -= 1
        return try text()
    }

    /// What to throw for cells that make no sense together.
    var damage: DamagedRow { DamagedRow(table: table) }

    private mutating func cell() -> DatabaseValue.Storage {
        defer { next += 1 }
        return next < cells.count ? cells[next].storage : .null
    }
}

extension StoredRow {
    /// What the row weighs in the digest of the store.
    var digest: UInt64 { RowDigest.of(cells, in: Self.table.name) }
}
