public import Readiness

/// A way to write down the result of a run.
///
/// Every report is a pure function of the summary: it reads no clock, no environment and no terminal. It writes in
/// pieces of at most a few functions each, so that a long report never has to fit in memory.
public protocol Report: Sendable {
    /// Writes the whole summary to a sink, which keeps its own errors.
    func write(_ summary: Summary, to sink: inout some TextOutputStream)
}
