internal import GRDB
internal import Rollout
internal import Verifications

/// One day of an App Attest rollout: sums, and nothing by which users of two days could be told to be the same.
struct RolloutDayRow: StoreRow, Equatable {
    static let databaseTableName = "rollout_days"

    let parameter: StoredText
    let day: Int32
    private(set) var percent: Double?
    let users: Int
    let succeeded: Int
    let failed: Int
    let failedOnly: Int

    init(parameter: String, _ entry: RolloutHistory.Entry) {
        self.parameter = StoredText(parameter)
        day = entry.day.day.number
        percent = entry.percent
        users = entry.day.count.users
        succeeded = entry.day.succeeded
        failed = entry.day.failed
        failedOnly = entry.day.count.failedOnly
    }

    var isPossible: Bool {
        RowLimits.days.contains(day) && (0...100).contains(percent ?? 0) && failedOnly <= users
            && [users, succeeded, failed, failedOnly].allSatisfy(RowLimits.counts.contains)
    }

    fileprivate var entry: RolloutHistory.Entry {
        var rollout = RolloutDay(day: Day(number: day))
        rollout.count = UserCount(users: users, failedOnly: failedOnly)
        rollout.succeeded = succeeded
        rollout.failed = failed
        return RolloutHistory.Entry(day: rollout, percent: percent)
    }

    /// How much of the day a row has seen: Google Analytics adds to a day, and a part of an export shows less of it.
    private var fullness: (Int, Int, Int) { (users, succeeded, failed) }

    /// The fuller of two counts of a day; the percentage is the one that was known first, as it is of the day itself.
    fileprivate func merged(with known: RolloutDayRow) -> RolloutDayRow {
        var fuller = fullness > known.fullness ? self : known
        fuller.percent = known.percent ?? percent
        return fuller
    }
}

extension StoreTransaction {
    /// Adds days; those that were pruned stay away.
    func add(_ history: RolloutHistory) throws {
        for entry in history.entries where settings.firstOpenDay.map({ $0 <= entry.day.day }) ?? true {
            let row = RolloutDayRow(parameter: history.parameter, entry)
            guard let known = try RolloutDayRow.fetchOne(db, key: ["parameter": row.parameter, "day": row.day]) else {
                try row.insert(db)
                continue
            }
            let merged = row.merged(with: known)
            if merged != known { try merged.update(db) }
        }
    }

    /// The rollouts by their parameters.
    func rollouts() throws -> [RolloutHistory] {
        let rows = try rows(RolloutDayRow.self)
        return Dictionary(grouping: rows, by: \.parameter.text).map { parameter, rows in
            RolloutHistory(parameter: parameter, entries: rows.map(\.entry))
        }.sorted { ExactName($0.parameter) < ExactName($1.parameter) }
    }
}
