import LogStream
import Rollout
import SyntheticLogs
import TestSupport
import Testing
import Verifications

@testable import callcheck

/// Each user is counted once, regardless of the order of the rows and of how they are split.
@Suite struct CountingTests {
    private let run: RolloutRun
    private let scenario: AnalyticsScenario
    private let window: ClosedRange<Day>

    init() throws {
        run = try RolloutRun()
        let first = try #require(Day(iso8601: "2026-09-28"))
        var scenario = AnalyticsScenario(seed: 7, days: first...first.advanced(by: 9), percent: 50)
        (scenario.pool, scenario.activePerDay, scenario.failing) = (400, 60, 0.1)
        (scenario.withoutUser, scenario.stumbling) = (0.05, 0.3)
        self.scenario = scenario
        window = first.advanced(by: 3)...first.advanced(by: 6)
    }

    private func text(_ rows: [AnalyticsRow]) -> [UInt8] { AnalyticsTransport.extract.bytes(rows) }

    @Test func countsAreThoseOfTheRows() throws {
        let rows = scenario.rows()
        let result = try run.read([text(rows)])
        let counts = RolloutCounts(result.tally, window: window)
        let truth = AnalyticsTruth(rows, window: window)
        #expect(counts.days.map(\.day) == truth.days.keys.sorted())
        for day in counts.days {
            let expected = try #require(truth.days[day.day])
            #expect(day.count == expected.count)
            #expect(day.succeeded == expected.succeeded.count)
            #expect(day.failed == expected.failed.count)
        }
        #expect(counts.total == truth.inWindow.count)
        #expect(counts.total.failedOnly > 0)
        #expect(counts.returning.users == truth.inWindow.all.intersection(truth.returning).count)
        #expect(counts.returning.failedOnly == truth.inWindow.failedOnly.intersection(truth.returning).count)
        #expect(counts.able == truth.iOSUsers.subtracting(truth.unsupported).count)
        #expect(counts.outdated == 0)
        #expect(counts.unsupported == truth.unsupported.count)
        #expect(counts.versions.count == truth.versions.count)
        for (client, count) in counts.versions {
            let version = AnalyticsTruth.Version(version: client.version, system: Int(client.os) ?? 0)
            #expect(count == truth.versions[version]?.count)
            #expect(client.app == "com.example.app")
        }
        #expect(result.tally.withoutUser == rows.count { $0.user == nil })
        #expect(result.input.records == rows.count)
        #expect(result.input.problems.entries.isEmpty)
    }

    /// Order, repetition, splitting, compression and the size of chunks change nothing.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func orderAndSplitChangeNothing(_ seed: UInt64) throws {
        let rows = scenario.rows()
        let expected = Shown(try run.read([text(rows)]), window: window)
        var random = SeededGenerator(seed: seed)
        let shuffled = (rows + rows.prefix(500)).shuffled(using: &random)
        let parts = Int.random(in: 1...5, using: &random)
        let texts = (0..<parts).map { part -> [UInt8] in
            let rows = shuffled.indices.filter { $0 % parts == part }.map { shuffled[$0] }
            switch part % 3 {
            case 0: return text(rows)
            case 1: return Gzip.member(text(rows))
            default: return AnalyticsTransport.query.bytes(rows)
            }
        }
        let chunkBytes = [256 << 10, 64, 4096].randomElement(using: &random) ?? 64
        #expect(Shown(try run.read(texts, chunkBytes: chunkBytes), window: window) == expected)
    }

    /// The intraday table of a day and its daily table hold the same events, the latter late ones, too.
    @Test func intradayRowsCountOnce() throws {
        let rows = scenario.rows()
        let day = window.upperBound
        let isLate = rows.indices.map { $0 % 7 == 0 }
        let intraday = rows.indices.filter { rows[$0].day == day && !isLate[$0] }.map { rows[$0] }
        let daily = rows.filter { $0.day <= day }
        let expected = Shown(try run.read([text(daily)]), window: window)
        #expect(expected.days.last?.day == day)
        #expect(Shown(try run.read([text(intraday), text(daily)]), window: window) == expected)
        let gzipped = AnalyticsTransport.gzippedExtract.bytes(intraday)
        #expect(Shown(try run.read([text(daily), gzipped]), window: window) == expected)
        #expect(Shown(try run.read([text(intraday)]), window: window) != expected)
    }

    /// Three weeks that do not begin with a stretch, years apart and in any order; a user has several versions.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func usersOfManyDays(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tally = EventTally(horizon: Day(number: 60_000))
        tally.clients = (0..<3).map { ClientVersion(app: "a", version: "\($0)", os: "18") }
        let hashes = (0..<40).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        let anyDay = Int32.random(in: 0...40_000, using: &random)
        var users: [Day: Set<UInt64>] = [:]
        var failed: [Day: Set<UInt64>] = [:]
        for _ in 0..<4000 {
            let isFar = Int.random(in: 0...9, using: &random) == 0
            let day = Day(
                number: isFar ? .random(in: 0...60_000, using: &random) : anyDay + .random(in: 0...50, using: &random))
            let user = hashes.randomElement(using: &random) ?? 0
            let fails = Bool.random(using: &random)
            tally.count(fails ? .failure : .success, user: user, day: day, client: .random(in: 0..<3, using: &random))
            users[day, default: []].insert(user)
            if fails { failed[day, default: []].insert(user) }
        }
        let counts = RolloutCounts(tally, window: Day(number: 0)...Day(number: 60_000))
        #expect(counts.days.map(\.day) == users.keys.sorted())
        #expect(counts.days.map(\.count.users) == users.keys.sorted().map { users[$0]?.count })
        #expect(counts.days.map(\.failed) == users.keys.sorted().map { failed[$0]?.count ?? 0 })
        #expect(counts.total.users == hashes.count)
        #expect(counts.versions.map(\.count.users) == [40, 40, 40])
    }

    /// `bq query` writes every scalar as a string, nulls, and white space.
    @Test func shapesOfRows() throws {
        let query = """
            [
              {
                "app_info": {"id": "com.example.app", "version": "2.0"},
                "device": {"operating_system_version": "iOS 16.0"},
                "event_date": "20261012", "event_name": "AppAttestFailure", "event_timestamp": "1791763200000000",
                "platform": "IOS", "user_id": null, "user_pseudo_id": "a"
              },
              {"event_date": "2026-10-12", "event_name": "AppAttestSuccess", "user_pseudo_id": "b"},
              {"event_name": "AppAttestSuccess", "event_timestamp": 1791763200000000, "user_pseudo_id": "c"},
              {"event_date": "20261012", "event_name": "AppAttestSuccess", "platform": "WEB", "user_pseudo_id": "d"},
              {"event_date": "20261012", "event_name": "AppAttestSuccess", "user_pseudo_id": null},
              {"event_date": "20261340", "event_name": "AppAttestSuccess", "user_pseudo_id": "e"},
              {"event_date": null, "event_name": "AppAttestAvailable", "user_pseudo_id": "f", "platform": "IOS"}
            ]
            """
        let result = try run.read(query)
        let day = try #require(Day(iso8601: "2026-10-12"))
        let counts = RolloutCounts(result.tally, window: day...day)
        #expect(counts.total == UserCount(users: 3, failedOnly: 1))
        #expect(result.tally.withoutUser == 1)
        #expect(result.tally.undated == 1)
        #expect(result.tally.newest?.description == "2026-10-12T00:00:00Z")
        #expect(counts.versions.first?.client == ClientVersion(app: "com.example.app", version: "2.0", os: "16"))
        #expect(!counts.hasOtherEvents)
    }

    /// A user spelled with escapes is the same user.
    @Test func escapedSpellings() throws {
        let escaped =
            #"{"\u0065vent_name":"AppAttest\u0046ailure","event_date":"20261012","user_pseudo_id":"som\u0065one"}"#
        let result = try run.read("\(row())\n\(escaped)\n")
        let day = try #require(Day(iso8601: "2026-10-12"))
        #expect(RolloutCounts(result.tally, window: day...day).total == UserCount(users: 1, failedOnly: 0))
    }

    @Test func damageIsReported() throws {
        let lines =
            "\(row())\n{\"event_name\": \"AppAttestFailure\", \"user_pseudo_id\": \n\(row(user: "b"))\n{\"a\":1}\n"
        let result = try run.read(lines)
        #expect(result.input.records == 4)
        #expect(result.input.malformed == 1)
        #expect(result.input.unexpected == 1)
        #expect(result.input.problems.entries.map(\.kind) == [.malformedRecord, .unexpectedContainer])
        #expect(result.tally.attestations == 2)
        let cut = try run.read([Array(Gzip.member(text(scenario.rows())).dropLast(2000))])
        #expect(cut.input.faults == [.damaged])
        #expect(cut.tally.attestations > 0)
    }

    /// Advice is about rows, not about logs.
    @Test(arguments: [
        "event_date,event_name,user_pseudo_id\n20261012,AppAttestSuccess,a\n", "+-----+\n| event_name |\n+-----+\n",
    ])
    func tablesAreRefused(_ text: String) throws {
        let result = try run.read(text)
        #expect(result.input.faults == [.unsupported])
        #expect(result.input.problems.entries.first?.detail.contains("bq extract") == true)
    }

    /// Log entries are recognised by content, and so is a template.
    @Test func otherRecords() throws {
        let entry = #"{"insertId":"1","logName":"projects/p/logs/l","resource":{"type":"cloud_function"}}"#
        let result = try run.read(row(), entry, #"{"parameters":{},"conditions":[]}"#)
        #expect(result.tally.logEntries == 1)
        #expect(result.templates.count == 1)
        #expect(result.input.unexpected == 0)
    }

    @Test func tooManyUsersAreNotedAndNotCounted() {
        var tally = EventTally(horizon: Day(number: 30_000), userLimit: 3)
        for user in 0..<3 as Range<UInt64> {
            for _ in 0..<2 { tally.count(.success, user: user << 40, day: Day(number: 20_000), client: 0) }
        }
        #expect(!tally.hasTooManyUsers)
        tally.count(.success, user: 9 << 40, day: Day(number: 20_000), client: 0)
        #expect(tally.hasTooManyUsers)
    }

    /// A forged date in the future shows, and moves no window.
    @Test func laterDaysDoNotCount() {
        var tally = EventTally(horizon: Day(number: 20_000))
        tally.widen(day: Day(number: 20_000), instant: nil)
        tally.widen(day: Day(number: 20_001), instant: Instant(seconds: 1 << 40))
        #expect(tally.newestDay == Day(number: 20_000))
        #expect(tally.newest == nil)
    }

    /// What cannot be a row is never counted and never stops a run.
    @Test(arguments: [
        "{}", "[]", "null", "[[[[", #"{"event_name":{}}"#,
        #"{"event_name":"AppAttestSuccess","user_pseudo_id":{"a":1}}"#,
        #"{"event_name":"AppAttestSuccess","user_pseudo_id":"a","event_date":"99999999"}"#,
        #"{"event_name":"AppAttestSuccess","user_pseudo_id":"a","event_date":"00000000"}"#,
        #"{"event_name":"AppAttestSuccess","user_pseudo_id":"a","event_timestamp":"-1"}"#,
        #"{"event_name":"AppAttestSuccess","user_pseudo_id":"a","event_timestamp":"999999999999999999999"}"#,
        #"{"event_name":"AppAttestSuccess","app_info":[],"device":"x","user_pseudo_id":""}"#,
        #"{"result":{"result":{"result":[]}}}"#, "\u{0}", "{\"event_name\":\"AppAttestSuccess\"",
    ])
    func hostileRows(_ text: String) throws {
        let result = try run.read("\(row())\n\(text)\n\(row(user: "b"))\n")
        let counts = RolloutCounts(result.tally, window: Day(number: 0)...Day(number: 30_000))
        #expect(counts.total.users <= 2)
    }

    /// If a few bytes change, nothing is counted twice and nothing traps.
    @Test func changedBytes() throws {
        let rows = Array(scenario.rows().prefix(40))
        let whole = text(rows)
        let users = Set(rows.compactMap(\.user)).count
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] =
                    [0x22, 0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x0A, 0x5C, 0x00, 0xFF].randomElement(using: &random) ?? 0
            }
            let counts = RolloutCounts(try run.read([bytes]).tally, window: Day(number: 0)...Day(number: 30_000))
            #expect(counts.total.users <= users + 4)
        }
    }
}
