/// What is handed to log readers and is no log that can be read: each gets a name, and advice what to do instead.
///
/// The bytes that give the binary ones away, in hexadecimal:
///
/// ```
/// gzip     1F 8B                zip    50 4B 03 04 (PK), empty 50 4B 05 06    Parquet  50 41 52 31 (PAR1)
/// compress 1F 9D                7z     37 7A BC AF 27 1C                      Avro     4F 62 6A 01 (Obj)
/// xz       FD 37 7A 58 5A 00    zstd   28 B5 2F FD                            ORC      4F 52 43 (ORC)
/// bzip2    42 5A 68 31-39 (BZh) lz4    04 22 4D 18                            SQLite   "SQLite format 3", 00
/// tar      "ustar" at byte 257  PDF    25 50 44 46 2D (%PDF-)                 UTF-16   FF FE or FE FF, or 00 in it
/// ```
///
/// Sources: the formats' specifications, as file(1) collects them. How the texts look is told in
/// `UnusableFormat+Text.swift`. A new one is a case, a row, and its words in ``ProblemWording``.
enum UnusableFormat: CaseIterable, Sendable {
    // Something packed, which may well hold a log.
    case gzip, compress, zip, sevenZip, xz, zstd, bzip2, lz4, tar
    // Tables in files of their own.
    case parquet, avro, orc
    // Text in another encoding.
    case utf16
    // Other things.
    case sqlite, pdf, office, picture
    // Text that is no log.
    case html, xml, errorAnswer, ownReport, errorMessage, csv, yaml, drawnTable, base64, unknown

    /// What a source is, told before anything is tried that can be read; nil when it may be a log.
    init?(startOf sample: Sample) {
        guard let format = SampleRule.first(of: UnusableFormat.rules, fitting: sample) else { return nil }
        self = format
    }

    private static let rules: [SampleRule<UnusableFormat>] = [
        SampleRule(.gzip) { $0.starts(0x1F, 0x8B) },
        SampleRule(.compress) { $0.starts(0x1F, 0x9D) },
        // Documents are zip archives as well, and start with a file of this name.
        SampleRule(.office) {
            $0.starts("PK") && ($0.holds("[Content_Types].xml", at: 30) || $0.holds("mimetype", at: 30))
        },
        SampleRule(.zip) { $0.starts(0x50, 0x4B, 0x03, 0x04) || $0.starts(0x50, 0x4B, 0x05, 0x06) },
        SampleRule(.sevenZip) { $0.starts(0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C) },
        SampleRule(.xz) { $0.starts(0xFD, 0x37, 0x7A, 0x58, 0x5A) },
        SampleRule(.zstd) { $0.starts(0x28, 0xB5, 0x2F, 0xFD) },
        SampleRule(.bzip2) { $0.starts("BZh") },
        SampleRule(.lz4) { $0.starts(0x04, 0x22, 0x4D, 0x18) },
        SampleRule(.tar) { $0.holds("ustar", at: 257) && $0.hasTarChecksum },
        SampleRule(.parquet) { $0.starts("PAR1") },
        SampleRule(.avro) { $0.starts(0x4F, 0x62, 0x6A, 1) },
        // What follows is no text.
        SampleRule(.orc) { $0.starts("ORC") && $0.text.count > 3 && !(0x20...0x7E).contains($0.text[3]) },
        SampleRule(.sqlite) { $0.starts("SQLite format 3") },
        SampleRule(.pdf) { $0.starts("%PDF-") },
        SampleRule(.picture) {
            $0.starts(0x89, 0x50, 0x4E, 0x47) || $0.starts(0xFF, 0xD8, 0xFF) || $0.starts("GIF8")
        },
        SampleRule(.utf16) { $0.isUTF16 },
        SampleRule(.xml) { $0.starts("<?xml") },
        SampleRule(.html) { $0.starts("<") },
        SampleRule(.errorAnswer) { $0.isErrorAnswer },
        SampleRule(.ownReport) { $0.isOwnReport },
    ]

    /// What a text is in which nothing that can be read was found.
    init(textOf sample: Sample) {
        self =
            if sample.isErrorMessage {
                .errorMessage
            } else if sample.isYAML {
                .yaml
            } else if sample.isDrawnTable {
                .drawnTable
            } else if sample.isCSV {
                .csv
            } else if sample.isBase64 {
                .base64
            } else {
                .unknown
            }
    }

    /// True when it may be a log in a form that cannot be read, whatever its name is: such a file is reported even
    /// where it was only found in a directory.
    var mayBeLog: Bool {
        switch self {
        case .gzip, .compress, .zip, .sevenZip, .xz, .zstd, .bzip2, .lz4, .tar, .parquet, .avro, .orc, .utf16: true
        case .csv, .yaml, .drawnTable, .base64: true
        case .sqlite, .pdf, .office, .picture, .html, .xml, .errorAnswer, .ownReport, .errorMessage, .unknown: false
        }
    }
}

extension Sample {
    /// True when the first 512 bytes add up to what they say of themselves, in octal digits at byte 148, with spaces in
    /// the place of these: the header of a tar archive (POSIX.1-2017, pax, ustar interchange format).
    ///
    /// A log may well have any word at any place.
    fileprivate var hasTarChecksum: Bool {
        let field = 148..<156
        guard text.count >= 512 else { return false }
        let sum = (0..<512).reduce(0) { $0 + (field.contains($1) ? 0x20 : Int(text[$1])) }
        let digits = field.map { text[$0] }.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        return digits.reduce(0) { $0 * 8 + Int($1 - 0x30) } == sum
    }
}
