internal import CByteMask
internal import CZlib

/// The forms that use vector instructions, each next to its twin without them: for fuzzers and tests alone.
@_spi(Checks) public enum VectorChecks {
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
