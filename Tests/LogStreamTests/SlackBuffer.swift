@testable import LogStream

/// Calls `body` with the bytes as the scanner wants them: with slack behind the last.
func withSlack<Result>(_ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    let chunk = PlainChunk(capacity: bytes.count)
    _ = unsafe chunk.room.update(fromContentsOf: bytes)
    chunk.commit(bytes.count)
    return try withExtendedLifetime(chunk) { try unsafe body(chunk.bytes) }
}

/// Calls `body` with the bytes as a text.
func withText<Result>(_ bytes: [UInt8], _ body: (RawText) throws -> Result) rethrows -> Result {
    try unsafe withSlack(bytes) { buffer in
        guard let base = buffer.baseAddress else { return try body(.empty) }
        return try body(unsafe RawText(start: base, count: buffer.count))
    }
}
