/// How the records of a source are put into one another, recognised by content from its first 64 KiB.
enum Container: Equatable {
    /// Each line is one value.
    case lines
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
        (Array("[".utf8), "a JSON array: make it one entry a line first (jq -c '.[]' FILE | callcheck)"),
    ]

    /// Decides from the beginning of a source.
    static func recognise(_ bytes: UnsafeBufferPointer<UInt8>) -> Container {
        guard let base = bytes.baseAddress else { return .lines }
        let sample = unsafe RawText(start: base, count: min(bytes.count, sampleBytes))
        var start = sample.count >= 3 && sample[0] == 0xEF && sample[1] == 0xBB && sample[2] == 0xBF ? 3 : 0
        while start < sample.count, JSONCursor.isWhitespace(sample[start]) { start += 1 }
        guard start < sample.count else { return .lines }
        for row in signatures where matches(sample, at: start, row.start) { return .unsupported(row.meaning) }
        if spreadsOverLines(sample, from: start) {
            return .unsupported("pretty-printed JSON: make it one entry a line first (jq -c . FILE | callcheck)")
        }
        return hasObjectLine(sample, from: start)
            ? .lines
            : .unsupported("not a log in JSON: export with --format=json, or from a sink to Cloud Storage")
    }

    private static func matches(_ sample: RawText, at start: Int, _ signature: [UInt8]) -> Bool {
        start + signature.count <= sample.count
            && signature.indices.allSatisfy { sample[start + $0] == signature[$0] }
    }

    /// True when the first value opens an object that goes on behind the line's end, on a line of its own.
    private static func spreadsOverLines(_ sample: RawText, from start: Int) -> Bool {
        guard sample[start] == UInt8(ascii: "{") else { return false }
        var index = start + 1
        while index < sample.count, sample[index] != 0x0A, JSONCursor.isWhitespace(sample[index]) { index += 1 }
        return index < sample.count && sample[index] == 0x0A
    }

    /// True when some line starts with a brace.
    private static func hasObjectLine(_ sample: RawText, from start: Int) -> Bool {
        var isAtLineStart = true
        for index in start..<sample.count {
            let byte = sample[index]
            if isAtLineStart, byte == UInt8(ascii: "{") { return true }
            isAtLineStart = byte == 0x0A || (isAtLineStart && JSONCursor.isWhitespace(byte))
        }
        return false
    }
}
