import Foundation

/// The program against its peers, run in turns, and whether each target is met.
struct TargetTable {
    /// One line: the program on a corpus, and what it is held against.
    private struct Row {
        var title: String
        var ours: Command
        var peer: Command
        /// What the peer is called in the table.
        var peerTitle: String
        var target: Target?
        /// A peer too slow to wait for more than once.
        var isMeasuredOnce = false
    }

    private enum Target {
        /// A share of the peer's wall time.
        case share(Double)
        /// Milliseconds of wall time more than the peer's.
        case milliseconds(Double)
    }

    private let options: Options
    private let corpora: Corpora
    private let program: String

    init(_ options: Options) throws {
        self.options = options
        corpora = try Corpora(options)
        program = options.program.path
        guard Command.place(of: program) != nil else {
            throw Failure("\(program) is no program: build it with swift build -c release, or name it with --callcheck")
        }
    }

    func run() throws {
        try makeCorpora()
        let peers = ["pigz", "gzip", "jq", "python3"].filter { Command.place(of: $0) != nil }
        let hasDuckDB = peers.contains("python3") && Peers.hasDuckDB
        let rows = rows.filter { $0.peer.program != "python3" || hasDuckDB }
            .filter { $0.peer.program.contains("/") || peers.contains($0.peer.program) }
        var skipped = ["pigz", "gzip", "jq"].filter { !peers.contains($0) }
        if !hasDuckDB { skipped.append("DuckDB (pip install duckdb)") }

        if hasDuckDB { try checkAgreement() }
        let costs = try measure(rows)
        let width = rows.map(\.title.count).max() ?? 0
        let head = "      ours  peer".padded(to: 39) + "ratio".leftPadded(to: 7) + "cpu".leftPadded(to: 7)
        print("corpus".padded(to: width), head, "  target", separator: "")
        for row in rows { print(line(row, costs, width: width)) }
        try printMemory(rows, costs)
        if !skipped.isEmpty { print("Not installed, hence skipped: \(skipped.joined(separator: ", ")).") }
        print(
            "\(ProcessInfo.processInfo.processorCount) cores, load \(load); medians of \(options.rounds) rounds in turns;",
            "wall time of whole processes. A ratio is the median of the rounds' ratios; cpu is that of processor time.")
    }

    /// Runs in a separate process, because a process that has been large passes its peak on to those that it starts.
    private func makeCorpora() throws {
        let own = CommandLine.arguments[0]
        _ = try Command(
            own, ["corpora", "--folder", options.folder.path, "--bytes", "\(corpora.bytes)"]
        ).run()
    }

    private func ours(_ paths: String...) -> Command {
        Command(program, ["--set", "dedupe=false", "--jobs", "2"] + paths)
    }

    private var rows: [Row] {
        let plain = Corpora.size(corpora.plain)
        let densePlain = Corpora.size(corpora.path("dense.json"))
        func title(_ name: String, _ paths: [String], _ plain: Int) -> String {
            "\(name), \(corpora.ratio(paths, plain: plain).formatted(decimals: 1)):1"
        }
        let mixed = title("mixed", [corpora.mixed], plain)
        let dense = title("dense", [corpora.dense], densePlain)
        let array = title("array", [corpora.array], plain)
        let shards = Command(program, ["--set", "dedupe=false", "--jobs", "2"] + corpora.shards)
        // What the callers cost, on every kind of log.
        let kinds = corpora.kinds.map { kind in
            Row(
                title: kind.title, ours: ours(kind.path), peer: ours(kind.path, "--set", "callers=none"),
                peerTitle: "without callers", target: .share(1.1))
        }
        return kinds + [
            Row(
                title: mixed, ours: ours(corpora.mixed), peer: Peers.inflate(corpora.mixed), peerTitle: "inflate alone",
                target: .share(1.15)),
            Row(
                title: dense, ours: ours(corpora.dense), peer: Peers.inflate(corpora.dense), peerTitle: "inflate alone",
                target: .share(1.45)),
            Row(
                title: mixed, ours: ours(corpora.mixed), peer: Peers.pigz(corpora.mixed), peerTitle: "pigz -dc",
                target: .share(1)),
            Row(title: mixed, ours: ours(corpora.mixed), peer: Peers.gzip(corpora.mixed), peerTitle: "gzip -dc"),
            Row(
                title: mixed, ours: ours(corpora.mixed), peer: Peers.duckDB([corpora.mixed]), peerTitle: "DuckDB"),
            Row(
                title: "without spans", ours: ours(corpora.withoutSpans), peer: Peers.pigz(corpora.withoutSpans),
                peerTitle: "pigz -dc", target: .share(1)),
            Row(
                title: "without spans", ours: ours(corpora.withoutSpans), peer: Peers.duckDB([corpora.withoutSpans]),
                peerTitle: "DuckDB"),
            Row(
                title: "without spans", ours: ours(corpora.withoutSpans), peer: ours(corpora.mixed),
                peerTitle: "with spans", target: .share(1.08)),
            Row(
                title: dense, ours: ours(corpora.dense), peer: Peers.pigz(corpora.dense), peerTitle: "pigz -dc",
                target: .share(1)),
            Row(
                title: dense, ours: ours(corpora.dense), peer: Peers.duckDB([corpora.dense]), peerTitle: "DuckDB"),
            Row(
                title: title("mixed in 8 shards", corpora.shards, plain), ours: shards,
                peer: Peers.duckDB(corpora.shards), peerTitle: "DuckDB"),
            Row(
                title: "mixed, plain", ours: ours(corpora.plain), peer: ours(corpora.mixed), peerTitle: "ours, gzipped"),
            Row(
                title: array, ours: ours(corpora.array), peer: ours(corpora.mixed), peerTitle: "ours, lines",
                target: .share(1.5)),
            Row(
                title: "array, plain", ours: ours(corpora.plainArray), peer: ours(corpora.plain),
                peerTitle: "ours, lines"),
            Row(
                title: "a tenth of the array, plain", ours: ours(corpora.smallArray),
                peer: Peers.jq(corpora.smallArray),
                peerTitle: "jq -c length", isMeasuredOnce: true),
            Row(
                title: "\(corpora.smallFileCount) files of 10 KB, gzipped", ours: ours(corpora.smallFiles),
                peer: Command("pigz", ["-dcr", corpora.smallFiles]), peerTitle: "pigz -dcr"),
            Row(
                title: "mixed in 10,000 files", ours: ours(corpora.manyFiles),
                peer: Command("pigz", ["-dcr", corpora.manyFiles]), peerTitle: "pigz -dcr"),
            Row(
                title: "--version", ours: Command(program, ["--version"]), peer: Command("gzip", ["--version"]),
                peerTitle: "gzip --version", target: .milliseconds(20)),
        ]
    }

    // MARK: Measuring

    /// Runs every command once a round, so that what else the machine does meets all of them.
    private func measure(_ rows: [Row]) throws -> [Command: [Command.Cost]] {
        var commands: [Command] = []
        for row in rows {
            for command in [row.ours, row.peer] where !commands.contains(command) { commands.append(command) }
        }
        let once = Set(rows.filter(\.isMeasuredOnce).map(\.peer))
        var costs: [Command: [Command.Cost]] = [:]
        for round in 0...options.rounds {
            for command in commands where round == 0 || !once.contains(command) {
                try readInputs(of: command)
                let cost = try command.run()
                // The first round starts what starts slowly the first time.
                if round > 0 || once.contains(command) { costs[command, default: []].append(cost) }
            }
        }
        return costs
    }

    /// Reads the files that a command is about to read, so that no disk is measured: systems drop cached files early.
    private func readInputs(of command: Command) throws {
        let files = FileManager.default
        for path in command.arguments where path.hasPrefix(options.folder.path) && files.fileExists(atPath: path) {
            _ = try Command("find", [path, "-type", "f", "-exec", "cat", "{}", "+"]).run()
        }
    }

    private func checkAgreement() throws {
        let outputs = ["peer.json", "ours.json"].map { corpora.path($0) }
        for log in [corpora.mixed, corpora.dense] {
            _ = try Peers.duckDB([log]).run(output: outputs[0])
            _ = try Command(program, ["--set", "dedupe=false", "--format", "json", log]).run(output: outputs[1])
            let own = CommandLine.arguments[0]
            _ = try Command(own, ["compare", outputs[0], outputs[1]]).run()
        }
        print("DuckDB and callcheck count the same: every function, day and pair of statuses of mixed and dense.\n")
    }

    // MARK: Printing

    private func line(_ row: Row, _ costs: [Command: [Command.Cost]], width: Int) -> String {
        let ours = costs[row.ours] ?? []
        let peer = costs[row.peer] ?? []
        let ratio = median(zip(ours, peer).map { $0.seconds / $1.seconds })
        let work = median(zip(ours, peer).map { $0.processorSeconds / $1.processorSeconds })
        let seconds = [ours, peer].map { median($0.map(\.seconds)) }
        let verdict: String
        switch row.target {
        case nil: verdict = ""
        case .share(let limit): verdict = "≤ \(limit.formatted(decimals: 2))  \(ratio <= limit ? "met" : "MISSED")"
        case .milliseconds(let limit):
            let more = (seconds[0] - seconds[1]) * 1000
            verdict = "≤ +\(Int(limit)) ms, is +\(Int(more.rounded())) ms  \(more <= limit ? "met" : "MISSED")"
        }
        return row.title.padded(to: width) + time(seconds[0]) + "  " + row.peerTitle.padded(to: 17)
            + time(seconds[1]) + ratio.formatted(decimals: 2).leftPadded(to: 7)
            + work.formatted(decimals: 2).leftPadded(to: 7) + "  " + verdict
    }

    private func printMemory(_ rows: [Row], _ costs: [Command: [Command.Cost]]) throws {
        // What this process lends to those it starts is no use of theirs.
        let lent = try Command("true", []).run().residentMiB
        let largest = rows.flatMap { costs[$0.ours] ?? [] }.map(\.residentMiB).max() ?? 0
        print(
            "\nresident memory of callcheck, largest of all rows: \(largest.formatted(decimals: 1)) MiB",
            "(cannot be seen below \(lent.formatted(decimals: 1)) MiB)")
    }

    private func time(_ seconds: Double) -> String { "\(seconds.formatted(decimals: 3)) s".leftPadded(to: 10) }

    private var load: String {
        var loads = [0.0, 0.0, 0.0]
        // Safe: the array has the three places asked for.
        _ = unsafe getloadavg(&loads, 3)
        return loads[0].formatted(decimals: 1)
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

extension Double {
    func formatted(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
