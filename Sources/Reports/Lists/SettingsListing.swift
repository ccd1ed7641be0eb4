package struct SettingsListing: Sendable {
    package static let schema = "callcheck.config/1"

    package enum Source: String, Sendable {
        case flag
        case environment
        /// The settings file, or the policy's.
        case file
        case builtIn = "default"
    }

    package struct Row: Sendable {
        let key: String
        let value: String
        let source: Source
        let place: String?

        /// The place is the flag, the variable, or the file and line; nil for a built-in default.
        package init(key: String, value: String, source: Source, place: String?) {
            self.key = key
            self.value = value
            self.source = source
            self.place = place
        }
    }

    private let file: String?
    private let rows: [Row]

    package init(file: String?, rows: [Row]) {
        self.file = file
        self.rows = rows
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        let cells = rows.map { row in
            [row.key, row.value, row.place ?? row.source.rawValue].map { Table.Cell.words("\(name: $0)") }
        }
        Document(blocks: [.table(Table(words: ["", "", ""], rows: cells))]).writeLines(to: &sink)
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write(SettingsListing.schema, to: &sink) { json, _ in
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
    }
}
