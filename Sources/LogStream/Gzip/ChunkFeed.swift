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

/// Decompresses on a thread of its own, a few chunks ahead: inflating and reading then take a core each.
final class PipelinedFeed: ChunkFeed {
    private static let ringSize = 6

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
        if position > 0 { ring.free.signal() }
        ring.filled.wait()
        let chunk = ring.chunks[position % PipelinedFeed.ringSize]
        position += 1
        sawLast = chunk.isLast
        return chunk
    }

    /// What both threads see.
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
            while true {
                free.wait()
                if isStopped.load(ordering: .acquiring) { return }
                let chunk = chunks[position % chunks.count]
                chunk.recycle()
                decompressor.fill(chunk)
                let isLast = chunk.isLast
                filled.signal()
                if isLast { return }
                position += 1
            }
        }

        func stop() {
            isStopped.store(true, ordering: .releasing)
            free.signal()
        }
    }
}
