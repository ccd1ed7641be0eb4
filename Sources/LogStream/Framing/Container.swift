/// How the records of a source are put into one another, recognised by content from its first 64 KiB.
enum Container: Equatable {
    /// Each line is one value.
    case lines
    /// Arrays, pages, pretty-printed or glued values.
    case values
    /// No log that can be read; in words: what it is, and what to do instead.
    case unsupported(String)

    /// How many bytes the decision may look at.
    static let sampleBytes = 64 << 10

    /// One row for each thing that is not a log and that people hand to a log reader.
    private static let signatures: [(start: [UInt8], meaning: String)] = [
        ([0x50, 0x4B, 0x03, 0x04], "a zip archive: unpack it first (unzip -p FILE | callcheck)"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz data: unpack it first (xz -dc FILE | callcheck)"),
        ([0x28, 0xB5, 0x2F, 0xFD], "zstd data: unpack it first (zstd -dc FILE | callcheck)"),
        ([0x42, 0x5A, 0x68], "bzip2 data: unpack it first (bzip2 -dc FILE | callcheck)"),
        (Array("PAR1".utf8), "a Parquet file: export the table as newline-delimited JSON instead"),
        ([0x4F, 0x62, 0x6A, 0x01], "an Avro file: export the table as newline-delimited JSON instead"),
        (Array("<".utf8), "HTML or XML, often a sign-in or error page: check how the export was fetched"),
    ]

    /// What else the beginning of a source tells.
    struct Traits: Equatable {
        /// Records carry entries in base64, where no marker can be seen: each must be read.
        var hidesMarkers = false
        /// Lines are those of a console: a payload behind a prefix, or text.
        var isConsole = false
        /// Text stands between values.
        var hasText = false
    }

    /// Decides from the beginning of a source, which has slack behind it.
    static func recognise(_ bytes: UnsafeBufferPointer<UInt8>) -> (container: Container, traits: Traits) {
        let sample = unsafe RawText(UnsafeBufferPointer(rebasing: bytes.prefix(sampleBytes)))
        var start = sample.count >= 3 && sample[0] == 0xEF && sample[1] == 0xBB && sample[2] == 0xBF ? 3 : 0
        while start < sample.count, JSONCursor.isWhitespace(sample[start]) { start += 1 }
        guard start < sample.count else { return (.lines, Traits()) }
        for row in signatures where matches(sample, at: start, row.start) {
            return (.unsupported(row.meaning), Traits())
        }
        var traits = Traits()
        traits.hidesMarkers = sample.holds("\"message\"") && sample.holds("\"data\"")
        switch sample[start] {
        case UInt8(ascii: "["): return (.values, traits)
        case UInt8(ascii: "{"): return (ofObject(sample, at: start), traits)
        default: return ofText(sample.cut(start..<sample.count))
        }
    }

    /// Decides for a source that starts with text.
    private static func ofText(_ sample: RawText) -> (Container, Traits) {
        var traits = Traits()
        let lines = TextLines(sample)
        if let first = lines.first, ExplorerText.isSummary(first), lines.contains(where: { $0 == "{" }) {
            traits.hasText = true
            return (.values, traits)
        }
        if lines.contains(where: ConsoleLine.isKnown) {
            traits.isConsole = true
            return (.lines, traits)
        }
        if lines.contains(where: { $0.count > 0 && $0[0] == UInt8(ascii: "{") }) { return (.lines, traits) }
        if let head = lines.first, head.contains(UInt8(ascii: ",")), head.holds("imestamp") || head.holds("insertId") {
            return (.unsupported("CSV: it has no labels and no statuses; download as JSON instead"), traits)
        }
        return (.unsupported("not a log in JSON: export with --format=json, or from a sink to Cloud Storage"), traits)
    }

    private static func matches(_ sample: RawText, at start: Int, _ signature: [UInt8]) -> Bool {
        start + signature.count <= sample.count
            && signature.indices.allSatisfy { sample[start + $0] == signature[$0] }
    }

    /// Decides for a source that starts with an object: by where the object ends, and what follows.
    ///
    /// A first line that is broken must not turn a file of lines into something else: an object that goes on behind the
    /// line's end is pretty-printed only when the next line does not start one of its own.
    private static func ofObject(_ sample: RawText, at start: Int) -> Container {
        var depth = 0
        var isInString = false
        var index = start
        while index < sample.count {
            let byte = sample[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { isInString = false }
                if byte == 0x0A { return .lines }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "["):
                    if depth == 1, Page.opens(sample.cut(start..<index)) { return .values }
                    depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return isGlued(sample, from: index + 1) ? .values : .lines }
                case 0x0A:
                    let next = index + 1
                    return next < sample.count && sample[next] == UInt8(ascii: "{") ? .lines : .values
                default: break
                }
            }
            index += 1
        }
        return .lines
    }

    /// True when another value follows on the same line.
    private static func isGlued(_ sample: RawText, from start: Int) -> Bool {
        var index = start
        while index < sample.count, sample[index] != 0x0A, JSONCursor.isWhitespace(sample[index]) { index += 1 }
        return index < sample.count && (sample[index] == UInt8(ascii: "{") || sample[index] == UInt8(ascii: "["))
    }
}
