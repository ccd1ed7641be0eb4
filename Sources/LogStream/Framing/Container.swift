/// How the records of a source are put together, recognised by content from its first 64 KiB.
enum Container: Equatable {
    /// Each line is one value in JSON.
    case lines
    /// Arrays, pages, pretty-printed or glued values.
    case values
    /// The same, with text in between.
    case valuesAmongText
    /// Each line is one that a program wrote: JSON or text, perhaps behind a prefix.
    case console
    /// Lines of `firebase functions:log`; one without its prefix goes on with the text of the line before.
    case functionsLog
    /// No log that can be read; in words: what it is, and what to do instead.
    case unsupported(String)

    /// How many bytes the decision may look at.
    static let sampleBytes = 64 << 10

    /// Decides from the beginning of a source, which has slack behind it.
    static func recognise(_ bytes: UnsafeBufferPointer<UInt8>) -> Container {
        let sample = unsafe Sample(RawText(UnsafeBufferPointer(rebasing: bytes.prefix(sampleBytes))))
        return rows.first { $0.fits(sample) }?.container ?? .lines
    }

    private struct Row: Sendable {
        let container: Container
        let fits: @Sendable (Sample) -> Bool

        init(_ container: Container, _ fits: @escaping @Sendable (Sample) -> Bool) {
            self.container = container
            self.fits = fits
        }
    }

    /// One row for each thing that a source can be; the first that fits decides.
    private static let rows = [
        // Whatever comes: values are found in lines as well.
        Row(.values) { $0.isBlank },

        // No logs, but handed to log readers.
        Row(.unsupported("gzip inside gzip: unpack it once (gzip -dc FILE | callcheck)")) { $0.starts(0x1F, 0x8B) },
        Row(.unsupported("a zip archive: unpack it first (unzip -p FILE | callcheck)")) {
            $0.starts(0x50, 0x4B, 0x03, 0x04) || $0.starts(0x50, 0x4B, 0x05, 0x06)
        },
        Row(.unsupported("xz data: unpack it first (xz -dc FILE | callcheck)")) {
            $0.starts(0xFD, 0x37, 0x7A, 0x58, 0x5A)
        },
        Row(.unsupported("zstd data: unpack it first (zstd -dc FILE | callcheck)")) {
            $0.starts(0x28, 0xB5, 0x2F, 0xFD)
        },
        Row(.unsupported("bzip2 data: unpack it first (bzip2 -dc FILE | callcheck)")) { $0.starts("BZh") },
        Row(.unsupported("a tar archive: unpack it first (tar -xOf FILE | callcheck)")) { $0.holds("ustar", at: 257) },
        Row(.unsupported("a Parquet file: export the table as newline-delimited JSON instead")) { $0.starts("PAR1") },
        Row(.unsupported("an Avro file: export the table as newline-delimited JSON instead")) {
            $0.starts(0x4F, 0x62, 0x6A, 1)
        },
        Row(
            .unsupported(
                "UTF-16 text, as > of PowerShell writes it: convert it first (iconv -f UTF-16 -t UTF-8 FILE | callcheck)"
            )
        ) { $0.starts(0xFF, 0xFE) || $0.starts(0xFE, 0xFF) },
        Row(.unsupported("HTML or XML, often a sign-in or error page: check how the export was fetched")) {
            $0.starts("<")
        },
        Row(.unsupported("an error answer of an API, not a log: read what it says and fetch the export again")) {
            $0.isErrorAnswer
        },

        // JSON from the first byte on.
        Row(.values) { $0.startsArray || $0.startsSpreadObject },
        Row(.lines) { $0.starts("{") },

        // Text.
        Row(.valuesAmongText) { ExplorerText.isIn($0) },
        Row(.functionsLog) { FunctionsLogLine.isIn($0) },
        Row(.console) { ConsoleLine.isIn($0) },
        Row(.unsupported("CSV, which lacks labels and statuses: download as JSON instead")) { $0.isCSV },
        Row(.valuesAmongText) { $0.holdsSpreadRecord },
        Row(.lines) { $0.holdsRecordLine },
        Row(.valuesAmongText) { $0.holdsGluedRecord },
        Row(.unsupported("not a log in JSON: export with --format=json, or from a sink to Cloud Storage")) { _ in true
        },
    ]
}
