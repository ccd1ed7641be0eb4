/// Checks what was decompressed against the trailers of its members.
///
/// This is done by whoever consumes the bytes, not by libz while it inflates: the two then share the work between
/// cores.
struct StreamVerifier {
    /// The first thing that is wrong.
    private(set) var firstDamage: StreamDamage?
    /// How many more there are: a file may have a million bad members, and one place is enough to act on.
    private(set) var furtherDamage = 0
    /// True when the stream broke off, or went on with what is none, so that bytes may be missing behind the last ones.
    private(set) var lostBytes = false
    private var checksum: Checksum?

    mutating func check(_ chunk: PlainChunk) {
        guard let wrapper = chunk.wrapper else { return }
        if chunk.followsGap {
            checksum = nil
            lostBytes = false
        }
        let bytes = unsafe chunk.bytes
        var found = chunk.damage
        var start = 0
        for end in chunk.memberEnds {
            unsafe add(UnsafeBufferPointer(rebasing: bytes[start..<end.offset]), wrapper)
            start = end.offset
            if let damage = compare(end, wrapper) { found.append(damage) }
        }
        unsafe add(UnsafeBufferPointer(rebasing: bytes[start...]), wrapper)
        // Headers are checked while the chunk is filled, trailers here: which comes first is decided by its place.
        for damage in found.sorted(by: { $0.offset < $1.offset }) { note(damage) }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ wrapper: Wrapper) {
        var sum = checksum ?? Checksum(wrapper)
        unsafe sum.add(bytes)
        checksum = sum
    }

    private mutating func compare(_ end: PlainChunk.MemberEnd, _ wrapper: Wrapper) -> StreamDamage? {
        let sum = checksum ?? Checksum(wrapper)
        checksum = nil
        let kind: StreamDamage.Kind
        if sum.value != end.checksum {
            kind = .checksumMismatch
        } else if let length = end.length, length != UInt32(truncatingIfNeeded: sum.length) {
            kind = .lengthMismatch
        } else {
            return nil
        }
        return StreamDamage(kind: kind, wrapper: wrapper, offset: end.memberStart, noticedAt: end.memberStart)
    }

    private mutating func note(_ damage: StreamDamage) {
        switch damage.kind {
        case .truncated, .badHeader, .corrupt, .trailingGarbage: lostBytes = true
        case .checksumMismatch, .lengthMismatch: break
        }
        if firstDamage == nil { firstDamage = damage } else { furtherDamage += 1 }
    }
}
