internal import CChecksum
internal import CZlib

/// Checks what was decompressed against the trailers of its members.
///
/// This is done by the consumer of the bytes, not by libz while it inflates: the two then share the work between
/// cores.
struct StreamVerifier {
    private(set) var firstDamage: StreamDamage?
    /// The number of further ones: a file may have a million bad members, and one place is enough to act on.
    private(set) var furtherDamage = 0
    /// True when the stream broke off, or went on with other data, so that bytes may be missing after the last ones.
    private(set) var lostBytes = false
    private var checksum: Checksum?
    /// Checksum of all bytes before those of ``checksum``, if they are in gzip.
    private var members = Checksum(.gzip)

    var contentChecksum: UInt32 { members.joined(checksum).value }

    mutating func check(_ chunk: PlainChunk) {
        guard let format = chunk.format else { return }
        if chunk.followsGap {
            endMember()
            lostBytes = false
        }
        let bytes = unsafe chunk.bytes
        var found = chunk.damage
        var start = 0
        for end in chunk.memberEnds {
            unsafe add(UnsafeBufferPointer(rebasing: bytes[start..<end.offset]), format)
            start = end.offset
            if let damage = compare(end, format) { found.append(damage) }
        }
        unsafe add(UnsafeBufferPointer(rebasing: bytes[start...]), format)
        // Headers are checked while the chunk is filled, trailers here: which comes first is decided by its place.
        for damage in found.sorted(by: { $0.offset < $1.offset }) { add(damage) }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ format: CompressionFormat) {
        checksum = checksum ?? Checksum(format)
        unsafe checksum?.add(bytes)
    }

    private mutating func endMember() {
        members = members.joined(checksum)
        checksum = nil
    }

    private mutating func compare(_ end: PlainChunk.MemberEnd, _ format: CompressionFormat) -> StreamDamage? {
        let sum = checksum ?? Checksum(format)
        endMember()
        let kind: StreamDamage.Kind
        if sum.value != end.checksum {
            kind = .checksumMismatch
        } else if let length = end.length, length != UInt32(truncatingIfNeeded: sum.length) {
            kind = .lengthMismatch
        } else {
            return nil
        }
        return StreamDamage(kind: kind, format: format, offset: end.memberStart, noticedAt: end.memberStart)
    }

    private mutating func add(_ damage: StreamDamage) {
        switch damage.kind {
        case .truncated, .badHeader, .corrupt, .trailingGarbage: lostBytes = true
        case .checksumMismatch, .lengthMismatch: break
        }
        if firstDamage == nil { firstDamage = damage } else { furtherDamage += 1 }
    }
}

/// The two wrappers in which DEFLATE data comes.
enum CompressionFormat {
    /// RFC 1952: any number of members, each with CRC-32 and length.
    case gzip
    /// RFC 1950: one stream with Adler-32.
    case zlib
}

/// The checksum that a format's trailer carries, taken over the decompressed bytes.
struct Checksum {
    private let format: CompressionFormat
    private var sum: UInt
    private(set) var length: UInt64 = 0

    init(_ format: CompressionFormat) {
        self.format = format
        sum = format == .gzip ? 0 : 1
    }

    var value: UInt32 { UInt32(truncatingIfNeeded: sum) }

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        length &+= UInt64(bytes.count)
        // Safe: libz reads `count` bytes.
        sum =
            format == .gzip
            ? unsafe Checksum.crc32(sum, start, bytes.count) : unsafe adler32_z(sum, start, bytes.count)
    }

    func joined(_ other: Checksum?) -> Checksum {
        guard let other, length > 0 else { return other ?? self }
        var joined = self
        joined.sum = crc32_combine(sum, other.sum, Int(other.length))
        joined.length &+= other.length
        return joined
    }

    private static func crc32(_ sum: UInt, _ start: UnsafePointer<UInt8>, _ count: Int) -> UInt {
        // Safe: the shim reads no more than `count` bytes, and says how many it has taken.
        let folded = unsafe CChecksum_fold(start, count, UInt32(truncatingIfNeeded: sum))
        guard folded.count > 0 else { return unsafe crc32_z(sum, start, count) }
        let foldedSum = unsafe withUnsafeBytes(of: folded.bytes) { bytes in
            unsafe crc32_z(0xFFFF_FFFF, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        return unsafe crc32_z(foldedSum, start + folded.count, count - folded.count)
    }
}
