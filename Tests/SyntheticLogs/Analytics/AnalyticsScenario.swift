package import Verifications

/// Rows of a Google Analytics export of an iOS app that rolls App Attest out, with known truth.
///
/// Shape and order of the fields are those of the tables `events_YYYYMMDD`
/// (<https://support.google.com/firebase/answer/7029846>) as `bq extract` writes them: 64-bit integers are strings, and
/// nulls are left out.
package struct AnalyticsScenario: Sendable {
    package var seed: UInt64
    package var days: ClosedRange<Day>
    /// People who have the iOS app.
    package var pool = 3000
    /// How many of them use it on a day.
    package var activePerDay = 250
    /// The share of them who use App Attest, in per cent.
    package var percent = 25
    /// The share of those whose attestation always fails.
    package var failing = 0.006
    /// The share of those who fail once before they succeed.
    package var stumbling = 0.02
    /// The share of those who have switched analytics off.
    package var silent = 0.03
    /// The share of events of people who did not consent, which have no user.
    package var withoutUser = 0.001
    /// Events of an Android app, each day.
    package var foreignPerDay = 20

    package init(seed: UInt64, days: ClosedRange<Day>) {
        self.seed = seed
        self.days = days
    }

    /// Seventeen days, the newest three of which are not complete.
    package static func sample(seed: UInt64) -> AnalyticsScenario {
        AnalyticsScenario(seed: seed, days: Day(number: 20_724)...Day(number: 20_740))
    }

    /// The rows, in the order of their time.
    package func rows() -> [AnalyticsRow] {
        var random = SeededRandom(seed: seed, name: "analytics")
        let users = (0..<pool).map { _ in User(of: self, &random) }
        var rows: [AnalyticsRow] = []
        for day in days {
            let first = rows.count
            for _ in 0..<activePerDay { append(random.pick(users), on: day, &random, to: &rows) }
            for _ in 0..<foreignPerDay {
                let user = User(of: self, &random)
                rows.append(user.row("session_start", on: day, platform: "ANDROID", &random))
            }
            rows[first...].sort { $0.microsecond < $1.microsecond }
        }
        return rows
    }

    private func append(_ user: User, on day: Day, _ random: inout SeededRandom, to rows: inout [AnalyticsRow]) {
        rows.append(user.row("session_start", on: day, &random))
        guard user.hasAttestation, user.system.major >= 14 else { return }
        if user.stumbles, random.chance(0.3) { rows.append(user.row("AppAttestFailure", on: day, &random)) }
        let name = user.fails ? "AppAttestFailure" : "AppAttestSuccess"
        for _ in 0..<random.within(1..<4) {
            var row = user.row(name, on: day, &random)
            if random.chance(withoutUser) { row.user = nil }
            rows.append(row)
        }
    }

    /// Somebody who has the app.
    private struct User {
        let id: String
        let version: String
        let system: (major: Int, minor: Int)
        let hasAttestation: Bool
        let fails: Bool
        let stumbles: Bool

        init(of scenario: AnalyticsScenario, _ random: inout SeededRandom) {
            id = [random.next(), random.next()].map { word in
                let digits = String(word, radix: 16).uppercased()
                return String(repeating: "0", count: 16 - digits.utf8.count) + digits
            }.joined()
            version = random.pick(["1.3", "1.4", "1.4", "1.4"])
            system = (random.chance(0.015) ? 13 : random.pick([16, 17, 17, 18, 18, 18, 18, 18]), random.below(6))
            hasAttestation = random.below(100) < scenario.percent && !random.chance(scenario.silent)
            fails = random.chance(scenario.failing)
            stumbles = random.chance(scenario.stumbling)
        }

        func row(
            _ name: String, on day: Day, platform: String = "IOS", _ random: inout SeededRandom
        ) -> AnalyticsRow {
            let microsecond = Int(day.number) * 86_400_000_000 + random.below(86_400_000_000)
            return AnalyticsRow(
                name: name, day: day, microsecond: microsecond, user: id, platform: platform, app: "com.example.app",
                version: version, system: system.major, systemText: "\(system.major).\(system.minor)")
        }
    }
}

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

    /// The row as `bq extract` writes it, without its line feed.
    package var line: String {
        let (year, month, number) = day.civil
        let user = user.map { #","user_pseudo_id":"\#($0)""# } ?? ""
        return """
            {"event_date":"\(year * 10_000 + month * 100 + number)","event_timestamp":"\(microsecond)","event_name":"\(name)",\
            "event_params":[{"key":"ga_session_id","value":{"int_value":"\(microsecond / 1_000_000)"}},\
            {"key":"firebase_event_origin","value":{"string_value":"app"}}],"event_bundle_sequence_id":"12"\(user),\
            "privacy_info":{"analytics_storage":"Yes","ads_storage":"No"},"device":{"category":"mobile",\
            "mobile_brand_name":"Apple","operating_system":"iOS","operating_system_version":"\(systemText)",\
            "language":"en-us"},"geo":{"country":"Germany"},"app_info":{"id":"\(app)","version":"\(version)",\
            "firebase_app_id":"1:1234567890:ios:0a1b2c3d4e5f","install_source":"iTunes"},"stream_id":"3210987654",\
            "platform":"\(platform)"}
            """
    }
}
