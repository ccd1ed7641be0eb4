internal import CByteMask
internal import Verifications

/// The stages of the pipeline by themselves, on a whole buffer of lines: for benchmarks and fuzzers, and for nobody
/// else.
@_spi(Stages) public final class BufferStages {
    private var text = ByteCollector()
    private var reader: RecordReader<CountingSink>

    /// - Parameter lines: Newline-delimited JSON, which is copied.
    public init(lines: [UInt8]) {
        reader = RecordReader(options: ScanOptions(), sink: CountingSink())
        reader.begin("buffer")
        reader.begin(.lines, hidesEntries: false)
        unsafe lines.withUnsafeBufferPointer { unsafe text.append($0) }
    }

    public var byteCount: Int { text.count }

    /// Takes the CRC-32 of all bytes.
    public func checksum() -> UInt32 {
        var sum = Checksum(.gzip)
        unsafe sum.add(text.bytes)
        return sum.value
    }

    /// Looks for line feeds and signs of a verification, and tells how many places there are.
    public func search() -> Int {
        let bytes = unsafe text.bytes
        guard let base = bytes.baseAddress else { return 0 }
        var count = 0
        for block in stride(from: 0, to: bytes.count, by: 64) {
            // Safe: slack behind the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_signs(base + block)
            count += (found.newline | found.marker | found.escape | found.errorStream).nonzeroBitCount
        }
        return count
    }

    /// Cuts the bytes into lines, and tells how many there are and how many show a sign.
    public func frame() -> (lines: Int, signed: Int) {
        var taker = CountingTaker()
        var framer = LineFramer(limit: 16 << 20)
        unsafe framer.consume(text.bytes, &taker)
        framer.finish(isDamaged: false, &taker)
        return (taker.lines, taker.signed)
    }

    /// Parses every line, whatever it shows, and tells how many verifications there are.
    public func parse() -> Int {
        let bytes = unsafe text.bytes
        let before = reader.sink.verifications
        var start = 0
        while start < bytes.count {
            let rest = unsafe RawText(UnsafeBufferPointer(rebasing: bytes[start...]))
            let count = rest.index(of: 0x0A, from: 0) ?? rest.count
            unsafe reader.takeLine(rest.cut(0..<count).buffer, signs: .marker, offset: start)
            start += count + 1
        }
        return reader.sink.verifications - before
    }

    /// Does what a scan does with the bytes: cuts, looks for signs, parses what shows one.
    public func read() -> Int {
        let before = reader.sink.verifications
        var framer = LineFramer(limit: 16 << 20)
        unsafe framer.consume(text.bytes, &reader)
        framer.finish(isDamaged: false, &reader)
        return reader.sink.verifications - before
    }

    /// Decompresses a source and tells how many plain bytes it has.
    public static func inflate(_ input: LogInput) -> Int {
        guard case .success(let descriptor) = input.open() else { return 0 }
        let chunkBytes = ScanOptions().chunkBytes
        let buffer = InputBuffer(descriptor: descriptor, capacity: chunkBytes, progress: ReadProgress())
        let feed = InlineFeed(Decompressor(buffer), chunkBytes: chunkBytes)
        var count = 0
        while true {
            let chunk = feed.next()
            count += chunk.count
            if chunk.isLast { return count }
        }
    }
}

/// Counts what it is told, and keeps nothing.
private struct CountingSink: RecordSink {
    var verifications = 0

    mutating func endSource() {}
    mutating func meet(_ function: FunctionIdentity, as index: Int32) {}
    mutating func count(_ verification: Verification) { verifications += 1 }
    mutating func discardForeign(_ provenance: Provenance, function: Int32) {}
    mutating func noteErrorStream(project: Int32, at instant: Instant?) {}
    mutating func retire(function: Int32) {}
    mutating func retire(project: Int32) {}
}

/// Counts lines.
private struct CountingTaker: RecordTaker {
    var lines = 0
    var signed = 0

    mutating func takeLine(_ line: UnsafeBufferPointer<UInt8>, signs: LineSigns, offset: Int) {
        lines += 1
        if !signs.isEmpty { signed += 1 }
    }
    mutating func takeElement(_ element: UnsafeBufferPointer<UInt8>, signs: LineSigns, offset: Int) {}
    mutating func takeTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int) {}
    mutating func takeDamaged(_ cause: Malformation, showsMarker: Bool, isObject: Bool, offset: Int) {}
    mutating func takeOversized(offset: Int) {}
    mutating func takeForeignText(offset: Int) {}
    mutating func noteUnterminated(offset: Int) {}
}
