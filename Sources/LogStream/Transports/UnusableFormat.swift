/// Files that cannot be read as a log.
///
/// Named are binary ones, by their first bytes (in hexadecimal), and an interface's error, which failed exports leave.
/// All others get the same words.
///
/// ```
/// gzip     1F 8B                zip    50 4B 03 04 (PK), empty 50 4B 05 06    Parquet  50 41 52 31 (PAR1)
/// xz       FD 37 7A 58 5A 00    zstd   28 B5 2F FD, or 50-5F 2A 4D 18         Avro     4F 62 6A 01 (Obj)
/// bzip2    42 5A 68 31-39 (BZh) tar    "ustar" at byte 257                    SQLite   "SQLite format 3", 00
/// UTF-16   FF FE or FE FF, or 00 in it         UTF-32 FF FE 00 00 or 00 00 FE FF, or 00 00 in it
/// ```
///
/// Sources: the formats' specifications, as file(1) collects them. A new one is a case, a row, and its words in
/// ``ProblemWording``.
enum UnusableFormat: CaseIterable, Sendable {
    // Something packed, which may well hold a log.
    case gzip, zip, xz, zstd, bzip2, tar
    // Tables in separate files.
    case parquet, avro
    // Text in another encoding.
    case utf16, utf32
    // Another thing.
    case sqlite
    // Text in the place of bytes: encrypted, in base64, or a pointer of Git LFS.
    case encoded
    // `{"error":{"code":403,"message":"…","status":"PERMISSION_DENIED"}}`
    case errorAnswer
    case unknown

    /// Recognises the format of a source, before any readable format is tried; nil if it may be a log.
    init?(startOf sample: Sample) {
        guard let format = SampleRule.first(of: UnusableFormat.rules, fitting: sample) else { return nil }
        self = format
    }

    private static let rules: [SampleRule<UnusableFormat>] = [
        SampleRule(.gzip) { $0.starts(0x1F, 0x8B) },
        // Documents are zip archives as well, and start with a file of this name.
        SampleRule(.unknown) {
            $0.starts("PK") && ($0.holds("[Content_Types].xml", at: 30) || $0.holds("mimetype", at: 30))
        },
        SampleRule(.zip) { $0.starts(0x50, 0x4B, 0x03, 0x04) || $0.starts(0x50, 0x4B, 0x05, 0x06) },
        SampleRule(.xz) { $0.starts(0xFD, 0x37, 0x7A, 0x58, 0x5A) },
        // A frame that is skipped may come first (RFC 8878, section 3.1.2).
        SampleRule(.zstd) { $0.starts(0x28, 0xB5, 0x2F, 0xFD) || $0.holds("*M\u{18}", at: 1) && $0.text[0] >> 4 == 5 },
        SampleRule(.bzip2) { $0.starts("BZh") },
        SampleRule(.tar) { $0.holds("ustar", at: 257) && $0.hasTarChecksum },
        SampleRule(.parquet) { $0.starts("PAR1") },
        SampleRule(.avro) { $0.starts(0x4F, 0x62, 0x6A, 1) },
        SampleRule(.sqlite) { $0.starts("SQLite format 3") },
        SampleRule(.utf32) { $0.isUTF32 },
        SampleRule(.utf16) { $0.isUTF16 },
        SampleRule(.errorAnswer) { $0.isErrorAnswer || $0.starts("ERROR: (gcloud") },
        SampleRule(.encoded) {
            $0.starts("-----BEGIN PGP MESSAGE") || $0.starts("version https://git-lfs") || $0.isBase64
        },
    ]

    var hidesText: Bool {
        switch self {
        case .gzip, .zip, .xz, .zstd, .bzip2, .tar, .parquet, .avro, .encoded: true
        default: false
        }
    }

    /// True when it may be a log, regardless of its name: such a file is reported even where it was only found in a
    /// directory.
    var mayBeLog: Bool { hidesText || isWide }

    /// True for text in two or four bytes a character.
    private var isWide: Bool { self == .utf16 || self == .utf32 }

    /// Looks for markers in the text; in UTF-16 and UTF-32 their letters have zeros between them.
    func search(_ text: RawText, _ skipped: inout SkippedText) {
        guard isWide else { return skipped.append(text) }
        let letters = ByteCollector(unsafe text.buffer.filter { $0 != 0 })
        skipped.append(letters.text)
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

    var isUTF16: Bool {
        if starts(0xFF, 0xFE) || starts(0xFE, 0xFF) { return true }
        // Without a mark, ASCII shows every other byte as 0.
        return text.count >= 4 && (text[0] == 0) != (text[1] == 0) && (text[2] == 0) == (text[0] == 0)
            && (text[3] == 0) == (text[1] == 0)
    }

    /// True for text in four bytes a character, with a byte order mark or without.
    fileprivate var isUTF32: Bool {
        guard text.count >= 8 else { return false }
        // The second character is ASCII, or the first one is the mark.
        func isZero(_ places: Int...) -> Bool { places.allSatisfy { text[$0] == 0 } }
        return isZero(2, 3, 5, 6, 7) && !isZero(0) && !isZero(4) || isZero(0, 1, 4, 5, 6) && !isZero(3) && !isZero(7)
    }

    /// True for nothing but digits of base64 (RFC 4648, section 4) in lines, more than any word has.
    fileprivate var isBase64: Bool {
        let line = (0..<text.count).prefix { text[$0] != 0x0A && text[$0] != 0x0D }
        return line.count >= 60
            && Sample.mixed.allSatisfy { digits in line.contains { digits.contains(text[$0]) } }
            && (0..<text.count).allSatisfy { place in
                let byte = text[place]
                return Sample.base64.contains(byte) || JSONCursor.isWhitespace(byte)
            }
    }

    /// No word has all of these.
    private static let mixed: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
    private static let base64 = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)

    /// True for an object that says what went wrong and nothing else, in an array or not.
    var isErrorAnswer: Bool {
        let body = firstObject
        var scanner = JSONScanner(JSONCursor(body))
        guard body.holdsErrorAlone, (try? scanner.skipValue()) != nil else { return false }
        return body.cut(scanner.position..<body.count).allSatisfy {
            JSONCursor.isWhitespace($0) || starts("[") && $0 == .closeBracket
        }
    }
}

extension RawText {
    /// True for an object that says what went wrong and nothing else, as Google's interfaces do.
    var isErrorAnswer: Bool {
        holdsErrorAlone && hasMember { key, scanner in key == "error" && scanner.isAtObject() }
    }

    fileprivate var holdsErrorAlone: Bool {
        !hasMember { key, _ in !RawText.errorKeys.contains { key == $0 } } && hasMember { key, _ in key == "error" }
    }

    /// The key `error`, and those that may accompany it: OAuth's description (RFC 6749, section 5.2), and the status of
    /// `firebase --json`.
    private static let errorKeys: [StaticString] = [
        "error", "error_description", "error_subtype", "error_uri", "status", "code",
    ]
}
