package struct SettingsListing: ListReport, Sendable {
    /// The source is `flag`, `environment`, `file` or `default`; the place is the option, the variable, or the file
    /// and line.
    package typealias Row = (key: String, value: String?, defaultValue: String?, source: String, place: String?)

    private let file: String?
    private let rows: [Row]

    package init(file: String?, rows: [Row]) {
        self.file = file
        self.rows = rows
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        let cells = rows.map { row in
            [row.key, row.value ?? "-", row.place ?? row.source, row.defaultValue ?? "-"]
                .map { Table.Cell.words("\(name: $0)") }
        }
        Document(blocks: [.table(Table(words: ["setting", "value", "from", "default"], rows: cells))])
            .writeLines(to: &sink)
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write("callcheck.config/1", to: &sink) { json, _ in
            json.member("file", file)
            json.objects("settings", rows) { row in
                [
                    "key": row.key, "value": row.value, "default": row.defaultValue, "source": row.source,
                    "place": row.place,
                ]
            }
        }
    }
}
