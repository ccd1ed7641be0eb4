internal import CZlib

/// Raw DEFLATE decompression by libz.
///
/// `z_stream` has a separate allocation, because libz keeps its address and fails when it moves. Wrappers (gzip,
/// zlib) are handled outside: the checksum is then taken by the consumer of the bytes, on another core if there is
/// one.
@safe struct Inflater: ~Copyable {
    enum Step {
        /// Input or room for output ran out.
        case more
        case finished
        case corrupt
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool

    /// Raw data with the largest window (`inflateInit2`'s windowBits).
    static let rawWindowBits: Int32 = -15
    /// One whole gzip member with the largest window, header and trailer checked by libz.
    static let gzipWindowBits: Int32 = 31

    init(windowBits: Int32 = rawWindowBits) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        isReady = unsafe CZlib_inflateInit2(stream, windowBits) == Z_OK
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    mutating func reset() { unsafe inflateReset(stream) }

    /// Decompresses as much as input and room allow.
    mutating func inflate(
        from input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> (taken: Int, written: Int, step: Step) {
        guard isReady else { return (0, 0, .corrupt) }
        // Safe: libz reads and writes no more than the counts given, and keeps neither pointer after the call; it
        // never writes through next_in.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = unsafe input.count - Int(stream.pointee.avail_in)
        let written = unsafe output.count - Int(stream.pointee.avail_out)
        switch status {
        case Z_OK, Z_BUF_ERROR: return (taken, written, .more)
        case Z_STREAM_END: return (taken, written, .finished)
        default: return (taken, written, .corrupt)
        }
    }
}

package enum LibZ {
    /// Version of the loaded library, which may differ from the one that callcheck was built with.
    package static var version: String {
        // Safe: zlibVersion returns a constant that ends in NUL.
        unsafe zlibVersion().map { unsafe String(cString: $0) } ?? "unknown"
    }
}

/// Columns of values that repeat, deflated: libz's fastest level, in its own wrapper.
package enum Deflate {
    package static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        // Safe: libz writes no more than the length that it is given, and says how much it wrote.
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { room, count in
            let status = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe compress2(room.baseAddress, &length, bytes.baseAddress, uLong(bytes.count), Z_BEST_SPEED)
            }
            precondition(status == Z_OK, "libz has no memory")
            count = Int(length)
        }
    }

    /// Nil unless the bytes unpack to exactly this many.
    package static func unpacked(_ bytes: ArraySlice<UInt8>, count wanted: Int) -> [UInt8]? {
        var (length, isWhole) = (uLong(wanted), false)
        // Safe: libz writes no more than the length that it is given, and says how much it wrote.
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: max(1, wanted)) { room, count in
            let status = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe uncompress(room.baseAddress, &length, bytes.baseAddress, uLong(bytes.count))
            }
            (isWhole, count) = (status == Z_OK && Int(length) == wanted, status == Z_OK ? Int(length) : 0)
        }
        return isWhole ? unpacked : nil
    }
}
