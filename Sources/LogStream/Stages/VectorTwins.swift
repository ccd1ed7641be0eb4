internal import CByteMask
internal import CZlib

/// The forms that use vector instructions, each beside its twin without them: for fuzzers and tests alone.
@_spi(Stages) public enum VectorTwins {
    /// True when every mask says the same as its scalar twin, at the first byte and every `step` bytes behind it.
    public static func masksAgree(on bytes: [UInt8], every step: Int = 1) -> Bool {
        var text = ByteCollector()
        unsafe bytes.withUnsafeBufferPointer { unsafe text.append($0) }
        guard let base = unsafe text.bytes.baseAddress else { return true }
        // Safe: slack behind the last byte allows a whole block, and what a mask looks ahead, to be loaded.
        return stride(from: 0, to: bytes.count, by: step).allSatisfy { unsafe masksAgree(at: base + $0) }
    }

    private static func masksAgree(at place: UnsafePointer<UInt8>) -> Bool {
        let signs = unsafe (CByteMask_signs(place), CByteMask_signsScalar(place))
        let structures = unsafe (CByteMask_structure(place), CByteMask_structureScalar(place))
        let stops = unsafe (CByteMask_stringStops(place), CByteMask_stringStopsScalar(place))
        return signs.0.newline == signs.1.newline && signs.0.marker == signs.1.marker
            && signs.0.escape == signs.1.escape && signs.0.errorStream == signs.1.errorStream
            && structures.0.quote == structures.1.quote && structures.0.backslash == structures.1.backslash
            && structures.0.bracket == structures.1.bracket && structures.0.control == structures.1.control
            && structures.0.letter == structures.1.letter && stops.0 == stops.1
    }

    /// True when the check sum of the bytes, in two pieces, is the one that libz computes.
    public static func checksumsAgree(on bytes: [UInt8], cutAt cut: Int) -> Bool {
        var sum = Checksum(.gzip)
        for piece in [bytes.prefix(cut), bytes.dropFirst(cut)] {
            unsafe piece.withUnsafeBufferPointer { unsafe sum.add($0) }
        }
        // Safe: libz reads as many bytes as there are.
        return sum.value == UInt32(truncatingIfNeeded: unsafe crc32_z(0, bytes, bytes.count))
    }
}
