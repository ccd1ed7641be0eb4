public import Readiness

/// A way to write down what is to be known in the morning.
///
/// As a ``Report`` it is a pure function of what it is given, and writes in pieces.
public protocol NightlyPage: Sendable {
    /// Writes the whole report to a sink, which keeps its own errors.
    func write(_ report: NightlyReport, to sink: inout some TextOutputStream)
}
