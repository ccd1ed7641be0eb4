internal import CByteMask
internal import CZlib
internal import Verifications

/// The stages of the pipeline by themselves, on a whole buffer of lines: for benchmarks and fuzzers.
@_spi(Stages) public final class BufferStages {
    private let text: ByteCollector
    private var reader: RecordReader<CountingSink>

    /// - Parameter lines: Newline-delimited JSON, which is copied.
    public init(lines: [UInt8]) {
        text = ByteCollector(lines)
        reader = RecordReader(options: ScanOptions(), sink: CountingSink())
        reader.current = CurrentSource("buffer")
    }

    public func checksum() -> UInt32 {
        var sum = Checksum(.gzip)
        unsafe sum.add(text.bytes)
        return sum.value
    }

    /// Looks for line feeds and hints of a verification, and returns how many places there are.
    public func search() -> Int {
        let bytes = unsafe text.bytes
        guard let base = bytes.baseAddress else { return 0 }
        var count = 0
        for block in stride(from: 0, to: bytes.count, by: 64) {
            // Safe: slack after the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_hints(base + block)
            count += (found.newline | found.candidate).nonzeroBitCount
        }
        return count
    }

    /// Cuts the bytes into lines, and returns how many there are.
    public func frame() -> Int {
        var handler = CountingHandler()
        unsafe LineFramer(limit: 16 << 20, readsValues: true).readAll(text.bytes, &handler)
        return handler.lines
    }

    public func parse() -> Int {
        let bytes = unsafe text.bytes
        let before = reader.sink.verifications
        var start = 0
        while start < bytes.count {
            let rest = unsafe RawText(UnsafeBufferPointer(rebasing: bytes[start...]))
            let count = rest.index(of: 0x0A, from: 0) ?? rest.count
            unsafe reader.handleLine(rest.cut(0..<count).buffer, hints: .marker, offset: start)
            start += count + 1
        }
        return reader.sink.verifications - before
    }

    /// Does what a scan does with the bytes: cuts, looks for hints, parses what shows one.
    public func read() -> Int {
        let before = reader.sink.verifications
        unsafe LineFramer(limit: 16 << 20, readsValues: true).readAll(text.bytes, &reader)
        return reader.sink.verifications - before
    }

    public static func inflate(_ input: LogInput) -> Int {
        guard case .success(let opened) = input.open() else { return 0 }
        let chunkBytes = ScanOptions().chunkBytes
        let buffer = InputBuffer(descriptor: opened.descriptor, capacity: chunkBytes, progress: ReadProgress())
        let feed = InlineFeed(Decompressor(buffer), chunkBytes: chunkBytes)
        var count = 0
        while true {
            let chunk = feed.next()
            count += chunk.count
            if chunk.isLast { return count }
        }
    }
}

private struct CountingSink: RecordSink {
    var verifications = 0

    mutating func endSource(_ hour: Instant?) -> Instant? { nil }
    mutating func register(_ function: FunctionIdentity, as index: Int32) {}
    mutating func count(_ verification: Verification) { verifications += 1 }
    mutating func discardForeign(_ provenance: Provenance, function: Int32, blocked: TokenStatus?) {}
    mutating func addErrorStream(project: Int32, at instant: Instant?) {}
}

private struct CountingHandler: RecordHandler {
    var lines = 0

    mutating func handleLine(_ line: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) { lines += 1 }
    mutating func handleElement(_ element: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) {}
    mutating func handleTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int) {}
    mutating func handleDamaged(
        _ cause: Malformation, markers: MarkerCount, isObject: Bool, isCutOff: Bool, _ range: Range<Int>
    ) {}
    mutating func handleOversized(_ range: Range<Int>) {}
    mutating func handleText(markers: MarkerCount, _ range: Range<Int>) {}
    mutating func handleUnterminated(offset: Int) {}
}

/// The forms that use vector instructions, each next to its twin without them: for fuzzers and tests alone.
@_spi(Stages) public enum VectorChecks {
    /// True when every mask says the same as its scalar twin, at the first byte and every `step` bytes after it.
    public static func masksAgree(on bytes: [UInt8], every step: Int = 1) -> Bool {
        let text = ByteCollector(bytes)
        guard let base = unsafe text.bytes.baseAddress else { return true }
        // Safe: slack after the last byte allows a whole block, and what a mask looks ahead, to be loaded.
        return stride(from: 0, to: bytes.count, by: step).allSatisfy { unsafe masksAgree(at: base + $0) }
            && stride(from: 0, to: min(bytes.count, 64), by: step).allSatisfy {
                unsafe rowsAgree(at: base + $0, bytes.count - $0)
            }
    }

    /// Blocks in a row, without those that slack fills.
    private static func rowsAgree(at start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var stops = [UInt64](repeating: 0, count: count / 64)
        // Safe: there is room for as many blocks as are looked at, and all lie in the bytes.
        unsafe CByteMask_stringStopsInRow(start, stops.count, &stops)
        var block = 0
        while block < count {
            let found = unsafe CByteMask_nextPlaces(start, block, count)
            while block < count {
                // Safe: the block starts inside the bytes, which have slack after them.
                let hints = unsafe CByteMask_hintsScalar(start + block)
                var places = hints.newline | hints.candidate
                if count - block < 64 { places &= 1 << UInt64(count - block) - 1 }
                guard block == found.block ? places == found.places : places == 0 else { return false }
                block += 64
                if block > found.block { break }
            }
        }
        return stops.indices.allSatisfy { unsafe stops[$0] == CByteMask_stringStopsScalar(start + 64 * $0) }
    }

    private static func masksAgree(at place: UnsafePointer<UInt8>) -> Bool {
        let hints = unsafe (CByteMask_hints(place), CByteMask_hintsScalar(place))
        let structures = unsafe (CByteMask_structure(place), CByteMask_structureScalar(place))
        let stops = unsafe (CByteMask_stringStops(place), CByteMask_stringStopsScalar(place))
        return hints.0.newline == hints.1.newline && hints.0.candidate == hints.1.candidate
            && structures.0.quote == structures.1.quote && structures.0.backslash == structures.1.backslash
            && structures.0.bracket == structures.1.bracket && structures.0.control == structures.1.control
            && structures.0.letter == structures.1.letter && stops.0 == stops.1
    }

    /// True when the checksum of the bytes, in two pieces, is the one that libz computes.
    public static func checksumsAgree(on bytes: [UInt8], cutAt cut: Int) -> Bool {
        var sum = Checksum(.gzip)
        for piece in [bytes.prefix(cut), bytes.dropFirst(cut)] {
            unsafe piece.withUnsafeBufferPointer { unsafe sum.add($0) }
        }
        // Safe: libz reads as many bytes as there are.
        return sum.value == UInt32(truncatingIfNeeded: unsafe crc32_z(0, bytes, bytes.count))
    }
}
