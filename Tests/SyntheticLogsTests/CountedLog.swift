import Foundation
import SyntheticLogs
import Verifications

/// What a reader finds in newline-delimited entries, counted with Foundation's JSON and nothing of the generator.
struct CountedLog: Equatable {
    struct Cell: Hashable {
        let function: FunctionIdentity
        /// nil for entries without a time.
        let date: String?
        let app: String
        let auth: String
    }

    struct StreamDay: Hashable {
        let project: String
        let generation: Generation
        let date: String
    }

    var records = 0
    var verifications = 0
    var duplicates = 0
    var undated = 0
    var cells: [Cell: Int] = [:]
    /// Hours with a blocked request, by function and date.
    var blockedHours: [Cell: UInt32] = [:]
    var failed: [StreamDay: Int] = [:]
    var errorStreamDays: Set<StreamDay> = []

    /// Counts by reading lines.
    init(lines: [String]) throws {
        var seen: Set<[String]> = []
        for line in lines {
            records += 1
            let entry = try LoggedEntry(line: line)
            if let date = entry.date, entry.logName.hasSuffix("run.googleapis.com%2Fstderr") {
                errorStreamDays.insert(StreamDay(project: entry.function.project, generation: .second, date: date))
            }
            guard entry.labels["firebase-log-type"] == "callable-request-verification" else { continue }
            if let time = entry.timestamp {
                let key = [entry.function.project, entry.logName, time, entry.insertID]
                guard seen.insert(key).inserted else {
                    duplicates += 1
                    continue
                }
            } else {
                undated += 1
            }
            verifications += 1
            count(entry)
        }
    }

    private mutating func count(_ entry: LoggedEntry) {
        let (app, auth) = (entry.status("app"), entry.status("auth"))
        cells[Cell(function: entry.function, date: entry.date, app: app, auth: auth), default: 0] += 1
        guard let date = entry.date, let hour = entry.hour else { return }
        if app != "VALID" && auth != "INVALID" {
            blockedHours[Cell(function: entry.function, date: date, app: "", auth: ""), default: 0] |= 1 << UInt32(hour)
        }
        if app == "INVALID" || auth == "INVALID", let generation = entry.function.generation {
            failed[StreamDay(project: entry.function.project, generation: generation, date: date), default: 0] += 1
        }
    }

    /// The same counts, as the generator's truth has them.
    init(_ truth: Truth) {
        records = truth.records
        verifications = truth.verifications
        duplicates = truth.duplicates
        undated = truth.undated
        for function in truth.functions {
            add(function.undated, of: function.identity, date: nil)
            for day in function.days {
                add(day.counts, of: function.identity, date: day.day.description)
                if day.blockedHours > 0 {
                    let cell = Cell(function: function.identity, date: day.day.description, app: "", auth: "")
                    blockedHours[cell] = day.blockedHours
                }
            }
        }
        for stream in truth.streams {
            for (day, count) in stream.failed {
                failed[StreamDay(project: stream.project, generation: stream.generation, date: "\(day)")] = count
            }
            for day in stream.errorStreamDays {
                errorStreamDays.insert(
                    StreamDay(project: stream.project, generation: stream.generation, date: "\(day)"))
            }
        }
    }

    private mutating func add(_ counts: StatusCounts, of function: FunctionIdentity, date: String?) {
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases where counts[app, auth] > 0 {
                cells[Cell(function: function, date: date, app: app.name, auth: auth.name)] = counts[app, auth]
            }
        }
    }
}

/// One line, parsed.
struct LoggedEntry {
    struct NoEntry: Error {}

    let fields: [String: Any]
    let labels: [String: String]
    let logName: String
    let insertID: String
    let timestamp: String?
    let function: FunctionIdentity

    init(line: String) throws {
        guard
            let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let labels = fields["labels"] as? [String: String], let logName = fields["logName"] as? String,
            let insertID = fields["insertId"] as? String, let resource = fields["resource"] as? [String: Any],
            let resourceLabels = resource["labels"] as? [String: String],
            let project = resourceLabels["project_id"],
            let name = resourceLabels["function_name"] ?? resourceLabels["service_name"],
            let region = resourceLabels["region"] ?? resourceLabels["location"]
        else { throw NoEntry() }
        self.fields = fields
        self.labels = labels
        self.logName = logName
        self.insertID = insertID
        timestamp = fields["timestamp"] as? String
        let generation: Generation = resource["type"] as? String == "cloud_function" ? .first : .second
        function = FunctionIdentity(project: project, region: region, name: name, generation: generation)
    }

    var date: String? { timestamp.map { String($0.prefix(10)) } }

    var hour: Int? { timestamp.flatMap { Int($0.dropFirst(11).prefix(2)) } }

    var isVerification: Bool { labels["firebase-log-type"] != nil }

    var severity: String? { fields["severity"] as? String }

    func status(_ token: String) -> String {
        let payload = fields["jsonPayload"] as? [String: Any]
        let status = (payload?["verifications"] as? [String: String])?[token] ?? ""
        return ["VALID", "INVALID", "MISSING"].contains(status) ? status : "OTHER"
    }
}

extension Scenario {
    /// One day of three functions, of generation 1 with either SDK and of generation 2, each called ten times with
    /// every pair of statuses; one record in five is a verification.
    static func everyStatus(seed: UInt64) -> Scenario {
        let requests = TokenStatus.allCases.flatMap { app in
            TokenStatus.allCases.map { Requests(10, app: app, auth: $0) }
        }
        let functions = [
            FunctionProfile(name: "submitScore", generation: .first, sdk: .version3, days: [requests]),
            FunctionProfile(name: "castVote", generation: .first, days: [requests]),
            FunctionProfile(name: "addMessage", days: [requests]),
        ]
        var scenario = Scenario(seed: seed, firstDay: lastCorpusDay, functions: functions)
        scenario.recordsPerVerification = 5
        return scenario
    }

    /// All lines of the scenario, and its truth.
    func lines() throws -> (lines: [String], truth: Truth) {
        let (bytes, truth) = try bytes()
        return (String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init), truth)
    }

    func bytes() throws -> (bytes: [UInt8], truth: Truth) {
        let collected = Collected()
        let truth = try write { collected.bytes += $1 }
        return (collected.bytes, truth)
    }
}

final class Collected {
    var bytes: [UInt8] = []
}
