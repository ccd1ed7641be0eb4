internal import Foundation
internal import GRDB
internal import Readiness
internal import Verifications

/// The tables, as they came to be: migrations have names, are applied in this order, and are never changed or taken
/// away once released.
enum Schema {
    /// "CChk" in ASCII: marks an SQLite database as a callcheck store, in the file's header.
    static let applicationID = 0x4343_686B
    /// In the file's header: how many migrations there are; a larger number is of a newer callcheck.
    static let version = 5

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("tallies, inputs and ledger") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: firstTables)
            let key = HashKey.random()
            try db.execute(
                sql: "INSERT INTO settings VALUES (1, ?, ?, ?, NULL, NULL, NULL, 0, 0)",
                arguments: [
                    Int64(bitPattern: key.low), Int64(bitPattern: key.high), HistoryStore.defaultRetentionDays,
                ])
            try db.execute(
                sql: "UPDATE settings SET digest = ?", arguments: [Int64(bitPattern: StoreDigest.ofSettings(db))])
            try db.execute(sql: "PRAGMA user_version = 1")
        }
        migrator.registerMigration("provenance", migrate: SecondVersion.migrate)
        migrator.registerMigration("days of an App Attest rollout") { db in
            // As in the second version: somebody else may have been faster.
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 2 else {
                throw DatabaseError(resultCode: .SQLITE_BUSY)
            }
            try db.execute(sql: rolloutTable)
            try db.execute(sql: "PRAGMA user_version = 3")
        }
        migrator.registerMigration("sums of evidence", migrate: FourthVersion.migrate)
        migrator.registerMigration("entries of executions") { db in
            try changeTables(db, from: 4) {
                try db.execute(sql: "ALTER TABLE ledger ADD COLUMN content INTEGER NOT NULL DEFAULT 1")
            }
        }
        return migrator
    }

    /// Changes the tables of a store that is whole to those of the next version, from 3 on.
    fileprivate static func changeTables(_ db: Database, from version: Int, _ change: () throws -> Void) throws {
        // Of several who find an old store, all but one find a new one now, and begin again.
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == version else {
            throw DatabaseError(resultCode: .SQLITE_BUSY)
        }
        let written = try Int64.fetchOne(db, sql: "SELECT row_digest FROM settings")
        guard try written == Int64(bitPattern: StoreDigest.ofStore(db)) else { throw DamagedRow(table: "digest") }
        try change()
        let digest = try Int64(bitPattern: StoreDigest.ofStore(db))
        try db.execute(sql: "UPDATE settings SET row_digest = ?", arguments: [digest])
        try db.execute(sql: "PRAGMA user_version = \(version + 1)")
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

    private static let rolloutTable = """
        CREATE TABLE rollout_days (
            parameter TEXT NOT NULL, day INTEGER NOT NULL, percent REAL,
            users INTEGER NOT NULL, succeeded INTEGER NOT NULL, failed INTEGER NOT NULL, failed_only INTEGER NOT NULL,
            PRIMARY KEY (parameter, day)
        ) STRICT, WITHOUT ROWID;
        """

    private static let counts = StatusMatrix.columns.map { "\($0.name) INTEGER NOT NULL" }.joined(separator: ", ")
}

/// From version 1 of the tables to version 2, which keeps the provenance of counts, and what was discarded.
///
/// All counts stay. Of a standard-error log the days stay on which it arrived: what else the tables of streams held
/// follows from the functions' counts.
enum SecondVersion {
    static func migrate(_ db: Database) throws {
        // Of several who find an old store, all but one find a new one now, and begin again.
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 1 else {
            throw DatabaseError(resultCode: .SQLITE_BUSY)
        }
        let written = try Int64.fetchOne(db, sql: "SELECT digest FROM settings")
        guard try written == Int64(bitPattern: StoreDigest.ofStore(db)) else { throw DamagedRow(table: "digest") }
        try db.execute(sql: changes)
        let digest = try Int64(bitPattern: StoreDigest.ofStore(db))
        try db.execute(sql: "UPDATE settings SET row_digest = ?", arguments: [digest])
        try db.execute(sql: "PRAGMA user_version = 2")
    }

    /// A settings column has another name from now on, so that an older callcheck that has the store open can write
    /// nothing to it any more.
    private static let changes = """
        ALTER TABLE settings RENAME COLUMN digest TO row_digest;

        ALTER TABLE functions ADD COLUMN provenance INTEGER NOT NULL DEFAULT \(FunctionRow.unknownProvenance);
        ALTER TABLE function_facts ADD COLUMN other_message INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE function_facts ADD COLUMN contradictory_text INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE function_facts ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE function_facts ADD COLUMN copies INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE function_facts ADD COLUMN too_old INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE function_days ADD COLUMN pass_severities INTEGER NOT NULL DEFAULT 0;

        DELETE FROM stream_facts WHERE undated_error_stream = 0;
        DELETE FROM stream_days WHERE error_stream = 0;
        DELETE FROM streams
            WHERE id NOT IN (SELECT stream FROM stream_facts) AND id NOT IN (SELECT stream FROM stream_days);
        ALTER TABLE stream_facts DROP COLUMN undated_failed;
        ALTER TABLE stream_facts DROP COLUMN undated_error_stream;
        ALTER TABLE stream_days DROP COLUMN verifications;
        ALTER TABLE stream_days DROP COLUMN failed;
        ALTER TABLE stream_days DROP COLUMN error_stream;
        ALTER TABLE streams DROP COLUMN generation;

        ALTER TABLE inputs ADD COLUMN unexpected INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE inputs ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE inputs ADD COLUMN newest_second INTEGER;
        ALTER TABLE inputs ADD COLUMN newest_nanosecond INTEGER;
        UPDATE inputs SET held = verifications + duplicates + too_old, newest_second = ingested_second,
            newest_nanosecond = ingested_nanosecond;
        """
}

/// From version 3 of the tables to version 4, which keeps sums of what stands next to verifications.
enum FourthVersion {
    static func migrate(_ db: Database) throws {
        try Schema.changeTables(db, from: 3) {
            try db.execute(sql: tables)
            // Of the days before nobody knows what stood next to their verifications.
            try db.execute(
                sql: """
                    INSERT INTO evidence_gaps
                    SELECT 0, newest_second / 86400 FROM settings WHERE newest_second IS NOT NULL
                    """)
        }
    }

    private static let tables = """
        CREATE TABLE caller_days (
            service INTEGER NOT NULL, provenance INTEGER NOT NULL, day INTEGER NOT NULL,
            rows INTEGER NOT NULL, successes INTEGER NOT NULL, logged INTEGER NOT NULL, with_row INTEGER NOT NULL,
            refused INTEGER NOT NULL, refused_last_nanosecond INTEGER NOT NULL,
            allowed INTEGER NOT NULL, allowed_last_nanosecond INTEGER NOT NULL,
            missing_accepted INTEGER NOT NULL, missing_accepted_last_nanosecond INTEGER NOT NULL,
            missing_refused INTEGER NOT NULL, missing_refused_last_nanosecond INTEGER NOT NULL,
            missing_other INTEGER NOT NULL, verified_refused INTEGER NOT NULL, verified_other INTEGER NOT NULL,
            auth_refused INTEGER NOT NULL, auth_other INTEGER NOT NULL,
            PRIMARY KEY (service, provenance, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE admitted_days (
            service INTEGER NOT NULL, provenance INTEGER NOT NULL, day INTEGER NOT NULL, signed_in INTEGER NOT NULL,
            joined INTEGER NOT NULL, blocked_joined INTEGER NOT NULL, already_failing INTEGER NOT NULL,
            \(RefusalCause.columns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")),
            ios_placeholders INTEGER NOT NULL,
            PRIMARY KEY (service, provenance, day, signed_in)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE admitted_clients (
            service INTEGER NOT NULL, provenance INTEGER NOT NULL, day INTEGER NOT NULL, signed_in INTEGER NOT NULL,
            kind TEXT NOT NULL, version_rank INTEGER NOT NULL,
            app TEXT NOT NULL, version TEXT NOT NULL, os TEXT NOT NULL,
            verified INTEGER NOT NULL, missing INTEGER NOT NULL, invalid INTEGER NOT NULL, other INTEGER NOT NULL,
            PRIMARY KEY (service, provenance, day, signed_in, kind, version_rank, app, version, os)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE evidence_gaps (run INTEGER PRIMARY KEY, through INTEGER NOT NULL) STRICT;
        """
}
