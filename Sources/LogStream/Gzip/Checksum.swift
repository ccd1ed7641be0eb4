internal import CChecksum
internal import CZlib

/// The two wrappers in which DEFLATE data comes.
enum Wrapper {
    /// RFC 1952: any number of members, each with CRC-32 and length.
    case gzip
    /// RFC 1950: one stream with Adler-32.
    case zlib
}

/// The check sum that a wrapper's trailer carries, taken over the decompressed bytes.
struct Checksum {
    private let wrapper: Wrapper
    private var sum: UInt
    /// Bytes seen so far.
    private(set) var length: UInt64 = 0

    init(_ wrapper: Wrapper) {
        self.wrapper = wrapper
        sum = wrapper == .gzip ? 0 : 1
    }

    var value: UInt32 { UInt32(truncatingIfNeeded: sum) }

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        length &+= UInt64(bytes.count)
        // Safe: libz reads `count` bytes.
        sum =
            wrapper == .gzip
            ? unsafe Checksum.crc32(sum, start, bytes.count) : unsafe adler32_z(sum, start, bytes.count)
    }

    /// The CRC-32 of what had `sum`, and of the bytes behind it.
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
