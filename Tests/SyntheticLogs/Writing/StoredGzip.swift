/// Wraps bytes as gzip without compressing them: stored blocks (RFC 1951 §3.2.4) in one member (RFC 1952).
enum StoredGzip {
    static func member(_ bytes: [UInt8]) -> [UInt8] {
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var start = 0
        repeat {
            let end = min(start + 0xFFFF, bytes.count)
            member.append(end == bytes.count ? 1 : 0)
            let length = UInt16(end - start)
            member.append(littleEndian: UInt32(length) | UInt32(~length) << 16)
            member += bytes[start..<end]
            start = end
        } while start < bytes.count
        member.append(littleEndian: checksum(bytes))
        member.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
        return member
    }

    /// CRC-32 (RFC 1952 §8).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var rest: UInt32 = 0xFFFF_FFFF
        for byte in bytes { rest = table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ rest >> 8 }
        return ~rest
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1 }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
