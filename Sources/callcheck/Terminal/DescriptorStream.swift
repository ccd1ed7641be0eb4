/// Text on its way to a descriptor: a long report never has to fit in memory.
struct DescriptorStream: TextOutputStream {
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    /// 0, or the system's number of the first error; nothing is written after it.
    private var error: Int32 = 0

    /// How much is written at once.
    private static let pieceBytes = 64 << 10

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes what `body` puts into the stream.
    ///
    /// - Parameters:
    ///   - descriptor: Stays open.
    ///   - body: Writes.
    /// - Returns: 0, or the system's error number.
    static func write(to descriptor: Int32, _ body: (inout DescriptorStream) -> Void) -> Int32 {
        var stream = DescriptorStream(descriptor)
        body(&stream)
        stream.flush()
        return stream.error
    }

    mutating func write(_ text: String) {
        waiting.append(contentsOf: text.utf8)
        if waiting.count >= DescriptorStream.pieceBytes { flush() }
    }

    private mutating func flush() {
        if error == 0 { error = writeAll(waiting, to: descriptor) }
        waiting.removeAll(keepingCapacity: true)
    }
}
