internal import Foundation
internal import GRDB

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
        guard try UInt64(bitPattern: Int64.fetchOne(db, sql: "SELECT digest FROM settings") ?? 0) == digest(db) else {
            throw DamagedRow(table: "digest")
        }
        try db.execute(sql: changes)
        try db.execute(sql: "UPDATE settings SET row_digest = ?", arguments: [Int64(bitPattern: digest(db))])
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

    /// The digest of the store as the columns of its tables say, before the changes and behind them.
    private static func digest(_ db: Database) throws -> UInt64 {
        let tables = [
            "functions", "function_facts", "function_days", "dayless_counts", "streams", "stream_facts", "stream_days",
            "inputs", "problems",
        ]
        var sum = try RowDigest.sum(of: "ledger", "SELECT id, day, layer, count, sum FROM ledger", in: db)
        for table in tables { sum &+= try RowDigest.sum(of: table, "SELECT * FROM \(table)", in: db) }
        let settings = """
            SELECT id, key_low, key_high, retention_days, sealed_before, newest_second, newest_nanosecond, revision, 0
            FROM settings
            """
        return sum &+ (try RowDigest.sum(of: "settings", settings, in: db))
    }
}
