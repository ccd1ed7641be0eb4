/// The formats in which an answer can be printed; a command has some of them.
package enum OutputFormat: String, CaseIterable, Sendable {
    case table, json, csv, markdown, html, prometheus, junit, github

    /// The endings of files that are in the format, the usual one first.
    package var endings: [String] {
        switch self {
        case .table: ["txt"]
        case .json: ["json"]
        case .csv: ["csv"]
        case .markdown: ["md", "markdown"]
        case .html: ["html", "htm"]
        case .prometheus: ["prom"]
        case .junit: ["xml"]
        // Annotations are not for files.
        case .github: []
        }
    }

    package init?(ending path: String) {
        let ending = path.split(separator: ".").last?.lowercased()
        guard let format = OutputFormat.allCases.first(where: { ending.map($0.endings.contains) ?? false }) else {
            return nil
        }
        self = format
    }

    /// True for the formats with notes on what could mislead their reader.
    package var hasNotes: Bool { [.table, .markdown].contains(self) }
}

package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
}
