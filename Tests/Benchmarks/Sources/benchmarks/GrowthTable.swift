import Foundation

/// How cost grows with each thing that a log can have more of.
struct GrowthTable {
    private let options: Options
    private let folder: URL
    private static let factors = [1, 2, 4, 8]

    /// What a log holds.
    private struct Shape {
        var requests = 40_000
        var functions = 40
        var projects = 1
        var days = 28
        /// In how many hours each function has requests; nil for as many as there are.
        var hours: Int?
        var files = 1
        /// How many revisions of each function follow one another.
        var revisions = 1
        /// How many sites the requests come from; none for an app.
        var sites = 0
        /// Rows of the request log of services without verifications.
        var otherRows = 0
        var otherServices = 200
        /// How many requests name one trace, and no span.
        var sharing = 1
    }

    private struct Row: Sendable {
        let title: String
        let unit: String
        var number: Int
        var usesStore = false
        /// False where the log stays as long as it is.
        var growsLog = true
        let change: @Sendable (inout Shape, Int) -> Void
    }

    private static let rows = [
        Row(title: "records", unit: "80,000", number: 40_000) { $0.requests = $1 },
        Row(title: "functions", unit: "250", number: 250, growsLog: false) { $0.functions = $1 },
        Row(title: "projects of 5 functions", unit: "50", number: 50, growsLog: false) {
            ($0.projects, $0.functions) = ($1, 5)
        },
        Row(title: "days of a log", unit: "3", number: 3, growsLog: false) { $0.days = $1 },
        Row(title: "cells", unit: "3,000", number: 3_000, growsLog: false) { $0.hours = $1 / $0.functions },
        Row(title: "revisions of each function", unit: "5", number: 5, growsLog: false) { $0.revisions = $1 },
        Row(title: "sites", unit: "50", number: 50, growsLog: false) { $0.sites = $1 },
        Row(title: "files", unit: "500", number: 500, growsLog: false) { $0.files = $1 },
        Row(title: "rows of other services", unit: "80,000", number: 80_000) { $0.otherRows = $1 },
        Row(title: "other services", unit: "500", number: 500, growsLog: false) {
            ($0.otherRows, $0.otherServices) = (80_000, $1)
        },
        Row(title: "requests of one trace", unit: "500", number: 500, growsLog: false) { $0.sharing = $1 },
        Row(title: "days of a store", unit: "50", number: 50, usesStore: true) {
            ($0.days, $0.requests) = ($1, $1 * 1000)
        },
    ]

    init(_ options: Options) {
        self.options = options
        folder = options.folder.appending(path: "growth")
    }

    func run() throws {
        let heads = GrowthTable.factors.map { "×\($0)".leftPadded(to: 15) }.joined()
        print("what grows".padded(to: 26) + "from".leftPadded(to: 8) + heads)
        for row in GrowthTable.rows {
            let commands = try GrowthTable.factors.map { try command(row, factor: $0) }
            let costs = try commands.map { command in
                _ = try command.run()
                return try (0..<options.rounds).map { _ in try command.run() }
            }
            let first = median(costs[0].map(\.processorSeconds))
            let cells = costs.map { runs in
                let seconds = median(runs.map(\.processorSeconds))
                let memory = median(runs.map(\.residentMiB))
                return " \((seconds / first).formatted(decimals: 2)) \(Int(memory)) MiB".leftPadded(to: 15)
            }
            print(row.title.padded(to: 26) + row.unit.leftPadded(to: 8) + cells.joined())
        }
        print("Processor time, ×1 = 1, and peak memory; medians of \(options.rounds) rounds, one job.")
        try FileManager.default.removeItem(at: folder)
    }

    private func command(_ row: Row, factor: Int) throws -> Command {
        var shape = Shape()
        row.change(&shape, row.number * factor)
        let log = folder.appending(path: "\(row.title) \(factor)")
        try write(shape, to: log)
        guard row.usesStore else { return Command(options.program.path, ["-j", "1", log.path]) }
        let store = log.path + ".db"
        _ = try Command(options.program.path, ["store", "add", store, "--set", "retention=3650", log.path]).run()
        return Command(options.program.path, ["report", "-j", "1", "--store", store])
    }

    /// Writes a log in which each request has a verification and a row.
    private func write(_ shape: Shape, to log: URL) throws {
        try? FileManager.default.removeItem(at: log)
        try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
        let calendar = ISO8601DateFormatter()
        let end = Date(timeIntervalSince1970: 1_791_979_200)
        let span = Double(shape.days) * 86_400
        for file in 0..<shape.files {
            let place = log.appending(path: "\(file).json")
            try Data().write(to: place)
            let handle = try FileHandle(forWritingTo: place)
            var text = ""
            // In pieces: what this process holds is lent to those it starts.
            func flush(_ limit: Int) throws {
                guard text.utf8.count >= limit else { return }
                try handle.write(contentsOf: Data(text.utf8))
                text = ""
            }
            for index in stride(from: file, to: shape.requests, by: shape.files) {
                let part = index * shape.functions * shape.projects / shape.requests
                let project = "project-\(part / shape.functions)"
                // The instants of a function lie over all days.
                let place = Double(index &* 7919 % shape.requests) / Double(shape.requests)
                let share = shape.hours.map { (place * Double($0)).rounded(.down) / Double($0) } ?? place
                let resource = GrowthTable.resource(
                    "fn-\(part % shape.functions)", project, revision: 1 + Int(share * Double(shape.revisions)))
                let time = calendar.string(from: end.addingTimeInterval((share - 1) * span)).dropLast()
                let trace = String(format: "%032lx", index / shape.sharing &* 2_654_435_761 &+ 1)
                let spanID = shape.sharing > 1 ? "" : #""spanId":"\#(String(format: "%016lx", index &+ 1))","#
                let common = #"\#(spanID)"trace":"projects/\#(project)/traces/\#(trace)",\#(resource)"#
                text += #"{"insertId":"v\#(index)","timestamp":"\#(time).2Z",\#(common),"severity":"DEBUG","#
                text += #""logName":"projects/\#(project)/logs/run.googleapis.com%2Fstdout","#
                text += #""labels":{"firebase-log-type":"callable-request-verification","instanceId":"i","#
                text += #""execution_id":"x\#(index)"},"#
                text += #""jsonPayload":{"message":"Callable request verification passed","#
                text += #""verifications":{"app":"VALID","auth":"VALID"}}}"# + "\n"
                let site = shape.sites > 0 ? index % shape.sites : nil
                text += GrowthTable.row("r\(index)", time: "\(time).1Z", project, common, site: site)
                try flush(1 << 16)
            }
            for index in stride(from: file, to: shape.otherRows, by: shape.files) {
                let resource = GrowthTable.resource("site-\(index % shape.otherServices)", "project-0")
                let time = calendar.string(from: end.addingTimeInterval(-Double(index % 2_000_000))).dropLast()
                let trace = String(format: "%032lx", index &* 2_654_435_761 &+ 3)
                text += GrowthTable.row(
                    "o\(index)", time: "\(time)Z", "project-0",
                    #""trace":"projects/project-0/traces/\#(trace)","spanId":"\#(index + 1)",\#(resource)"#)
                try flush(1 << 16)
            }
            try flush(0)
            try handle.close()
        }
    }

    private static func resource(_ function: String, _ project: String, revision: Int = 1) -> String {
        #""resource":{"type":"cloud_run_revision","labels":{"project_id":"\#(project)","service_name":"\#(function)","#
            + #""location":"us-central1","revision_name":"\#(function)-\#(String(format: "%05d", revision))-abc"}}"#
    }

    private static func row(
        _ id: String, time: String, _ project: String, _ common: String, site: Int? = nil
    ) -> String {
        let browser = site.map { #""Mozilla/5.0 Chrome/140.0","referer":"https://site-\#($0).example/""# }
        let client = browser ?? #""okhttp/4.12.0""#
        return #"{"insertId":"\#(id)","timestamp":"\#(time)",\#(common),"severity":"INFO","#
            + #""logName":"projects/\#(project)/logs/run.googleapis.com%2Frequests","httpRequest":{"#
            + #""requestMethod":"POST","status":200,"userAgent":\#(client),"#
            + #""requestUrl":"https://f/"}}"# + "\n"
    }
}
