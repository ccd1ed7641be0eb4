internal import Glibc

/// Buffered reading of one descriptor, with the place in the source.
///
/// The descriptor is closed with the buffer, unless it is standard input.
@safe final class InputBuffer {
    private let descriptor: Int32
    private let capacity: Int
    private let memory: UnsafeMutablePointer<UInt8>
    private var start = 0
    private var end = 0
    private let progress: ReadProgress
    /// Bytes handed out so far: the offset of the next byte in the source.
    private(set) var offset = 0
    /// The system's error number when a read failed; nothing can be read after that.
    private(set) var readError: Int32?

    init(descriptor: Int32, capacity: Int, progress: ReadProgress) {
        self.descriptor = descriptor
        self.capacity = max(capacity, 16)
        self.progress = progress
        unsafe memory = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe memory.deallocate()
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// What has been read and not handed out.
    var available: UnsafeBufferPointer<UInt8> {
        // Safe: start <= end <= capacity.
        unsafe UnsafeBufferPointer(start: memory + start, count: end - start)
    }

    /// The byte `distance` ahead, when it has been read.
    func peek(_ distance: Int) -> UInt8? {
        // Safe: start + distance < end.
        start + distance < end ? unsafe memory[start + distance] : nil
    }

    /// Hands out `count` of the available bytes.
    func skip(_ count: Int) {
        precondition(start + count <= end)
        start += count
        offset += count
    }

    /// Hands out zero bytes as long as there are any.
    func skipZeros() {
        while peek(0) == 0 { skip(1) }
    }

    /// The next byte; nil at the end of the source.
    func next() -> UInt8? {
        if start == end { refill() }
        guard let byte = peek(0) else { return nil }
        skip(1)
        return byte
    }

    /// Reads until `count` bytes (at most 16) are available, or the source ends.
    func ensure(_ count: Int) {
        while end - start < count, refill() > 0 {}
    }

    /// Reads once, behind what is available; returns how many bytes came.
    @discardableResult
    func refill() -> Int {
        if start > 0 {
            // Safe: both ranges lie in the buffer; memmove allows them to overlap.
            unsafe memmove(memory, memory + start, end - start)
            end -= start
            start = 0
        }
        let count = unsafe read(into: UnsafeMutableRawBufferPointer(start: memory + end, count: capacity - end))
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
            let count = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
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
