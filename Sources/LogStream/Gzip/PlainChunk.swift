internal import Platform

/// A piece of a source's decompressed bytes, and what became known about the stream while it was filled.
///
/// Chunks are allocated once per source and recycled. After the bytes lies zeroed slack, so that blocks may be loaded
/// at any position.
@safe final class PlainChunk {
    /// The end of a compressed member, for the check of its checksum.
    struct MemberEnd {
        var offset: Int
        var checksum: UInt32
        /// Decompressed length modulo 2³²; nil for zlib, whose trailer has none.
        var length: UInt32?
        var memberStart: Int
    }

    let capacity: Int
    private let memory: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    /// In the order of their offsets; several when members are small.
    var memberEnds: [MemberEnd] = []
    var format: CompressionFormat?
    /// Damage in the source's bytes found while filling, in the order of its place.
    var damage: [StreamDamage] = []
    var readError: Int32?
    /// Bytes of the source, as stored, that were taken so far.
    var sourceBytes = 0
    var followsGap = false
    /// True when these were between two whole members, so that no plain bytes are missing.
    var losesNothing = false
    var isLast = false

    init(capacity: Int) {
        self.capacity = capacity
        unsafe memory = .allocate(capacity: capacity + byteSlack)
        // Safe: as many bytes were allocated.
        unsafe memset(memory, 0, capacity + byteSlack)
    }

    deinit { unsafe memory.deallocate() }

    /// The most members that may end in one chunk: those without content would otherwise never fill it.
    static let memberLimit = 4096

    var isFull: Bool { count == capacity || memberEnds.count == PlainChunk.memberLimit }
    var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: memory, count: count) }

    var room: UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(start: memory + count, count: capacity - count)
    }

    func commit(_ written: Int) {
        precondition(written >= 0 && count + written <= capacity)
        count += written
    }

    func recycle() {
        count = 0
        memberEnds.removeAll(keepingCapacity: true)
        damage.removeAll(keepingCapacity: true)
        readError = nil
        followsGap = false
        losesNothing = false
        isLast = false
    }
}

struct StreamDamage {
    enum Kind {
        case truncated
        /// The bytes that open the source are not a member's header, but show that it was one.
        case badHeader
        case corrupt
        case checksumMismatch
        case lengthMismatch
        case trailingGarbage
    }

    var kind: Kind
    var format: CompressionFormat
    /// From which byte of the source on nothing is verified: the start of the damaged member, or of the garbage.
    var offset: Int
    var noticedAt: Int
}
