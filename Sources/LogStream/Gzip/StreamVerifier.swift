/// Checks what was decompressed against the trailers of its members.
///
/// This is done by whoever consumes the bytes, not by libz while it inflates: the two then share the work between cores.
struct StreamVerifier {
    /// The first thing that is wrong.
    private(set) var firstDamage: StreamDamage?
    /// How many more there are: a file may have a million bad members, and one place is enough to act on.
    private(set) var furtherDamage = 0
    /// True when the stream broke off, so that bytes are missing behind the last ones.
    private(set) var lostBytes = false
    private var checksum: Checksum?

    mutating func check(_ chunk: PlainChunk) {
        guard let wrapper = chunk.wrapper else { return }
        let bytes = unsafe chunk.bytes
        var start = 0
        for end in chunk.memberEnds {
            unsafe add(UnsafeBufferPointer(rebasing: bytes[start..<end.offset]), wrapper)
            start = end.offset
            compare(end, wrapper)
        }
        unsafe add(UnsafeBufferPointer(rebasing: bytes[start...]), wrapper)
        for damage in chunk.damage {
            if damage.kind == .truncated || damage.kind == .corrupt { lostBytes = true }
            note(damage)
        }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ wrapper: Wrapper) {
        var sum = checksum ?? Checksum(wrapper)
        unsafe sum.add(bytes)
        checksum = sum
    }

    private mutating func compare(_ end: PlainChunk.MemberEnd, _ wrapper: Wrapper) {
        let sum = checksum ?? Checksum(wrapper)
        checksum = nil
        if sum.value != end.checksum {
            note(.init(kind: .checksumMismatch, wrapper: wrapper, offset: end.memberStart, noticedAt: end.memberStart))
        } else if let length = end.length, length != UInt32(truncatingIfNeeded: sum.length) {
            note(.init(kind: .lengthMismatch, wrapper: wrapper, offset: end.memberStart, noticedAt: end.memberStart))
        }
    }

    private mutating func note(_ damage: StreamDamage) {
        if firstDamage == nil { firstDamage = damage } else { furtherDamage += 1 }
    }
}
