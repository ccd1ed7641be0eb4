package import Verifications

/// One event.
package struct AnalyticsRow: Sendable {
    package var name: String
    package var day: Day
    /// Since 1970.
    package var microsecond: Int
    package var user: String?
    package var platform: String
    package var app: String
    package var version: String
    package var system: Int
    package var systemText: String

    /// The row as a line of what `bq extract` writes: 64-bit integers are strings, and nulls are left out.
    package var extracted: String {
        let user = user.map { #","user_pseudo_id":"\#($0)""# } ?? ""
        return """
            {"event_date":"\(date)","event_timestamp":"\(microsecond)","event_name":"\(name)",\
            "event_params":[{"key":"ga_session_id","value":{"int_value":"\(microsecond / 1_000_000)"}},\
            {"key":"firebase_event_origin","value":{"string_value":"app"}}],"event_bundle_sequence_id":"12"\(user),\
            "privacy_info":{"analytics_storage":"Yes","ads_storage":"No"},"device":{"category":"mobile",\
            "mobile_brand_name":"Apple","operating_system":"iOS","operating_system_version":"\(systemText)",\
            "language":"en-us"},"geo":{"country":"Germany"},"app_info":{"id":"\(app)","version":"\(version)",\
            "firebase_app_id":"1:1234567890:ios:0a1b2c3d4e5f","install_source":"iTunes"},"stream_id":"3210987654",\
            "platform":"\(platform)"}
            """
    }

    /// The row as an element of what `bq query --format=json` prints: keys in order, every scalar a string, nulls.
    package var queried: String {
        """
        {"app_info":{"id":"\(app)","version":"\(version)"},"device":{"operating_system_version":"\(systemText)"},\
        "event_date":"\(date)","event_name":"\(name)","event_timestamp":"\(microsecond)","platform":"\(platform)",\
        "user_id":null,"user_pseudo_id":\(user.map { "\"\($0)\"" } ?? "null")}
        """
    }

    private var date: Int {
        let (year, month, number) = day.civil
        return year * 10_000 + month * 100 + number
    }
}

/// How rows leave BigQuery.
package enum AnalyticsTransport: String, CaseIterable, Sendable {
    /// `bq extract --destination_format NEWLINE_DELIMITED_JSON`.
    case extract = "bq-extract"
    /// The same with `--compression GZIP`, in stored blocks.
    case gzippedExtract = "bq-extract-gzip"
    /// `bq query --format=json`: one array on one line.
    case query = "bq-query"

    /// The bytes of a file with these rows.
    package func bytes(_ rows: some Sequence<AnalyticsRow>) -> [UInt8] {
        switch self {
        case .extract: rows.flatMap { Array("\($0.extracted)\n".utf8) }
        case .gzippedExtract: StoredGzip.member(AnalyticsTransport.extract.bytes(rows))
        case .query: Array("[\(rows.map(\.queried).joined(separator: ","))]\n".utf8)
        }
    }
}
