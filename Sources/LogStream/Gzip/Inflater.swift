internal import CZlib

/// Raw DEFLATE decompression by libz.
///
/// `z_stream` has a separate allocation, because libz keeps its address and fails when it moves. Wrappers (gzip,
/// zlib) are handled outside: the checksum is then taken by the consumer of the bytes, on another core if there is
/// one.
@safe struct Inflater: ~Copyable {
    /// How a step of decompression ended.
    enum Step {
        /// Input or room for output ran out.
        case more
        /// The last block ended.
        case finished
        /// The bytes are not DEFLATE data.
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

    /// Starts anew, for the next member.
    mutating func reset() { unsafe inflateReset(stream) }

    /// Decompresses as much as input and room allow.
    ///
    /// - Returns: How many bytes were taken and written, and how it ended.
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

/// The library that inflates.
package enum LibZ {
    /// Version of the loaded library, which may differ from the one that callcheck was built with.
    package static var version: String {
        // Safe: zlibVersion returns a constant that ends in NUL.
        unsafe zlibVersion().map { unsafe String(cString: $0) } ?? "unknown"
    }
}
