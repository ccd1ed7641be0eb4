import ArgumentParser
import Entries
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

struct Watch: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a table that refreshes while the log grows.",
        usage: "callcheck watch [<log>] [<options>]",
        discussion: """
              gcloud logging tail "$(callcheck export filter)" --format=json |
                  callcheck watch --store history.db --function addMessage
              callcheck watch --store history.db < tail.json
              callcheck watch export.json.gz

            Shows the table of callcheck report, refreshed every second from JSON entries on standard input. The last \
            table stays on screen. Without a terminal, and for files, directories and compressed data, the table is \
            printed once, at the end. --set clear=false appends a new table on every change instead of redrawing.

            With a store, counts what it holds as well, each entry once.
            """
    )

    @OptionGroup(title: "Inputs") var history: StoreOptions
    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup(title: "Settings") var settings: SettingsOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Output") var table: ViewOptions

    func execute() throws -> ExitStatus {
        let run = try Run(self, functions: functions, table: table, readsStandardInput: true)
        guard run.settings.isOn(\.dedupe) else {
            throw ValidationError("watch counts each entry once; leave out dedupe=false.")
        }
        var watch = try WatchRun(run)
        return try watch.watch()
    }
}

/// Reads a growing log, and shows a table every second.
struct WatchRun {
    private let run: Run
    private let keepsTables: Bool
    /// The descriptor of a growing input; nil for inputs that are read once.
    private let descriptor: Int32?
    private var live: LiveAnalysis
    /// The result of the inputs that do not grow, and of the stores with them.
    private var whole: LogAnalysis.Result?
    private var screen: Screen?

    private static let secondsBetweenTables = 1.0

    init(_ run: Run) throws(Failure) {
        (self.run, keepsTables) = (run, !run.settings.isOn(\.clear))
        let inputs = run.found.inputs
        descriptor = inputs.count == 1 && inputs[0].size == nil ? inputs[0].descriptorForReading : nil
        live = LiveAnalysis(run.analysis, name: inputs.first?.name ?? "-")
        let isLive = run.output.isStandardOutput && run.format == .table
        if isLive, !keepsTables, Terminal.isTerminal(STDOUT_FILENO), !Terminal.isDumb { screen = Screen() }
    }

    /// Reads to the end, or until a signal arrives.
    mutating func watch() throws(Failure) -> ExitStatus {
        guard let descriptor else {
            whole = try readWhole(run.found.inputs)
            return try finish(failed: 0, isShown: false)
        }
        Signals.wait { Screen.restore() }
        screen?.open()
        _ = screen?.show(Messages.waiting)
        defer { Screen.restore() }
        // Until a record has come, it may be what is read as a whole: compressed, text, or not a log.
        var (beginning, mayGrow) = ([UInt8](), true)
        var (hasChanged, nextTable) = (!run.found.stores.isEmpty, -Double.infinity)
        var failed: Int32 = 0
        while mayGrow, Signals.received == 0 {
            let now = Clock.monotonicSeconds()
            if hasChanged, screen != nil || keepsTables, now >= nextTable {
                hasChanged = false
                let status = try show()
                if status != .success { return status }
                // A table of very many functions takes long: as much time is for reading.
                let shown = Clock.monotonicSeconds()
                nextTable = shown + max(WatchRun.secondsBetweenTables, shown - now)
            }
            guard FileSystem.inputEvents(on: descriptor, within: 100) != 0 else { continue }
            let room = LogInput.longestBeginning - (live.isEmpty ? beginning.count : 0)
            guard let buffer = FileSystem.bytes(from: descriptor, atMost: room) else {
                if errno == EINTR || errno == EAGAIN { continue }
                failed = errno
                break
            }
            if buffer.isEmpty { break }
            if live.isEmpty {
                beginning += buffer
                mayGrow = LogInput.mayGrow(beginning)
            }
            if mayGrow, live.add(buffer[...]) { hasChanged = true }
            if live.isEmpty, buffer.count == room { mayGrow = false }
        }
        if mayGrow, live.end() { hasChanged = true }
        if live.isEmpty, !beginning.isEmpty, failed == 0, Signals.received == 0 {
            whole = try readWhole([run.found.inputs[0].resumed(on: descriptor, after: beginning)])
            hasChanged = true
        }
        Screen.restore()
        screen = nil
        return try finish(failed: failed, isShown: keepsTables && !hasChanged)
    }

    /// Reads inputs that do not grow to their end.
    private func readWhole(_ inputs: [LogInput]) throws(Failure) -> LogAnalysis.Result {
        var analysis = run.analysis
        analysis.inputs = inputs
        return try analysis.run(with: run.found.stores)
    }

    private static var horizon: Instant { Clock.now().adding(seconds: 86_400) }

    private func judged() throws(Failure) -> LoadedLog {
        if let whole { return try LoadedLog(whole, run.rules, run) }
        return try LoadedLog(
            try live.analysis(horizon: WatchRun.horizon).run(with: run.found.stores), run.rules, run)
    }

    /// Shows the current table, in place or below the last one.
    private func show() throws(Failure) -> ExitStatus {
        let report = Report.summary(try judged().summary, run.view)
        var text = ""
        report.write(as: Format(run.format, run.settings.style(for: run.output)), to: &text)
        return screen?.show(text) ?? StandardOutput.write(text + "\n")
    }

    /// Writes the last table, and says what went wrong.
    private func finish(failed: Int32, isShown: Bool) throws(Failure) -> ExitStatus {
        let read = try judged()
        let summary = read.summary
        let written = isShown ? .success : run.write(Report.summary(summary, run.view))
        Messages.print(read.messages(summary))
        let signal = Signals.received
        if signal != 0 { _exit(128 + signal) }
        if failed != 0 {
            StandardError.write(
                "callcheck: \(DisplayText(name: run.found.inputs[0].name).text): \(systemMessage(failed))")
            return .mostSerious([.inputOutput, written])
        }
        return .of(summary.input, isStrict: run.isStrict, needsRecords: true, written: written)
    }
}
