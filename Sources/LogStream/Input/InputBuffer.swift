internal import Platform
internal import Synchronization

/// Buffered reading of one descriptor, with the place in the source.
///
/// The last bytes that were handed out are kept, so that what turns out to be damaged can be read again from a little
/// before the place where that was noticed. The descriptor is closed with the buffer, unless it is standard input.
@safe final class InputBuffer {
    /// The least number of bytes that can be read again after they were handed out.
    ///
    /// libz ends a block after 16,384 symbols (memLevel 8): damage is most often noticed within this many bytes.
    static let history = 128 << 10

    private let descriptor: Int32
    private let readBytes: Int
    private let capacity: Int
    private let memory: UnsafeMutablePointer<UInt8>
    private var start = 0
    private var end = 0
    private let progress: ReadProgress
    /// Bytes handed out so far: the offset of the next byte in the source.
    private(set) var offset = 0
    /// The system's error number when a read failed; nothing can be read after that.
    private(set) var readError: Int32?

    /// `beginning` are bytes that were read from the descriptor before.
    init(descriptor: Int32, beginning: [UInt8] = [], capacity: Int, progress: ReadProgress) {
        self.descriptor = descriptor
        readBytes = max(capacity, 16)
        // Twice what is kept: bytes are moved only after as many have been handed out.
        self.capacity = readBytes + 2 * InputBuffer.history
        self.progress = progress
        unsafe memory = .allocate(capacity: self.capacity)
        precondition(beginning.count <= InputBuffer.history)
        for (index, byte) in beginning.enumerated() { unsafe memory[index] = byte }
        end = beginning.count
        progress.add(end)
    }

    deinit {
        unsafe memory.deallocate()
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    var available: UnsafeBufferPointer<UInt8> {
        // Safe: start <= end <= capacity.
        unsafe UnsafeBufferPointer(start: memory + start, count: end - start)
    }

    func peek(_ distance: Int) -> UInt8? {
        // Safe: start + distance < end.
        start + distance < end ? unsafe memory[start + distance] : nil
    }

    func skip(_ count: Int) {
        precondition(start + count <= end)
        start += count
        offset += count
    }

    func skipZeros() { while peek(0) == 0 { skip(1) } }

    func next() -> UInt8? {
        if start == end { refill() }
        guard let byte = peek(0) else { return nil }
        skip(1)
        return byte
    }

    /// Reads until `count` bytes (at most ``history``) are available, or the source ends.
    func ensure(_ count: Int) { while end - start < count, refill() > 0 {} }
    var oldestOffset: Int { offset - start }

    /// Goes back to a byte that was handed out before, ``oldestOffset`` at the earliest.
    func rewind(to target: Int) {
        precondition(target >= oldestOffset && target <= offset)
        start -= offset - target
        offset = target
    }

    /// Reads once, after what is available; returns how many bytes came.
    @discardableResult
    func refill() -> Int {
        if capacity - end < readBytes && start > InputBuffer.history {
            let dropped = start - InputBuffer.history
            // Safe: both ranges lie in the buffer; memmove allows them to overlap.
            unsafe memmove(memory, memory + dropped, end - dropped)
            end -= dropped
            start -= dropped
        }
        let room = min(readBytes, capacity - end)
        let count = unsafe read(into: UnsafeMutableRawBufferPointer(start: memory + end, count: room))
        end += count
        return count
    }

    /// Hands out available bytes into `room`, or, when there are none, reads straight into it.
    func read(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count: Int
        if start < end, let target = room.baseAddress {
            count = min(end - start, room.count)
            // Safe: both have `count` bytes.
            unsafe memcpy(target, memory + start, count)
            start += count
        } else {
            count = unsafe read(into: UnsafeMutableRawBufferPointer(room))
        }
        offset += count
        return count
    }

    private func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        guard readError == nil, room.count > 0 else { return 0 }
        while true {
            // Safe: read(2) writes at most `room.count` bytes.
            let count = unsafe Platform.read(descriptor, room.baseAddress, room.count)
            if count >= 0 {
                progress.add(count)
                return count
            }
            if errno != EINTR {
                readError = errno
                return 0
            }
        }
    }
}

/// How far a run has come, counted by the readers, for a progress display.
public final class ReadProgress: Sendable {
    private let read = Atomic<Int>(0)

    public init() {}

    /// Bytes read from all sources so far, as stored.
    package var bytesRead: Int { read.load(ordering: .relaxed) }
    func add(_ bytes: Int) { read.add(bytes, ordering: .relaxed) }
}
