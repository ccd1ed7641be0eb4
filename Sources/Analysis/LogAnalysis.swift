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
        let results = Mutex<[(Result, [FunctionIdentity: UInt64])]>([])
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            let sink = TallySink(fingerprints: fingerprints, range: range, horizon: horizon)
            var scanner = LogScanner(options: scan, sink: sink)
            var input = InputSummary()
            while let next = queue.next() {
                input.merge(scanner.scan(next, isPipelined: isPipelined, progress: progress))
            }
            input.merge(scanner.sink.summary)
            let functions = scanner.functions
            let tally = scanner.sink.tally(functions: functions, projects: scanner.projects)
            let ranks = functions.compactMap { $0.map { ($0.identity, $0.rank) } }
            let result = Result(tally: tally, input: input)
            results.withLock { $0.append((result, Dictionary(ranks, uniquingKeysWith: min))) }
        }
        return results.withLock { parts in
            var whole = parts.reduce(into: Result()) { $0.merge($1.0) }
            let ranks = parts.reduce(into: [:]) { $0.merge($1.1, uniquingKeysWith: min) }
            whole.tally.pool(beyond: scan.maxFunctions) { ranks[$0] ?? 0 }
            return whole
        }
    }

    /// The inputs, large ones first, so that no core is left with the largest at the end.
    private var largestFirst: [LogInput] {
        inputs.sorted { ($0.size ?? Int.max, $1.name) > ($1.size ?? Int.max, $0.name) }
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
