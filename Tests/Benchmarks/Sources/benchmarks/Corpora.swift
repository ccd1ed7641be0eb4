import Foundation
import SyntheticLogs

/// The logs that are measured, made once for each size and kept.
struct Corpora {
    /// Plain bytes of each.
    let bytes: Int
    let folder: URL

    /// - Throws: When the generator refuses the size.
    init(_ options: Options) throws {
        bytes = options.bytes ?? 1_000_000_000
        // Logs that another version of the generator made are not these.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for scenario in [Scenario.mixed(seed: 1), .dense(seed: 1)] {
            _ = try scenario.scaled(toBytes: 300_000).write { _, chunk in
                for byte in chunk { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            }
        }
        folder = options.folder.appending(path: "\(bytes)-\(String(hash, radix: 16))")
    }

    static let shardCount = 8
    /// The number of files of about 10 KB, which are a tenth of `bytes` in all; at least ten.
    var smallFileCount: Int { max(10, bytes / 100_000) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    var mixed: String { path("mixed.json.gz") }
    var plain: String { path("mixed.json") }
    var dense: String { path("dense.json.gz") }
    /// The mixed log as one array, as gcloud prints it, without white space.
    var array: String { path("array.json.gz") }
    var plainArray: String { path("array.json") }
    /// A log like the mixed one, of a tenth of its size, as one array.
    var smallArray: String { path("small-array.json") }
    var shards: [String] { (0..<Corpora.shardCount).map { path("shards/mixed-\($0).json.gz") } }
    /// A folder with files of about 10 KB.
    var smallFiles: String { path("small") }
    /// A folder with a log in 10,000 files, as a sink of many functions fills one in a day.
    var manyFiles: String { path("many") }
    private static let manyFileCount = 10_000

    /// A kind of log that people have, made of the mixed one by a script that reads it and writes lines.
    private struct Kind {
        let title: String
        let script: String
    }

    private static let withoutSpans = #"s/,"spanId":"[^"]*"//;s/"spanId":"[^"]*",//"#
    private static let zeros = String(repeating: "0", count: 30)
    private static let kinds = [
        Kind(title: "without spans", script: "sed -E '\(withoutSpans)'"),
        Kind(
            title: "a trace for a thousand",
            script: #"sed -E '\#(withoutSpans);s#(/traces/[0-9a-f]{2})[0-9a-f]{30}#\1\#(zeros)#'"#),
        Kind(title: "generation 1", script: #"grep '"cloud_function"'"#),
        Kind(title: "rows alone", script: "grep 'run.googleapis.com%2Frequests'"),
        Kind(title: "few rows", script: "awk '/run.googleapis.com%2Frequests/ && rows++ % 3 == 0 { next } 1'"),
    ]

    /// A log of functions that firebase-tools before 13.33 has deployed.
    var withoutSpans: String { path("without spans.json.gz") }

    /// The kinds of logs that people have, by title.
    var kinds: [(title: String, path: String)] {
        [("mixed", mixed), ("dense", dense), ("Python", path("python.json.gz"))]
            + Corpora.kinds.map { ($0.title, path("\($0.title).json.gz")) }
    }

    /// Makes what is missing.
    func make() throws {
        if FileManager.default.fileExists(atPath: path("complete")) { return }
        try? FileManager.default.removeItem(at: folder)
        for name in ["shards", "small", "many"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let scenario = try Scenario.mixed(seed: 1).scaled(toBytes: bytes)
        try write(scenario, to: [plain])
        try write(.dense(seed: 1).scaled(toBytes: bytes), to: [path("dense.json")])
        try write(scenario, to: shards.map { String($0.dropLast(".gz".count)) })
        let small = try Scenario.mixed(seed: 2).scaled(toBytes: smallFileCount * 10_000)
        try write(small, to: (0..<smallFileCount).map { "\(smallFiles)/\($0).json" })
        try write(scenario, to: (0..<Corpora.manyFileCount).map { "\(manyFiles)/\($0).json" })
        try write(scenario, as: .array, to: [plainArray])
        try write(.mixed(seed: 1).scaled(toBytes: bytes / 10), as: .array, to: [smallArray], compressed: false)
        try write(.dense(seed: 1).scaled(toBytes: bytes / 2), as: .pythonText, to: [path("python.json")])
        for kind in Corpora.kinds {
            let file = path("\(kind.title).json")
            _ = try Command("sh", ["-c", "\(kind.script) '\(plain)' > '\(file)'"]).run()
            try compress([file])
        }
        try Data().write(to: folder.appending(path: "complete"))
    }

    private func write(
        _ scenario: Scenario, as transport: Transport = .lines, to paths: [String], compressed: Bool = true
    ) throws {
        // Opened for each piece: the small files are more than a process may have open.
        for path in paths { try Data().write(to: URL(filePath: path)) }
        _ = try scenario.write(as: transport, shards: paths.count) { shard, chunk in
            let file = try FileHandle(forWritingTo: URL(filePath: paths[shard]))
            try file.seekToEnd()
            try file.write(contentsOf: chunk)
            try file.close()
        }
        if compressed { try compress(paths) }
    }

    /// Compresses files at level 6 and keeps the plain ones.
    private func compress(_ paths: [String]) throws {
        let tool = Command.place(of: "pigz") ?? "gzip"
        for batch in stride(from: 0, to: paths.count, by: 1000) {
            _ = try Command(tool, ["-6", "-k", "-f"] + paths[batch..<min(batch + 1000, paths.count)]).run()
        }
        // If a corpus is in several parts, only the compressed ones are read.
        if paths.count > 1 { for path in paths { try FileManager.default.removeItem(atPath: path) } }
    }

    /// Plain bytes for each compressed one.
    func ratio(_ paths: [String], plain: Int) -> Double {
        Double(plain) / Double(max(1, paths.reduce(0) { $0 + Corpora.size($1) }))
    }

    static func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }
}
