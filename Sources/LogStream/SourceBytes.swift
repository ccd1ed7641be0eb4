/// One source's plain bytes, chunk by chunk, checked on the way.
struct SourceBytes<Feed: ChunkFeed>: ~Copyable {
    private let feed: Feed
    private(set) var verifier = StreamVerifier()
    private(set) var bytesRead = 0
    private(set) var bytesDecompressed = 0
    /// The system's error number when reading failed.
    private(set) var readError: Int32?
    private var isAtEnd = false

    init(_ feed: Feed) {
        self.feed = feed
    }

    /// True when bytes are missing behind the last ones.
    var isCutShort: Bool { verifier.lostBytes || readError != nil }

    /// The next chunk, valid until the one after it is asked for; nil at the end.
    mutating func next() -> PlainChunk? {
        guard !isAtEnd else { return nil }
        let chunk = feed.next()
        verifier.check(chunk)
        bytesRead = chunk.sourceBytes
        bytesDecompressed += chunk.count
        readError = chunk.readError
        isAtEnd = chunk.isLast
        return chunk
    }

    /// The source's beginning: at least `count` bytes, or all.
    mutating func beginning(atLeast count: Int) -> SourceBeginning {
        var beginning = SourceBeginning()
        while beginning.sample.count < count, let chunk = next() {
            if chunk.followsGap { beginning.gaps.append(beginning.sample.count) }
            unsafe beginning.sample.append(chunk.bytes)
        }
        return beginning
    }

    /// Reads to the end for the sake of the checks.
    mutating func skipRest() {
        while next() != nil {}
    }
}

/// The first bytes of a source, by which it is recognised before they are read.
struct SourceBeginning: ~Copyable {
    var sample = ByteCollector()
    /// Where in the sample bytes of the source are missing, ascending.
    var gaps: [Int] = []
}
