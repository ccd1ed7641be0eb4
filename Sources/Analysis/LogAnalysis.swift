internal import Dispatch
public import LogStream
public import Readiness
internal import Synchronization
public import Verifications

/// One pass over all inputs of a run: from bytes to a tally.
///
/// The result does not depend on the number of jobs, on the order of the inputs, nor on how the records are split over
/// them.
public struct LogAnalysis: Sendable {
    /// What to read.
    public var inputs: [LogInput]
    /// What counts.
    public var range = TimeRange()
    /// Verifications after this instant do not decide what the run is judged as of: the clock plus 24 hours.
    public var horizon: Instant
    /// False to count copies of an entry as well.
    public var removesDuplicates = true
    /// How many threads may work at once.
    public var jobs = 1
    public var scan = ScanOptions()

    public init(inputs: [LogInput], horizon: Instant) {
        self.inputs = inputs
        self.horizon = horizon
    }

    /// What a pass yields.
    public struct Result: Sendable {
        public var tally = Tally()
        public var input = InputSummary()

        mutating func merge(_ other: Result) {
            tally.merge(other.tally)
            input.merge(other.input)
        }
    }

    /// Reads all inputs.
    ///
    /// - Parameter progress: Counts the bytes read on the way.
    /// - Returns: The counts, and what was read; inputs that failed are among its problems.
    public func run(progress: ReadProgress = ReadProgress()) -> Result {
        let fingerprints = removesDuplicates ? FingerprintSet() : nil
        let workers = max(1, min(jobs, inputs.count))
        // With fewer sources than cores, a source takes two: one to inflate, one to read.
        let isPipelined = jobs > workers
        let queue = WorkQueue(largestFirst)
        let results = Mutex<[(Result, Ranks)]>([])
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            let sink = TallySink(fingerprints: fingerprints, range: range, horizon: horizon)
            var scanner = LogScanner(options: scan, sink: sink)
            var input = InputSummary()
            while let next = queue.next() {
                input.merge(scanner.scan(next, isPipelined: isPipelined, progress: progress))
            }
            input.merge(scanner.sink.summary)
            let (functions, projects) = (scanner.functions, scanner.projects)
            let result = Result(tally: scanner.sink.tally(functions: functions, projects: projects), input: input)
            let ranks = Ranks(functions: functions, projects: projects)
            results.withLock { $0.append((result, ranks)) }
        }
        return results.withLock { parts in
            var whole = parts.reduce(into: Result()) { $0.merge($1.0) }
            let ranks = parts.reduce(into: Ranks()) { $0.merge($1.1) }
            whole.tally.pool(beyond: scan.maxFunctions) { ranks.functions[$0] ?? 0 }
            whole.tally.poolProjects(beyond: scan.maxFunctions) { ranks.projects[$0] ?? 0 }
            return whole
        }
    }

    /// The inputs, large ones first, so that no core is left with the largest at the end.
    private var largestFirst: [LogInput] {
        inputs.sorted { ($0.size ?? Int.max, $1.name) > ($1.size ?? Int.max, $0.name) }
    }
}

/// Which names stay when there are too many: those with the smallest ranks, whichever scanner found them.
private struct Ranks: Sendable {
    private(set) var functions: [FunctionIdentity: UInt64] = [:]
    private(set) var projects: [String: UInt64] = [:]

    init() {}

    init(functions: [ScannedFunction?], projects: [ScannedProject?]) {
        for function in functions { if let function { self.functions[function.identity] = function.rank } }
        for project in projects { if let project { self.projects[project.name] = project.rank } }
    }

    mutating func merge(_ other: Ranks) {
        functions.merge(other.functions, uniquingKeysWith: min)
        projects.merge(other.projects, uniquingKeysWith: min)
    }
}

/// Hands out inputs to whichever worker is free.
private final class WorkQueue: Sendable {
    private let waiting: Mutex<[LogInput]>

    init(_ inputs: [LogInput]) {
        waiting = Mutex(inputs.reversed())
    }

    func next() -> LogInput? {
        waiting.withLock { $0.popLast() }
    }
}
