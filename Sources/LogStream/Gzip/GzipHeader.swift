internal import CZlib

/// Reads the header of a gzip member (RFC 1952, section 2.3), with any optional fields.
enum GzipHeader {
    enum Outcome {
        /// `isIntact` is false when the header's own checksum (FHCRC) does not match.
        case complete(isIntact: Bool)
        case notGzip
        case truncated
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let headerChecksum = Flags(rawValue: 0x02)
        static let extra = Flags(rawValue: 0x04)
        static let name = Flags(rawValue: 0x08)
        static let comment = Flags(rawValue: 0x10)
        static let reserved = Flags(rawValue: 0xE0)
    }

    /// Reads the header at the input's position.
    ///
    /// One that is longer than the limit counts as truncated. The bytes before the method are not checked.
    static func read(from input: InputBuffer, limit: Int = .max, magicBytes: Int = 2) -> Outcome {
        var reader = CheckedReader(input: input, rest: limit)
        guard reader.skip(magicBytes), let method = reader.next(), let flagByte = reader.next() else {
            return .truncated
        }
        let flags = Flags(rawValue: flagByte)
        guard method == 8, flags.isDisjoint(with: .reserved) else { return .notGzip }
        // Modification time, extra flags, operating system: of no interest.
        guard reader.skip(6) else { return .truncated }
        if flags.contains(.extra) {
            guard let low = reader.next(), let high = reader.next(), reader.skip(Int(high) << 8 | Int(low)) else {
                return .truncated
            }
        }
        for field in [Flags.name, .comment] where flags.contains(field) {
            guard reader.skipThroughZero() else { return .truncated }
        }
        guard flags.contains(.headerChecksum) else { return .complete(isIntact: true) }
        let expected = UInt16(truncatingIfNeeded: reader.checksum)
        guard let low = reader.next(), let high = reader.next() else { return .truncated }
        return .complete(isIntact: UInt16(high) << 8 | UInt16(low) == expected)
    }

    private struct CheckedReader {
        let input: InputBuffer
        var rest: Int
        var checksum: UInt = 0

        mutating func next() -> UInt8? {
            guard rest > 0, var byte = input.next() else { return nil }
            rest -= 1
            // Safe: libz reads the one byte.
            checksum = unsafe crc32_z(checksum, &byte, 1)
            return byte
        }

        mutating func skip(_ count: Int) -> Bool {
            for _ in 0..<count { guard next() != nil else { return false } }
            return true
        }

        mutating func skipThroughZero() -> Bool {
            while let byte = next() { if byte == 0 { return true } }
            return false
        }
    }
}

/// The header of a zlib stream (RFC 1950, section 2.2).
enum ZlibHeader {
    /// True when the two bytes start a zlib stream without a preset dictionary.
    ///
    /// The check value leaves one text in 31 as a candidate. Only the full window, which every tool writes by default,
    /// is taken with a printable second byte.
    static func isHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        let isDeflate = first & 0x0F == 8 && first >> 4 <= 7
        let isChecked = (UInt16(first) << 8 | UInt16(second)) % 31 == 0
        let hasDictionary = second & 0x20 != 0
        let isPrintable = (0x20..<0x7F).contains(second)
        return isDeflate && isChecked && !hasDictionary && (first == 0x78 || !isPrintable)
    }
}
