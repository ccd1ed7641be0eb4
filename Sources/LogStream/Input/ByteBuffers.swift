internal import CByteMask
internal import Platform

/// The number of bytes after the last one that may be loaded, in every buffer that blocks are loaded from.
let byteSlack = Int(CByteMask_slack)

/// Collects the bytes of something that does not lie in one piece, with slack after them.
///
/// It grows by doubling and gives its memory back when it was large.
@safe struct ByteCollector: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    private static let usualCapacity = 64 << 10

    init() {
        capacity = ByteCollector.usualCapacity
        unsafe memory = .allocate(capacity: capacity + byteSlack)
        // Safe: as many bytes were allocated.
        unsafe memset(memory, 0, capacity + byteSlack)
    }

    init(_ bytes: [UInt8]) {
        self.init()
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    deinit { unsafe memory.deallocate() }

    var isEmpty: Bool { count == 0 }
    var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: memory, count: count) }
    var text: RawText { unsafe RawText(bytes) }
    mutating func append(_ text: RawText) { unsafe append(text.buffer) }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        if count + bytes.count > capacity { resize(to: max(capacity * 2, count + bytes.count)) }
        // Safe: there is room for `bytes.count` bytes after `count`, and for the slack.
        unsafe memcpy(memory + count, source, bytes.count)
        count += bytes.count
        unsafe memset(memory + count, 0, byteSlack)
    }

    mutating func removeFirst(_ removed: Int) {
        precondition(removed <= count)
        count -= removed
        // Safe: both ranges lie in the buffer; memmove allows them to overlap.
        unsafe memmove(memory, memory + removed, count)
        unsafe memset(memory + count, 0, byteSlack)
    }

    mutating func removeAll() {
        count = 0
        if capacity > ByteCollector.usualCapacity { resize(to: ByteCollector.usualCapacity) }
    }

    private mutating func resize(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity + byteSlack)
        // Safe: both hold `count` bytes.
        unsafe memcpy(larger, memory, count)
        unsafe memory.deallocate()
        unsafe memory = larger
        capacity = newCapacity
    }
}
