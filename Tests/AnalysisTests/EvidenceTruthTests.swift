import Entries
import Foundation
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// What callcheck reads of callers is what a reader finds that keeps every entry and asks each for what belongs to it.
@Suite struct EvidenceTruthTests {
    /// What one function and day show, in few numbers.
    struct Shown: Equatable {
        var openRows = 0, unlogged = 0, withRow = 0
        var isAllowing = false
        var joined = 0, signedIn = 0, blocked = 0, failing = 0
        var kinds: [String: Int] = [:]
        var blockedKinds: [String: Int] = [:]
        var causes: [String: Int] = [:]

        init() {}

        init(_ found: ShownCallers) {
            (openRows, unlogged, withRow) = (found.openRows, found.unlogged, found.withRow)
            isAllowing = found.isAllowing
            (joined, signedIn, blocked, failing) = (found.joined, found.signedIn, found.blocked, found.failing)
            for (client, count) in found.clients() { kinds[client.kind.name, default: 0] += count }
            for (client, count) in found.clients(blocked: true) { blockedKinds[client.kind.name, default: 0] += count }
            for (cause, count) in zip(RefusalCause.allCases, found.causes) where count > 0 {
                causes[cause.name] = count
            }
        }
    }

    /// Every transport that leaves nothing out, with late rows, preflights, copies and many requests at once.
    @Test(arguments: Tier.some(of: Transport.allCases.filter { $0.loss.isEmpty }, every: 3), [UInt64(51), 52])
    func readersAgree(transport: Transport, seed: UInt64) throws {
        var scenario = Scenario.small(.mixed, seed: seed, requests: 400, undatedShare: 0)
        scenario.recordsPerVerification = 4
        scenario.lateShare = 0.2
        let truth = try PatientReader(WrittenLog(scenario, as: .lines).parts).shown
        let read = try ReadLogs(WrittenLog(scenario, as: transport, shards: 4).parts, jobs: 2).result.tally
        #expect(Set(read.functions.keys).isSuperset(of: truth.keys))
        for (function, table) in read.functions {
            let days = Set(table.cells.map(\.day)).union(table.allowingDays)
            let shown = Dictionary(
                uniqueKeysWithValues: days.map { ("\($0)", Shown(ShownCallers(table, on: $0))) })
            for day in Set(shown.keys).union((truth[function] ?? [:]).keys) {
                let (found, wanted) = (shown[day] ?? Shown(), truth[function]?[day] ?? Shown())
                #expect(found == wanted, "\(function.name) on \(day)")
            }
        }
        let all = truth.values.flatMap(\.values)
        // It is about something.
        #expect(all.contains { $0.withRow > 5 } && all.contains { !$0.causes.isEmpty })
        #expect(all.contains { $0.isAllowing } && all.contains { $0.failing > 0 })
        #expect(all.reduce(into: Set()) { $0.formUnion($1.blockedKinds.keys) }.count > 2)
    }
}

/// Keeps all entries of a log in JSON lines, by the book of the contract and without any haste.
private struct PatientReader {
    private struct Entry {
        let fields: [String: Any]
        let function: FunctionIdentity
        let isSecond: Bool

        init?(_ line: Data) throws {
            guard let fields = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                let resource = fields["resource"] as? [String: Any],
                let labels = resource["labels"] as? [String: String]
            else { return nil }
            self.fields = fields
            isSecond = resource["type"] as? String == "cloud_run_revision"
            guard let project = labels["project_id"], let region = labels[isSecond ? "location" : "region"],
                let name = labels[isSecond ? "service_name" : "function_name"]
            else { return nil }
            function = FunctionIdentity(
                project: project, region: region, name: name, generation: isSecond ? .second : .first)
        }

        /// With nine digits of a second, so that times compare as text.
        var time: String {
            let parts = (fields["timestamp"] as? String ?? "").dropLast().split(separator: ".")
            guard let second = parts.first else { return "" }
            return second + "." + (parts.dropFirst().joined() + "000000000").prefix(9)
        }
        var day: String { String(time.prefix(10)) }
        var labels: [String: Any] { fields["labels"] as? [String: Any] ?? [:] }
        var execution: String? { labels["execution_id"] as? String }
        var log: String { fields["logName"] as? String ?? "" }
        var request: [String: Any]? { fields["httpRequest"] as? [String: Any] }
        /// Trace and span, as numbers.
        func link(radix: Int) -> String? {
            guard let trace = fields["trace"] as? String, let span = fields["spanId"] as? String,
                let number = UInt64(span, radix: radix)
            else { return nil }
            return "\(function) \(trace) \(number)"
        }
        var statuses: (app: String, auth: String)? {
            guard labels["firebase-log-type"] as? String == "callable-request-verification",
                let payload = fields["jsonPayload"] as? [String: Any],
                let verifications = payload["verifications"] as? [String: String]
            else { return nil }
            return (verifications["app"] ?? "", verifications["auth"] ?? "")
        }
    }

    private(set) var shown: [FunctionIdentity: [String: EvidenceTruthTests.Shown]] = [:]

    init(_ parts: [[UInt8]]) throws {
        var known: Set<String> = []
        let entries = try parts.flatMap { $0.split(separator: UInt8(ascii: "\n")) }.compactMap { line -> Entry? in
            guard let entry = try Entry(Data(line)) else { return nil }
            let copy = "\(entry.log) \(entry.time) \(entry.fields["insertId"] ?? "")"
            return known.insert(copy).inserted ? entry : nil
        }
        let verifications = entries.filter { $0.statuses != nil }
        let functions = Set(verifications.map(\.function))
        let rows = entries.filter {
            $0.isSecond && $0.log.hasSuffix("%2Frequests") && $0.request?["requestMethod"] as? String == "POST"
                && functions.contains($0.function)
        }
        var taken: Set<String> = []
        let rowsByLink = Dictionary(
            rows.compactMap { row in row.link(radix: 16).map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
        for verification in verifications {
            let statuses = try #require(verification.statuses)
            explain(verification, statuses, among: entries)
            guard verification.isSecond, let link = verification.link(radix: 10), let row = rowsByLink[link] else {
                continue
            }
            taken.insert(link)
            let status = row.request?["status"] as? Int ?? 0
            let kind = PatientReader.kind(row.request?["userAgent"] as? String ?? "")
            change(verification) { day in
                day.withRow += 1
                guard statuses.auth != "INVALID" else { return }
                day.joined += 1
                if statuses.auth == "VALID" { day.signedIn += 1 }
                day.kinds[kind, default: 0] += 1
                guard statuses.app != "VALID" else { return }
                day.blocked += 1
                day.blockedKinds[kind, default: 0] += 1
                if status >= 400 { day.failing += 1 }
            }
        }
        for row in rows {
            let isSuccess = (200..<300).contains(row.request?["status"] as? Int ?? 0)
            let isTaken = row.link(radix: 16).map(taken.contains) ?? false
            guard !isTaken else { continue }
            change(row) { day in
                day.openRows += 1
                if isSuccess { day.unlogged += 1 }
            }
        }
        for entry in entries where functions.contains(entry.function) {
            guard (entry.fields["textPayload"] as? String)?.hasPrefix("Allowing request with invalid AppCheck") == true
            else { continue }
            change(entry) { $0.isAllowing = true }
        }
    }

    private mutating func change(_ entry: Entry, _ change: (inout EvidenceTruthTests.Shown) -> Void) {
        change(&shown[entry.function, default: [:]][entry.day, default: EvidenceTruthTests.Shown()])
    }

    /// The first cause of its execution, if it was written before.
    private mutating func explain(
        _ verification: Entry, _ statuses: (app: String, auth: String), among entries: [Entry]
    ) {
        guard statuses.app == "INVALID", let execution = verification.execution else { return }
        let causes = entries.filter {
            $0.execution == execution && $0.function == verification.function && $0.time <= verification.time
        }.sorted { $0.time < $1.time }.compactMap { PatientReader.cause($0.fields["textPayload"] as? String ?? "") }
        guard let cause = causes.first else { return }
        change(verification) { day in
            if statuses.auth != "INVALID" { day.causes[cause, default: 0] += 1 }
        }
    }

    private static func cause(_ text: String) -> String? {
        guard text.hasPrefix("Failed to validate AppCheck token.") else { return nil }
        if text.contains("Decoding App Check token failed") { return "placeholder" }
        if text.contains("has expired") { return "expired" }
        return text.contains("invalid signature") ? "forged" : "unexplained"
    }

    private static func kind(_ agent: String) -> String {
        if agent.hasPrefix("com.example.") { return "ios" }
        if agent.hasPrefix("okhttp/") { return "android" }
        if agent.contains("; wv)") { return "androidWebView" }
        if agent.hasPrefix("Mozilla/") { return "web" }
        if agent.hasPrefix("curl/") || agent.hasPrefix("Postman") { return "tool" }
        return agent.isEmpty ? "none" : "server"
    }
}
