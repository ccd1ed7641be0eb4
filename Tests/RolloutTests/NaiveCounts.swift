import Rollout
import SyntheticLogs
import Verifications

/// The same counts as ``RolloutCounts``, taken from a scenario's rows with sets and no regard for time and memory.
struct NaiveCounts: Equatable {
    struct Version: Hashable {
        let version: String
        let system: Int
    }

    struct DayCount: Equatable {
        var users: Set<String> = []
        var succeeded: Set<String> = []
        var failed: Set<String> = []
    }

    var days: [Day: DayCount] = [:]
    var inWindow = DayCount()
    var returning: Set<String> = []
    var iOSUsers: Set<String> = []
    var unsupported: Set<String> = []
    var versions: [Version: DayCount] = [:]

    init(_ rows: [AnalyticsRow], window: ClosedRange<Day>) {
        for row in rows where row.platform == "IOS" {
            guard let user = row.user else { continue }
            let isAttestation = row.name.hasPrefix("AppAttest")
            if isAttestation { days[row.day, default: DayCount()].add(user, row.name) }
            if isAttestation, row.day < window.lowerBound { returning.insert(user) }
            guard window.contains(row.day) else { continue }
            iOSUsers.insert(user)
            if row.system < 14 { unsupported.insert(user) }
            guard isAttestation else { continue }
            inWindow.add(user, row.name)
            versions[Version(version: row.version, system: row.system), default: DayCount()].add(user, row.name)
        }
    }
}

extension NaiveCounts.DayCount {
    fileprivate mutating func add(_ user: String, _ name: String) {
        users.insert(user)
        if name == "AppAttestSuccess" { succeeded.insert(user) } else { failed.insert(user) }
    }

    var failedOnly: Set<String> { failed.subtracting(succeeded) }

    var count: UserCount { UserCount(users: users.count, failedOnly: failedOnly.count) }
}
