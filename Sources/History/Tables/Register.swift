internal import GRDB

/// The tables within one transaction: whatever changes a row keeps the digest of the store in step.
final class Register {
    let db: Database
    var settings: SettingsRow

    /// Opens the register of a store that has its tables.
    init(_ db: Database) throws {
        self.db = db
        guard var settings = try Register.rows(SettingsRow.self, in: db).first else {
            throw DamagedRow(table: SettingsRow.table.name)
        }
        settings.sum &-= settings.ownDigest
        self.settings = settings
    }

    /// Writes down that something changed; the last step of a transaction.
    func close() throws {
        settings.revision += 1
        settings.sum &+= settings.ownDigest
        try replace(settings)
    }

    /// All rows of a table, or those that a condition names, in the order of their keys.
    func rows<R: StoredRow>(_ type: R.Type, where condition: String? = nil, _ values: [DatabaseValue] = []) throws
        -> [R]
    {
        try Register.rows(type, in: db, where: condition, values)
    }

    static func rows<R: StoredRow>(
        _ type: R.Type, in db: Database, where condition: String? = nil, _ values: [DatabaseValue] = []
    ) throws -> [R] {
        let sql = R.table.selection + (condition.map { " WHERE \($0)" } ?? "") + R.table.order
        let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: StatementArguments(values))
        var rows: [R] = []
        while let row = try cursor.next() {
            var cells = CellReader(Array(row.databaseValues), of: R.table)
            rows.append(try R(&cells))
        }
        return rows
    }

    /// Puts a row in the place of the one with its key, or adds it.
    func put<R: StoredRow>(_ row: R) throws {
        if let old = try self.row(withKeyOf: row) { settings.sum &-= old.digest }
        settings.sum &+= row.digest
        try replace(row)
    }

    /// Adds to the row with the same key, if there is one.
    func add<R: MergingRow>(_ row: R) throws {
        guard var sum = try self.row(withKeyOf: row) else { return try put(row) }
        settings.sum &-= sum.digest
        sum.merge(row)
        settings.sum &+= sum.digest
        try replace(sum)
    }

    func remove<R: StoredRow>(_ row: R) throws {
        settings.sum &-= row.digest
        let statement = try db.cachedStatement(sql: "DELETE FROM \(R.table.name) WHERE \(R.table.keyCondition)")
        try statement.execute(arguments: StatementArguments(row.key))
    }

    private func row<R: StoredRow>(withKeyOf row: R) throws -> R? {
        try rows(R.self, where: R.table.keyCondition, row.key).first
    }

    private func replace<R: StoredRow>(_ row: R) throws {
        try db.cachedStatement(sql: R.table.replacement).execute(arguments: StatementArguments(row.cells))
    }

    /// Reads every row there is and compares what was found with what was written.
    func verify() throws {
        var sum: UInt64 = 0
        for type in Schema.tables { sum &+= try RowDigest.sum(of: type.table.name, type.table.selection, in: db) }
        guard sum == settings.sum else { throw DamagedRow(table: "digest") }
    }
}

extension StoredRow {
    var key: [DatabaseValue] { Array(cells.prefix(Self.table.keyCount)) }
}
