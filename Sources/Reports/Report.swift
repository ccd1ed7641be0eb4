package import Readiness
package import Rollout

/// The format in which a result is written.
package enum Format: Hashable, Sendable {
    case terminal(TerminalStyle)
    /// - Parameter isFolding: True where `<details>` collapses a long table, as on GitHub; elsewhere the tags would
    ///   show.
    case markdown(isFolding: Bool)
    case html, json, csv, prometheus, slack
    /// For gates only; other reports have a summary's formats.
    case junit, github
}

/// What a command has found, ready to be written in any format.
///
/// Every report is a pure function of what it is made of: it reads no clock, no environment and no terminal. It writes
/// in pieces of at most a few functions each, so that a long report never has to fit in memory.
package protocol Report: Sendable {
    /// Writes the whole report to a sink, which keeps its own errors.
    func write(as format: Format, to sink: inout some TextOutputStream)
}

extension Report {
    /// Writes a document in a format for people.
    fileprivate func write(
        _ document: Document, of summary: Summary, as format: Format, to sink: inout some TextOutputStream
    ) {
        switch format {
        case .terminal(let style): TerminalRenderer.write(document, style, to: &sink)
        case .html: HTMLPage(document, of: summary).write(to: &sink)
        case .slack: SlackRenderer().write(document, to: &sink)
        default: MarkdownRenderer().write(document, to: &sink)
        }
    }
}

/// Every function with its verdict and the numbers that decided.
package struct SummaryReport: Report {
    private let summary: Summary
    private let view: TableView

    package init(_ summary: Summary, _ view: TableView = TableView()) {
        self.summary = summary
        self.view = view
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .terminal, .markdown, .html, .slack, .junit, .github:
            write(summary.document(view.fitting(format)), of: summary, as: format, to: &sink)
        case .json: JSONReport().write(summary, to: &sink)
        case .csv: CSVReport().write(summary, to: &sink)
        case .prometheus: PrometheusReport().write(summary, to: &sink)
        }
    }
}

/// The answer of a gate, and what counts against a pass.
package struct CheckReport: Report {
    private let check: GateCheck
    private let summary: Summary
    private let view: TableView

    package init(_ check: GateCheck, on summary: Summary, _ view: TableView = TableView()) {
        self.check = check
        self.summary = summary
        self.view = view
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .terminal, .markdown, .html, .slack:
            let document = check.document(summary, view.fitting(format), isPage: format == .html)
            write(document, of: summary, as: format, to: &sink)
        case .json: JSONReport(check).write(summary, to: &sink)
        case .junit: JUnitReport(check: check).write(summary, to: &sink)
        case .github: GitHubAnnotations(check: check).write(summary, to: &sink)
        case .csv, .prometheus: SummaryReport(summary).write(as: format, to: &sink)
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
        switch format {
        case .terminal, .markdown, .slack, .junit, .github:
            write(explanation.document(policyFile: policyFile), of: explanation.summary, as: format, to: &sink)
        case .html:
            let page = explanation.page(policyFile: policyFile)
            HTMLPage(page, of: explanation.summary) { _ in explanation.sections }.write(to: &sink)
        case .json, .csv, .prometheus: SummaryReport(explanation.summary).write(as: format, to: &sink)
        }
    }
}

/// What to know in the morning: the answer, what changed, and every function.
package struct MorningReport: Report {
    private let report: NightlyReport
    private let view: TableView
    private let rollouts: [RolloutHistory]

    package init(_ report: NightlyReport, _ view: TableView = TableView(), rollouts: [RolloutHistory] = []) {
        self.report = report
        self.view = view
        self.rollouts = rollouts
    }

    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .terminal, .html, .junit, .github:
            write(report.document(view.fitting(format), rollouts: rollouts), of: report.summary, as: format, to: &sink)
        case .markdown(let isFolding):
            MarkdownRenderer().write(message(isFolding: isFolding), to: &sink)
        case .slack: SlackRenderer().write(message(isFolding: false), to: &sink)
        case .json: NightlyJSON().write(report, to: &sink)
        case .csv: CSVReport().write(report, to: &sink)
        case .prometheus:
            PrometheusReport().write(report, to: &sink)
            PrometheusReport().write(rollouts, to: &sink)
        }
    }

    private func message(isFolding: Bool) -> Document {
        var message = report.message(isFolding: isFolding, view)
        if !view.isBrief { message.sections += rollouts.map(\.section) }
        return message
    }
}

extension TableView {
    /// A page shows every function and has a filter.
    fileprivate func fitting(_ format: Format) -> TableView {
        guard case .html = format else { return self }
        var view = self
        view.top = nil
        view.showsCounts = false
        return view
    }
}
