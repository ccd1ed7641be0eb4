package import Readiness
package import Rollout

/// What people ask for; other commands than a gate have some of these formats.
package enum OutputFormat: String, CaseIterable, Sendable {
    case table, json, csv, markdown, html, prometheus, slack, junit, github

    /// That of a file's name; a message for Slack is JSON, and annotations are not for files.
    package init?(ending path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "json": self = .json
        case "csv": self = .csv
        case "md", "markdown": self = .markdown
        case "html", "htm": self = .html
        case "prom": self = .prometheus
        case "txt": self = .table
        case "xml": self = .junit
        default: return nil
        }
    }

    /// True for the formats with notes on what could mislead their reader.
    package var hasNotes: Bool { [.table, .markdown, .slack].contains(self) }

    package var isForGatesOnly: Bool { self == .junit || self == .github }
}

/// A format together with what depends on where it is read.
package enum Format: Hashable, Sendable {
    case terminal(TerminalStyle)
    /// On GitHub, `<details>` folds a long table; elsewhere the tags would show.
    case markdown(isFolding: Bool)
    case html, json, csv, prometheus, slack, junit, github

    package init(_ format: OutputFormat, _ style: TerminalStyle, isOnGitHub: Bool) {
        switch format {
        case .table: self = .terminal(style)
        case .markdown: self = .markdown(isFolding: isOnGitHub)
        case .html: self = .html
        case .json: self = .json
        case .csv: self = .csv
        case .prometheus: self = .prometheus
        case .slack: self = .slack
        case .junit: self = .junit
        case .github: self = .github
        }
    }
}

/// What a command has found, ready to be written in any format.
///
/// Every report is a pure function of what it is made of: it reads no clock, no environment and no terminal. It writes
/// in pieces of at most a few functions each, so that a long report never has to fit in memory.
package enum Report: Sendable {
    case summary(Summary, TableView = TableView(), rollouts: [RolloutHistory] = [])
    /// The answer of a gate, and what counts against a pass.
    case check(GateCheck, on: Summary, TableView = TableView())
    case explanation(Explanation, policyFile: String? = nil, isVerbose: Bool = false)

    /// Writes the whole report to a sink, which keeps its own errors.
    package func write(as format: Format, to sink: inout some TextOutputStream) {
        switch format {
        case .json: writeJSON(to: &sink)
        case .csv: CSVReport().write(summary, to: &sink)
        case .prometheus:
            PrometheusReport().write(summary, to: &sink)
            if case .summary(_, _, let rollouts) = self { PrometheusReport().write(rollouts, to: &sink) }
        case .terminal(let style): TerminalRenderer.write(document(format), style, to: &sink)
        case .html:
            var card: ((FunctionSummary) -> [Document.Section])?
            if case .explanation(let explanation, _, _) = self { card = { _ in explanation.sections } }
            HTMLPage(document(format), of: summary, card: card).write(to: &sink)
        case .slack: SlackRenderer().write(document(format), to: &sink)
        case .markdown: MarkdownRenderer().write(document(format), to: &sink)
        case .junit, .github:
            guard case .check(let check, let summary, _) = self else {
                return MarkdownRenderer().write(document(format), to: &sink)
            }
            if case .junit = format {
                JUnitReport(check: check).write(summary, to: &sink)
            } else {
                GitHubAnnotations(check: check).write(summary, to: &sink)
            }
        }
    }

    private var summary: Summary {
        switch self {
        case .summary(let summary, _, _), .check(_, on: let summary, _): summary
        case .explanation(let explanation, _, _): explanation.summary
        }
    }

    private func writeJSON(to sink: inout some TextOutputStream) {
        switch self {
        case .check(let check, let summary, _): JSONReport().write(summary, check, to: &sink)
        case .summary, .explanation: JSONReport().write(summary, to: &sink)
        }
    }

    private func document(_ format: Format) -> Document {
        switch self {
        case .summary(var summary, let view, let rollouts):
            // A page and a message are read later.
            if [.html, .slack].contains(format) { summary.activity = nil }
            return summary.document(view.fitting(format), rollouts: rollouts, isMessage: format == .slack)
        case .check(let check, let summary, let view):
            return check.document(summary, view.fitting(format), isPage: format == .html)
        case .explanation(let explanation, let file, let isVerbose):
            if case .terminal = format { return explanation.document(policyFile: file, isVerbose: isVerbose) }
            return format == .html ? explanation.page(policyFile: file) : explanation.document(policyFile: file)
        }
    }
}

extension TableView {
    /// Only a terminal is short of room; a page shows every function and has a filter.
    fileprivate func fitting(_ format: Format) -> TableView {
        var view = self
        if case .terminal = format {
            view.hasCounts = view.isVerbose
            return view
        }
        view.isVerbose = true
        guard case .html = format else { return view }
        view.top = nil
        return view
    }
}
