package import Verifications

/// What is true of a scenario's rows, counted with sets and no regard for time and memory.
package struct AnalyticsTruth: Equatable, Sendable {
    /// A version of the app on a version of iOS.
    package struct Version: Hashable, Sendable {
        package let version: String
        package let system: Int

        package init(version: String, system: Int) {
            self.version = version
            self.system = system
        }
    }

    /// Users with an event, by what it was.
    package struct Users: Equatable, Sendable {
        package private(set) var all: Set<String> = []
        package private(set) var succeeded: Set<String> = []
        package private(set) var failed: Set<String> = []

        package var failedOnly: Set<String> { failed.subtracting(succeeded) }

        fileprivate mutating func add(_ user: String, _ name: String) {
            all.insert(user)
            if name == "AppAttestSuccess" { succeeded.insert(user) } else { failed.insert(user) }
        }
    }

    package private(set) var days: [Day: Users] = [:]
    package private(set) var inWindow = Users()
    package private(set) var returning: Set<String> = []
    package private(set) var iOSUsers: Set<String> = []
    package private(set) var unsupported: Set<String> = []
    package private(set) var versions: [Version: Users] = [:]

    /// - Parameters:
    ///   - rows: The events.
    ///   - window: The days that are judged.
    package init(_ rows: some Sequence<AnalyticsRow>, window: ClosedRange<Day>) {
        for row in rows where row.platform == "IOS" {
            guard let user = row.user else { continue }
            let isAttestation = row.name.hasPrefix("AppAttest")
            if isAttestation { days[row.day, default: Users()].add(user, row.name) }
            if isAttestation, row.day < window.lowerBound { returning.insert(user) }
            guard window.contains(row.day) else { continue }
            iOSUsers.insert(user)
            if row.system < 14 { unsupported.insert(user) }
            guard isAttestation else { continue }
            inWindow.add(user, row.name)
            versions[Version(version: row.version, system: row.system), default: Users()].add(user, row.name)
        }
    }
}

extension AnalyticsScenario {
    /// What is true of its days, as JSON: the percentage, and how many users of it did what.
    package func truth() -> [UInt8] {
        let days = AnalyticsTruth(rows(), window: self.days).days
        let lines = self.days.map { day in
            let users = days[day] ?? AnalyticsTruth.Users()
            return """
                {"date": "\(day)", "percent": \(percent(on: day)), "users": \(users.all.count), "succeeded": \
                \(users.succeeded.count), "failed": \(users.failed.count), "failedOnly": \(users.failedOnly.count)}
                """
        }
        return Array("{\"days\": [\n\(lines.joined(separator: ",\n"))\n]}\n".utf8)
    }
}
