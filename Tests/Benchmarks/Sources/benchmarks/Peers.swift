import Foundation

/// The other ways to get at the numbers, as they are typed.
enum Peers {
    static func pigz(_ path: String) -> Command { Command("pigz", ["-dc", path]) }
    static func gzip(_ path: String) -> Command { Command("gzip", ["-dc", path]) }
    /// Inflates and does nothing else: the program beside this one.
    static func inflate(_ path: String) -> Command {
        let own = URL(filePath: CommandLine.arguments[0])
        return Command(own.deletingLastPathComponent().appending(path: "inflate-only").path, [path])
    }

    static func jq(_ path: String) -> Command { Command("jq", ["-c", "length", path]) }

    /// DuckDB counting the same verifications by function, day and statuses.
    ///
    /// The query names the columns, and only those that it needs. Times stay text, because their first ten characters
    /// are the day: parsing them would take time and change nothing.
    static func duckDB(_ paths: [String]) -> Command { Command("python3", ["-c", query] + paths) }

    /// True when Python finds DuckDB.
    static var hasDuckDB: Bool {
        (try? Command("python3", ["-c", "import duckdb"]).run()) != nil
    }

    private static let query = #"""
        import duckdb, json, sys
        database = duckdb.connect()
        database.execute("SET threads = 2; SET enable_progress_bar = false")
        rows = database.execute("""
            SELECT resource.labels.project_id,
                   coalesce(resource.labels.location, resource.labels.region, '-'),
                   coalesce(resource.labels.service_name, resource.labels.function_name, '-'),
                   CASE resource.type WHEN 'cloud_function' THEN 1 WHEN 'cloud_run_revision' THEN 2 END,
                   timestamp[1:10], jsonPayload.verifications.app, jsonPayload.verifications.auth, count(*)
            FROM read_json($files, format = 'newline_delimited', columns = {
                labels: 'STRUCT("firebase-log-type" VARCHAR)',
                resource: 'STRUCT(type VARCHAR, labels STRUCT(project_id VARCHAR, location VARCHAR, region VARCHAR,
                                                              service_name VARCHAR, function_name VARCHAR))',
                jsonPayload: 'STRUCT(verifications STRUCT(app VARCHAR, auth VARCHAR))',
                timestamp: 'VARCHAR'})
            WHERE labels."firebase-log-type" = 'callable-request-verification'
            GROUP BY ALL
            """, {"files": sys.argv[1:]}).fetchall()
        json.dump(rows, sys.stdout)
        """#
}
