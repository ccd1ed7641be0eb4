/// Something in an input that could not be read.
///
/// A problem never holds record content: logs carry tokens and personal data.
package struct Problem: Hashable, Codable, Sendable {
    /// The kind of problem; the raw value is the spelling in machine-readable output.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case truncatedGzip = "truncated-gzip"
        case corruptGzip = "corrupt-gzip"
        case checksumMismatchGzip = "crc-mismatch"
        case lengthMismatchGzip = "length-mismatch"
        case trailingGarbageGzip = "trailing-garbage"
        case truncatedZlib = "truncated-zlib"
        case corruptZlib = "corrupt-zlib"
        case checksumMismatchZlib = "crc-mismatch-zlib"
        case trailingGarbageZlib = "trailing-garbage-zlib"
        case malformedRecord = "malformed-record"
        case oversizedRecord = "oversized-record"
        case unterminatedArray = "unterminated-array"
        case unexpectedContainer = "unexpected-container"
        case noStatuses = "no-statuses"
        /// The input ends where whoever pulled it stopped, not where the log does.
        case cutPull = "cut-pull"
        case incompleteRecord = "incomplete-record"
        case evidenceLimit = "evidence-limit"
        case unreadable = "unreadable"
        case unsupportedFormat = "unsupported-format"
        case more = "more"

        /// True for damage to the compression, whose offsets count compressed bytes.
        package var isStream: Bool {
            switch self {
            case .truncatedGzip, .corruptGzip, .checksumMismatchGzip, .lengthMismatchGzip, .trailingGarbageGzip,
                .truncatedZlib, .corruptZlib, .checksumMismatchZlib, .trailingGarbageZlib:
                true
            default: false
            }
        }

        /// True for what concerns one record, whose offset counts plain bytes.
        package var isRecord: Bool {
            switch self {
            case .malformedRecord, .oversizedRecord, .unterminatedArray, .unexpectedContainer: true
            default: false
            }
        }
    }

    /// The input's path as given, or `-` for standard input; nil for the closing ``Kind/more`` entry.
    package var source: String?
    package let kind: Kind
    /// From which byte on counts are unverified: compressed for stream kinds, plain for record kinds, else nil.
    package let byteOffset: Int?
    /// Number of the record in its source, from 1; nil when no record is concerned.
    package let record: Int?
    package var detail: String

    /// A source that is kept says its name once.
    private enum CodingKeys: CodingKey { case kind, byteOffset, record, detail }

    package init(source: String?, kind: Kind, byteOffset: Int? = nil, record: Int? = nil, detail: String) {
        (self.source, self.kind, self.detail) = (source, kind, detail)
        (self.byteOffset, self.record) = (byteOffset, record)
    }
}
