internal import Dispatch
internal import Synchronization

/// Hands out a source's chunks one after another; each is valid until the next is asked for.
protocol ChunkFeed {
    /// The next chunk; not to be called again after the last one.
    func next() -> PlainChunk
}

/// Decompresses on the caller's thread: for runs with a core per source at most.
final class InlineFeed: ChunkFeed {
    private let decompressor: Decompressor
    private let chunk: PlainChunk

    init(_ decompressor: Decompressor, chunkBytes: Int) {
        self.decompressor = decompressor
        chunk = PlainChunk(capacity: chunkBytes)
    }

    func next() -> PlainChunk {
        chunk.recycle()
        decompressor.fill(chunk)
        return chunk
    }
}

/// Decompresses on a separate thread, a few chunks ahead: inflating and reading then take a core each.
final class PipelinedFeed: ChunkFeed {
    /// The number of chunks that change hands at once.
    ///
    /// A thread that waits for each one sleeps and wakes thousands of times for each gigabyte, which costs more than
    /// the work when other programs want the cores.
    private static let batch = 4
    /// One batch is being filled, one being read, one lies between; with less than two, both could wait forever.
    private static let ringSize = 3 * batch

    private let ring: Ring
    private var position = 0
    private var sawLast = false

    init(_ decompressor: Decompressor, chunkBytes: Int) {
        ring = Ring(decompressor, chunkBytes: chunkBytes, size: PipelinedFeed.ringSize)
        let ring = ring
        DispatchQueue(label: "callcheck.inflate").async { ring.fillAll() }
    }

    deinit {
        if !sawLast { ring.stop() }
    }

    func next() -> PlainChunk {
        if position > 0, position.isMultiple(of: PipelinedFeed.batch) {
            for _ in 0..<PipelinedFeed.batch { ring.free.signal() }
        }
        ring.filled.wait()
        let chunk = ring.chunks[position % PipelinedFeed.ringSize]
        position += 1
        sawLast = chunk.isLast
        return chunk
    }

    /// The state that both threads see.
    ///
    /// A chunk belongs to the filling thread from `free` to `filled`, then to the reading one:
    /// the semaphores order all access, which is why sharing it is sound.
    private final class Ring: @unsafe @unchecked Sendable {
        let chunks: [PlainChunk]
        let free = DispatchSemaphore(value: 0)
        let filled = DispatchSemaphore(value: 0)
        private let decompressor: Decompressor
        private let isStopped = Atomic<Bool>(false)

        init(_ decompressor: Decompressor, chunkBytes: Int, size: Int) {
            self.decompressor = decompressor
            chunks = (0..<size).map { _ in PlainChunk(capacity: chunkBytes) }
            for _ in chunks { free.signal() }
        }

        func fillAll() {
            var position = 0
            var waiting = 0
            while true {
                free.wait()
                if isStopped.load(ordering: .acquiring) { return }
                let chunk = chunks[position % chunks.count]
                chunk.recycle()
                decompressor.fill(chunk)
                let isLast = chunk.isLast
                position += 1
                waiting += 1
                if isLast || waiting == PipelinedFeed.batch {
                    for _ in 0..<waiting { filled.signal() }
                    waiting = 0
                }
                if isLast { return }
            }
        }

        func stop() {
            isStopped.store(true, ordering: .releasing)
            free.signal()
        }
    }
}

/// One source's plain bytes, chunk by chunk, checked on the way.
struct SourceBytes<Feed: ChunkFeed>: ~Copyable {
    private let feed: Feed
    private(set) var verifier = StreamVerifier()
    /// Checksum of bytes that are not in gzip, if requested; see ``StreamVerifier/contentChecksum``.
    private var plainChecksum: Checksum?
    private(set) var bytesRead = 0
    private(set) var bytesDecompressed = 0
    private(set) var readError: Int32?
    /// Nil as long as nothing was compressed.
    private(set) var format: CompressionFormat?
    private var isAtEnd = false

    init(_ feed: Feed, takesChecksum: Bool = false) {
        self.feed = feed
        if takesChecksum { plainChecksum = Checksum(.gzip) }
    }

    var checksum: UInt32 {
        plainChecksum.flatMap { $0.length > 0 ? $0.value : nil } ?? verifier.contentChecksum
    }

    var isCutShort: Bool { verifier.lostBytes || readError != nil }

    /// The next chunk, valid until the one after it is asked for; nil at the end.
    mutating func next() -> PlainChunk? {
        guard !isAtEnd else { return nil }
        let chunk = feed.next()
        verifier.check(chunk)
        if chunk.format != .gzip { unsafe plainChecksum?.add(chunk.bytes) }
        bytesRead = chunk.sourceBytes
        bytesDecompressed += chunk.count
        readError = chunk.readError
        format = format ?? chunk.format
        isAtEnd = chunk.isLast
        return chunk
    }

    /// The source's beginning: at least `count` bytes, or all.
    mutating func beginning(atLeast count: Int) -> SourceBeginning {
        var beginning = SourceBeginning()
        while beginning.sample.count < count, let chunk = next() {
            if chunk.followsGap, !chunk.losesNothing { beginning.gaps.append(beginning.sample.count) }
            unsafe beginning.sample.append(chunk.bytes)
        }
        return beginning
    }
}

/// The first bytes of a source, by which it is recognised before they are read.
struct SourceBeginning: ~Copyable {
    var sample = ByteCollector()
    var gaps: [Int] = []
}
