internal import CZlib

/// Compressed bytes for tests, wrapped by hand so that every field of the wrapper can be set, or spoilt.
package enum Gzip {
    /// One gzip member (RFC 1952) with the shortest header; levels go from 0 (stored blocks) to 9.
    package static func member(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        header() + deflate(bytes, level: level) + trailer(bytes)
    }

    /// The fixed ten bytes of a header, with its flags.
    package static func header(flags: UInt8 = 0, method: UInt8 = 8) -> [UInt8] {
        [0x1F, 0x8B, method, flags, 0, 0, 0, 0, 0, 3]
    }

    /// Checksum and length of the plain bytes.
    package static func trailer(_ bytes: [UInt8]) -> [UInt8] {
        littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// CRC-32.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: unsafe crc32_z(0, bytes, bytes.count))
    }

    /// Raw DEFLATE data.
    package static func deflate(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        Array(zlib(bytes, level: level).dropFirst(2).dropLast(4))
    }

    /// A zlib stream (RFC 1950).
    package static func zlib(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        var length = compressBound(UInt(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(length))
        // Safe: compress2 writes at most `length` bytes.
        let status = unsafe compress2(&result, &length, bytes, UInt(bytes.count), level)
        precondition(status == Z_OK)
        return Array(result.prefix(Int(length)))
    }

    package static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

extension Gzip {
    /// What libz alone, which reads headers and trailers itself, can decode of gzip members, broken or cut as they may
    /// be.
    package static func decodable(_ bytes: [UInt8]) -> [UInt8] {
        var input = bytes
        var output = [UInt8](repeating: 0, count: 1 << 20)
        // Safe: libz stays within the two counts, and the stream does not move while it is used.
        return unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
                unsafe stream.initialize(to: z_stream())
                defer {
                    unsafe inflateEnd(stream)
                    unsafe stream.deallocate()
                }
                // 31: the largest window, with a gzip wrapper.
                guard unsafe CZlib_inflateInit2(stream, 31) == Z_OK else { return [] }
                unsafe stream.pointee.next_in = input.baseAddress
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                while unsafe inflate(stream, Z_SYNC_FLUSH) == Z_STREAM_END, unsafe stream.pointee.avail_in > 0 {
                    unsafe inflateReset(stream)
                }
                return unsafe Array(output.prefix(output.count - Int(stream.pointee.avail_out)))
            }
        }
    }
}
