internal import CInflate
internal import Glibc

/// Raw DEFLATE decompression of whole sources, about twice as fast as libz's.
///
/// Wrappers (gzip, zlib) are handled outside: the check sum is taken by whoever consumes the bytes, on another core if
/// there is one.
@safe struct DeflateStream: ~Copyable {
    private let stream: UnsafeMutablePointer<CInflate_Stream>

    /// How far back matches reach: as many bytes stand in front of a chunk's.
    static let window = Int(CInflate_window)
    /// The least input that a step needs, unless there is no more.
    static let leastInput = Int(CInflate_leastInput)

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: CInflate_Stream())
    }

    deinit {
        unsafe stream.deallocate()
    }

    /// Starts anew, for the next member.
    mutating func reset() {
        unsafe stream.update(repeating: CInflate_Stream(), count: 1)
    }

    /// Decompresses as much as input and room allow.
    ///
    /// - Parameters:
    ///   - input: At least ``leastInput`` bytes, or all that are left.
    ///   - isEnd: True when nothing comes behind the input.
    ///   - chunk: Takes the plain bytes; those of the stream before them stand in front of its room.
    /// - Returns: How many bytes were taken, and how it ended.
    mutating func inflate(
        from input: UnsafeBufferPointer<UInt8>, isEnd: Bool, into chunk: PlainChunk
    ) -> (taken: Int, step: Inflater.Step) {
        let room = unsafe chunk.room
        // Safe: no more than `input.count` bytes are read and `room.count` written, and a chunk has a whole window in
        // front of its room.
        let result = unsafe CInflate_run(stream, input.baseAddress, input.count, isEnd, room.baseAddress, room.count)
        chunk.commit(result.written)
        switch result.outcome {
        case CInflate_finished: return (result.taken, .finished)
        case CInflate_corrupt: return (result.taken, .corrupt)
        default: return (result.taken, .more)
        }
    }
}

/// The last bytes of a stream, kept from one chunk to the next.
@safe struct DeflateHistory: ~Copyable {
    private let memory: UnsafeMutablePointer<UInt8>

    init() {
        unsafe memory = .allocate(capacity: DeflateStream.window)
        // Safe: as many bytes were allocated.
        unsafe memset(memory, 0, DeflateStream.window)
    }

    deinit {
        unsafe memory.deallocate()
    }

    mutating func keepEnd(of chunk: PlainChunk) {
        // Safe: both have a window of bytes.
        unsafe memcpy(memory, chunk.end, DeflateStream.window)
    }

    func put(inFrontOf chunk: PlainChunk) {
        // Safe: both have a window of bytes.
        unsafe memcpy(chunk.front, memory, DeflateStream.window)
    }
}
