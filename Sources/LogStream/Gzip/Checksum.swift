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
            ? unsafe crc32_z(sum, start, bytes.count) : unsafe adler32_z(sum, start, bytes.count)
    }
}
