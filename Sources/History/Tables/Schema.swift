internal import GRDB
internal import Verifications

/// The tables, as they came to be: migrations have names, are applied in this order, and are never changed or taken
/// away once released.
enum Schema {
    /// "CChk" in ASCII: says in the file's header that a SQLite database is a store of callcheck's.
    static let applicationID = 0x4343_686B
    /// In the file's header: how many migrations there are; a larger number is of a newer callcheck.
    static let version = 2

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("tallies, inputs and ledger") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: firstTables)
            var settings = SettingsRow(key: .random(), retentionDays: HistoryStore.defaultRetentionDays)
            settings.sum = settings.ownDigest
            let places = settings.cells.map { _ in "?" }.joined(separator: ", ")
            try db.execute(
                sql: "INSERT INTO settings VALUES (\(places))", arguments: StatementArguments(settings.cells))
            try db.execute(sql: "PRAGMA user_version = 1")
        }
        migrator.registerMigration("provenance", migrate: SecondVersion.migrate)
        return migrator
    }

    /// Every table whose rows count in the digest.
    static var tables: [any StoredRow.Type] {
        [
            FunctionRow.self, FunctionFactsRow.self, FunctionDayRow.self, DaylessRow.self, StreamRow.self,
            StreamFactsRow.self, StreamDayRow.self, InputRow.self, ProblemRow.self, SegmentRow.self,
        ]
    }

    private static let firstTables = """
        CREATE TABLE settings (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_low INTEGER NOT NULL, key_high INTEGER NOT NULL, retention_days INTEGER NOT NULL,
            sealed_before INTEGER, newest_second INTEGER, newest_nanosecond INTEGER,
            revision INTEGER NOT NULL, digest INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE functions (
            id INTEGER PRIMARY KEY,
            project TEXT NOT NULL, region TEXT NOT NULL, name TEXT NOT NULL, generation INTEGER, name_rank INTEGER
        ) STRICT;
        CREATE TABLE function_facts (
            function INTEGER NOT NULL REFERENCES functions, layer INTEGER NOT NULL,
            label TEXT, pass_severities INTEGER NOT NULL, pooled_first_second INTEGER, pooled_first_nanosecond INTEGER,
            PRIMARY KEY (function, layer)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE function_days (
            function INTEGER NOT NULL REFERENCES functions, day INTEGER NOT NULL, layer INTEGER NOT NULL,
            \(counts),
            first_nanosecond INTEGER NOT NULL, last_nanosecond INTEGER NOT NULL,
            blocked_hours INTEGER NOT NULL, blocked_last_nanosecond INTEGER,
            signed_in_blocked_hours INTEGER NOT NULL, signed_in_blocked_last_nanosecond INTEGER,
            PRIMARY KEY (function, day, layer)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE dayless_counts (
            function INTEGER NOT NULL REFERENCES functions, kind TEXT NOT NULL, layer INTEGER NOT NULL,
            \(counts),
            PRIMARY KEY (function, kind, layer)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE streams (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL, generation INTEGER, name_rank INTEGER
        ) STRICT;
        CREATE TABLE stream_facts (
            stream INTEGER NOT NULL REFERENCES streams, layer INTEGER NOT NULL,
            undated_failed INTEGER NOT NULL, undated_error_stream INTEGER NOT NULL,
            PRIMARY KEY (stream, layer)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE stream_days (
            stream INTEGER NOT NULL REFERENCES streams, day INTEGER NOT NULL, layer INTEGER NOT NULL,
            verifications INTEGER NOT NULL, failed INTEGER NOT NULL, error_stream INTEGER NOT NULL,
            PRIMARY KEY (stream, day, layer)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE inputs (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL,
            ingested_second INTEGER NOT NULL, ingested_nanosecond INTEGER NOT NULL,
            size INTEGER, content INTEGER NOT NULL, sources INTEGER NOT NULL,
            bytes_read INTEGER NOT NULL, bytes_decompressed INTEGER NOT NULL, records INTEGER NOT NULL,
            verifications INTEGER NOT NULL, duplicates INTEGER NOT NULL, too_old INTEGER NOT NULL,
            ignored INTEGER NOT NULL, malformed INTEGER NOT NULL, oversized INTEGER NOT NULL,
            undated INTEGER NOT NULL, faults INTEGER NOT NULL, further_problems INTEGER NOT NULL,
            replaced_by INTEGER REFERENCES inputs
        ) STRICT;
        CREATE TABLE problems (
            input INTEGER NOT NULL REFERENCES inputs, number INTEGER NOT NULL,
            kind TEXT NOT NULL, byte_offset INTEGER, record INTEGER, detail TEXT NOT NULL,
            PRIMARY KEY (input, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger (
            id INTEGER PRIMARY KEY, day INTEGER, layer INTEGER NOT NULL,
            count INTEGER NOT NULL, sum INTEGER NOT NULL, fingerprints BLOB NOT NULL
        ) STRICT;
        """

    private static let counts = MatrixCells.columns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")
}
