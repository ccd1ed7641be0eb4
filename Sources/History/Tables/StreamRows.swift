internal import GRDB
internal import Verifications

/// A project whose standard-error log was read.
struct StreamRow: StoreRow, Codable {
    static let databaseTableName = "streams"

    let id: Int
    let project: StoredText
    private let nameRank: Int64?

    init(id: Int, project: ExactName, rank: UInt64?) {
        self.id = id
        self.project = StoredText(project.text)
        nameRank = rank.map(Int64.init(bitPattern:))
    }

    /// Unkeyed hash of the project's name; nil for what is pooled already.
    var rank: UInt64? { nameRank.map(UInt64.init(bitPattern:)) }
}

/// A record without a time was read of a standard-error log.
struct StreamFactsRow: StoreRow, Codable {
    static let databaseTableName = "stream_facts"

    let stream: Int
    let layer: Int
}

/// A record of a day was read of a standard-error log.
struct StreamDayRow: StoreRow, Codable {
    static let databaseTableName = "stream_days"

    let stream: Int
    let day: Int32
    let layer: Int
}
