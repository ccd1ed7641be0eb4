package import Readiness

/// How a result is written down.
package enum Format: Hashable, Sendable {
    case terminal(TerminalStyle)
    /// - Parameter isFolding: True where `<details>` folds a long table away, as on GitHub; other places would show the
    ///   tags.
    case markdown(isFolding: Bool)
    case html, json, csv, prometheus
}

/// What a command has found, ready to be written in any format.
///
/// Every report is a pure function of what it is made of: it reads no clock, no environment and no terminal. It writes
/// in pieces of at most a few functions each, so that a long report never has to fit in memory.
package protocol Report: Sendable {
    /// Writes the whole report to a sink, which keeps its own errors.
    func write(as format: Format, to sink: inout some TextOutputStream)
}

/// Every function with its counts and its verdict.
package struct SummaryReport: Report {
    private let summary: Summary

    package init(_ summary: Summary) {
        self.summary = summary
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .terminal(let style): TerminalRenderer.write(summary.document, style, to: &sink)
        case .markdown: MarkdownRenderer().write(summary.document, to: &sink)
        case .html: HTMLPage(summary).write(to: &sink)
        case .json: JSONReport().write(summary, to: &sink)
        case .csv: CSVReport().write(summary, to: &sink)
        case .prometheus: PrometheusReport().write(summary, to: &sink)
        }
    }
}

/// The answer of a gate, and what speaks against it; to programs the summary says everything.
package struct CheckReport: Report {
    private let check: GateCheck
    private let summary: Summary

    package init(_ check: GateCheck, on summary: Summary) {
        self.check = check
        self.summary = summary
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .terminal(let style): TerminalRenderer.write(check.terminalDocument(summary), style, to: &sink)
        case .markdown: MarkdownRenderer().write(check.commentDocument(summary), to: &sink)
        case .json: JSONReport(check).write(summary, to: &sink)
        case .html, .csv, .prometheus: SummaryReport(summary).write(as: format, to: &sink)
        }
    }
}

/// All the evidence on one function.
package struct ExplainReport: Report {
    private let explanation: Explanation
    private let policyFile: String?

    /// - Parameters:
    ///   - explanation: The evidence.
    ///   - policyFile: The policy file's name; nil without one.
    package init(_ explanation: Explanation, policyFile: String? = nil) {
        self.explanation = explanation
        self.policyFile = policyFile
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        let document = explanation.document(policyFile: policyFile)
        switch format {
        case .terminal(let style): TerminalRenderer.write(document, style, to: &sink)
        case .markdown: MarkdownRenderer().write(document, to: &sink)
        case .html, .json, .csv, .prometheus: SummaryReport(explanation.summary).write(as: format, to: &sink)
        }
    }
}

/// What is to be known in the morning: the answer, what changed, and every function.
package struct MorningReport: Report {
    private let report: NightlyReport

    package init(_ report: NightlyReport) {
        self.report = report
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .terminal(let style): TerminalRenderer.write(report.document, style, to: &sink)
        case .markdown(let isFolding): MarkdownRenderer().write(report.message(isFolding: isFolding), to: &sink)
        case .html: HTMLPage(report).write(to: &sink)
        case .json: NightlyJSON().write(report, to: &sink)
        case .csv: CSVReport().write(report, to: &sink)
        case .prometheus: PrometheusReport().write(report, to: &sink)
        }
    }
}
