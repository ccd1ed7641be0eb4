/// The settings in effect, and where each comes from.
package struct SettingsListing: Sendable {
    /// Names the schema; a changed schema gets a new number.
    package static let schema = "callcheck.config/1"

    /// Where a setting comes from.
    package enum Source: String, Sendable {
        case flag
        case environment
        /// The settings file, or the policy's.
        case file
        case builtIn = "default"
    }

    /// One setting.
    package struct Row: Sendable {
        let key: String
        let value: String
        let source: Source
        let place: String?

        /// - Parameters:
        ///   - key: As a settings file spells it.
        ///   - value: As it may be written there; lists have commas.
        ///   - source: Where it comes from.
        ///   - place: The flag, the variable, or the file and line; nil for a built-in default.
        package init(key: String, value: String, source: Source, place: String?) {
            self.key = key
            self.value = value
            self.source = source
            self.place = place
        }
    }

    private let file: String?
    private let rows: [Row]

    /// - Parameters:
    ///   - file: The settings file that is used; nil without one.
    ///   - rows: The settings, in the order in which they are listed.
    package init(file: String?, rows: [Row]) {
        self.file = file
        self.rows = rows
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        let cells = rows.map { row in
            [row.key, row.value, row.place ?? row.source.rawValue].map { DisplayText(name: $0).text }
        }
        let widths = (0..<2).map { column in cells.map { $0[column].count }.max() ?? 0 }
        for cells in cells {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }
            sink.write(padded.joined() + cells[2] + "\n")
        }
    }

    /// Writes the same for programs.
    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", SettingsListing.schema)
            json.member("file", file)
            json.array(.lines, key: "settings") { json in
                for row in rows {
                    json.object(.inline) { json in
                        json.member("key", row.key)
                        json.member("value", row.value)
                        json.member("source", row.source.rawValue)
                        json.member("place", row.place)
                    }
                }
            }
        }
        json.drain(into: &sink)
    }
}
