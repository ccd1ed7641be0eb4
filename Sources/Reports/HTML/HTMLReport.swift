public import Readiness

/// A page for a browser: one file that loads nothing, readable without its script.
///
/// It says what the table says, with a chart for each function and all its reasons. What comes out of logs is text,
/// whatever it looks like.
public struct HTMLReport: Report {
    public init() {}

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        HTMLPage(summary).write(to: &sink)
    }
}
