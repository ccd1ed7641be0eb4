import Analysis
import LogStream
import Platform
import Readiness
import Reports
import Verifications

/// Reads a growing log, and shows a table every second.
struct WatchRun {
    private let plan: WatchPlan
    private let descriptor: Int32
    /// What a store holds; nil without one.
    private let stored: JudgedInput.Contents?
    private var live: LiveAnalysis
    /// What the input holds when it is a snapshot, which does not grow.
    private var snapshot: LogAnalysis.Result?
    private var screen: Screen?

    private static let secondsBetweenTables = 1.0

    /// - Throws: ``Failure`` when the input or the store cannot be used.
    init(_ plan: WatchPlan) throws(Failure) {
        self.plan = plan
        var analysis = plan.run.analysis
        let stored = try plan.store.map { store throws(Failure) in try JudgedInput.contents(of: store, plan.run) }
        if let newest = stored?.tally.newest {
            // What the store has counted must not count twice.
            let next = newest.adding(nanoseconds: 1)
            analysis.range.since = max(analysis.range.since ?? next, next)
        }
        self.stored = stored
        guard let descriptor = plan.input.descriptorForReading else {
            let name = DisplayText(name: plan.input.name).text
            throw Failure(status: .noInput, message: "\(name): cannot be opened: \(systemMessage(errno))")
        }
        self.descriptor = descriptor
        live = LiveAnalysis(analysis, name: plan.input.name)
        let isLive = plan.run.printing.destination.isStandardOutput && plan.run.format == .table
        if isLive, !plan.keepsTables, Terminal.isTerminal(STDOUT_FILENO), !Terminal.isDumb { screen = Screen() }
    }

    /// Reads to the end, or until a signal arrives.
    mutating func watch() throws(Failure) -> ExitStatus {
        Signals.wait { Screen.restore() }
        screen?.open()
        _ = screen?.show(Messages.waiting)
        defer { Screen.restore() }
        var buffer = [UInt8](repeating: 0, count: LogInput.longestBeginning)
        var (hasRead, hasChanged, lastTable) = (false, stored != nil, -Double.infinity)
        var failed: Int32 = 0
        while Signals.received == 0 {
            let now = Clock.monotonicSeconds()
            if hasChanged, screen != nil || plan.keepsTables, now - lastTable >= WatchRun.secondsBetweenTables {
                (hasChanged, lastTable) = (false, now)
                let status = show()
                if status != .success { return status }
            }
            var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Safe: there is one structure.
            guard unsafe poll(&input, 1, 100) > 0 else { continue }
            // Safe: read(2) writes at most as many bytes as there is room for.
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count < 0 { failed = errno }
            guard count > 0 else { break }
            if !hasRead {
                hasRead = true
                snapshot = try readSnapshot(beginningWith: Array(buffer[..<count]))
                hasChanged = hasChanged || snapshot != nil
                if snapshot != nil { break }
            }
            if live.add(buffer[..<count], horizon: WatchRun.horizon) { hasChanged = true }
        }
        if live.end(horizon: WatchRun.horizon) { hasChanged = true }
        Screen.restore()
        screen = nil
        return finish(failed: failed, isShown: plan.keepsTables && !hasChanged)
    }

    /// Reads a snapshot to its end, verifications alone, as of a log.
    ///
    /// - Parameter beginning: What was read of the input.
    /// - Returns: Nil for an input that is a log.
    /// - Throws: ``Failure`` after a store: a snapshot knows days, not which entries are newer than the store's.
    private func readSnapshot(beginningWith beginning: [UInt8]) throws(Failure) -> LogAnalysis.Result? {
        var input = plan.input.resumed(on: descriptor, after: beginning)
        guard LogAnalysis.isSnapshot(&input) else { return nil }
        guard stored == nil else { throw Failure(status: .usage, message: Messages.snapshotAfterStore(input.name)) }
        var analysis = plan.run.analysis
        analysis.inputs = [input]
        analysis.openLimit = 0
        return analysis.run()
    }

    private static var horizon: Instant { Clock.now().adding(seconds: 86_400) }

    private var judged: JudgedInput {
        JudgedInput(snapshot ?? live.result(horizon: WatchRun.horizon), after: stored, plan.run)
    }

    /// Shows the current table, in place or below the last one.
    private func show() -> ExitStatus {
        let report = SummaryReport(judged.summary, plan.run.view)
        let format = plan.run.format.reportFormat(plan.run.printing.style)
        guard let screen else {
            return StandardOutput.write { stream in
                report.write(as: format, to: &stream)
                stream.write("\n")
            }
        }
        var text = ""
        report.write(as: format, to: &text)
        return screen.show(text)
    }

    /// Writes the last table, and says what went wrong.
    private func finish(failed: Int32, isShown: Bool) -> ExitStatus {
        let read = judged
        let summary = read.summary
        let format = plan.run.format.reportFormat(plan.run.printing.style)
        let written =
            isShown
            ? .success
            : plan.run.printing.destination.write { SummaryReport(summary, plan.run.view).write(as: format, to: &$0) }
        Messages.print(
            Answer(summary: summary, remarks: read.remarks).messages(for: plan.run, functions: read.functionNames))
        let signal = Signals.received
        if signal != 0 { _exit(128 + signal) }
        if failed != 0 {
            StandardError.write("callcheck: \(DisplayText(name: plan.input.name).text): \(systemMessage(failed))")
            return .mostSerious([.inputOutput, written])
        }
        return .of(summary.input, isStrict: plan.run.isStrict, written: written)
    }
}
