package import Readiness

/// A format together with what depends on where it is read.
package struct Format: Hashable, Sendable {
    let output: OutputFormat
    /// How a table looks.
    let style: TerminalStyle

    package init(_ output: OutputFormat, _ style: TerminalStyle = TerminalStyle()) {
        (self.output, self.style) = (output, style)
    }
}

extension Format {
    /// True for a file that begins as callcheck's own do, except tables: nobody means it as a log.
    package static func isReport(_ beginning: [UInt8]) -> Bool {
        beginnings.contains { beginning.starts(with: $0.utf8) }
            || beginning.starts(with: "<!DOCTYPE html>".utf8)
                && String(decoding: beginning, as: UTF8.self).contains(#"<meta name="generator" content="callcheck">"#)
    }

    private static let beginnings = [
        "project,region,function,generation,verifications,", "{\n  \"schema\": \"callcheck.",
        "### App Check on callable functions", "# HELP callcheck_",
    ]
}

/// The result of a command, ready to be written in any format.
///
/// Every report is a pure function of what it is made of: it reads no clock, no environment and no terminal. It writes
/// in pieces of at most a few functions each, so that a long report never has to fit in memory.
package enum Report: Sendable {
    case summary(Summary, TableView = TableView())
    /// The answer of a gate, and what counts against a pass.
    case check(GateCheck, on: Summary, TableView = TableView())
    case explanation(Explanation, policyFile: String? = nil, isVerbose: Bool = false)

    /// Writes the whole report to a sink, which keeps its own errors; only a gate has JUnit's and GitHub's formats.
    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch (format.output, self) {
        case (.json, .check(let check, let summary, _)): JSONReport().write(summary, check, to: &sink)
        case (.json, _): JSONReport().write(summary, to: &sink)
        case (.csv, .summary(let summary, let view)), (.csv, .check(_, on: let summary, let view)):
            CSVReport().write(summary, view, to: &sink)
        case (.csv, _): CSVReport().write(summary, to: &sink)
        case (.prometheus, _): PrometheusReport().write(summary, to: &sink)
        case (.table, _): TerminalRenderer.write(document(format), format.style, to: &sink)
        case (.html, _):
            var card: ((FunctionSummary) -> [Document.Section])?
            if case .explanation(let explanation, _, _) = self { card = { _ in explanation.sections } }
            HTMLPage(document(format), of: summary, card: card).write(to: &sink)
        case (.markdown, _): MarkdownRenderer().write(document(format), to: &sink)
        case (.junit, .check(let check, let summary, _)): JUnitReport(check: check).write(summary, to: &sink)
        case (.github, .check(let check, let summary, _)): GitHubAnnotations(check: check).write(summary, to: &sink)
        case (.junit, _), (.github, _): preconditionFailure("only a gate has this format")
        }
    }

    private var summary: Summary {
        switch self {
        case .summary(let summary, _), .check(_, on: let summary, _): summary
        case .explanation(let explanation, _, _): explanation.summary
        }
    }

    private func document(_ format: Format) -> Document {
        switch self {
        case .summary(let summary, let view):
            return summary.document(view.fitting(format))
        case .check(let check, let summary, let view):
            return check.document(summary, view.fitting(format), isPage: format.output == .html)
        case .explanation(let explanation, let file, let isVerbose):
            return explanation.document(
                policyFile: file, isVerbose: isVerbose || format.output != .table, isPage: format.output == .html)
        }
    }
}

extension TableView {
    /// Only a terminal is short of room; a page shows every function and has a filter.
    fileprivate func fitting(_ format: Format) -> TableView {
        var view = self
        if format.output == .table {
            (view.hasCounts, view.isByProject) = (view.isVerbose, true)
            return view
        }
        view.isVerbose = true
        guard format.output == .html else { return view }
        view.limit = nil
        return view
    }
}
