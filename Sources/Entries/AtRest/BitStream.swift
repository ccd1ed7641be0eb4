internal import Verifications

/// Bytes are not what was written.
package struct MalformedBytes: Error {
    package init() {}
}

/// Writes numbers of any width, the lowest bits first.
struct BitWriter {
    private(set) var written: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// The lowest `count` bits, at most 64.
    @inline(__always)
    mutating func bits(_ bits: UInt64, _ count: Int) {
        if count > 32 { self.bits(bits, 32) }
        let (rest, restCount) = count > 32 ? (bits >> 32, count - 32) : (bits, count)
        pending |= (rest & (1 << UInt64(restCount) - 1)) << UInt64(pendingCount)
        pendingCount += restCount
        while pendingCount >= 8 {
            written.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// Fills the last byte with zeros.
    mutating func endBits() {
        if pendingCount > 0 { bits(0, 8 - pendingCount) }
    }

    /// Seven bits a byte, the lowest first; the top bit says that there are more.
    mutating func number(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest > 127 {
            bits(rest & 127 | 128, 8)
            rest >>= 7
        }
        bits(rest, 8)
    }

    /// Makes 0, 1, 2 and 3 of 0, -1, 1 and -2.
    mutating func signed(_ number: Int) { self.number(number << 1 ^ number >> 63) }
}

/// Reads what ``BitWriter`` writes, and anything else without harm.
struct BitReader {
    private let source: ArraySlice<UInt8>
    private var position: Int
    private var pending: UInt64 = 0
    private var pendingCount = 0

    init(_ bytes: ArraySlice<UInt8>) { (source, position) = (bytes, bytes.startIndex) }
    var rest: ArraySlice<UInt8> { source[(position - pendingCount >> 3)...] }

    /// Refuses bytes after the last value.
    mutating func end() throws(MalformedBytes) {
        try endBits()
        guard position == source.endIndex else { throw MalformedBytes() }
    }

    @inline(__always)
    mutating func bits(_ count: Int) throws(MalformedBytes) -> UInt64 {
        guard count <= 56 else {
            let low = try bits(32)
            return low | (try bits(count - 32)) << 32
        }
        if pendingCount < count { fill() }
        guard pendingCount >= count else { throw MalformedBytes() }
        defer {
            pending >>= UInt64(count)
            pendingCount -= count
        }
        return pending & (1 << UInt64(count) - 1)
    }

    @inline(__always)
    mutating func ones(upTo count: Int) -> Int {
        if pendingCount <= count { fill() }
        return min((~pending).trailingZeroBitCount, count)
    }

    private mutating func fill() {
        let end = min(position + (63 - pendingCount) >> 3, source.endIndex)
        for byte in source[position..<end] {
            pending |= UInt64(byte) << UInt64(pendingCount)
            pendingCount += 8
        }
        position = end
    }

    mutating func endBits() throws(MalformedBytes) {
        // Whole bytes that were taken ahead go back.
        position -= pendingCount >> 3
        guard pending & (1 << UInt64(pendingCount & 7) - 1) == 0 else { throw MalformedBytes() }
        (pending, pendingCount) = (0, 0)
    }

    mutating func number(upTo limit: Int) throws(MalformedBytes) -> Int {
        var (word, shift, group): (UInt64, UInt64, UInt64) = (0, 0, 128)
        while group > 127 {
            guard shift < 63 else { throw MalformedBytes() }
            group = try bits(8)
            word |= (group & 127) << shift
            shift += 7
        }
        // One number has one spelling: equal values have equal bytes.
        guard (group > 0 || shift == 7) && word <= limit else { throw MalformedBytes() }
        return Int(word)
    }

    mutating func signed(upTo limit: Int) throws(MalformedBytes) -> Int {
        let word = try number(upTo: 2 * limit)
        return word & 1 == 1 ? ~(word >> 1) : word >> 1
    }
}

extension ArraySlice<UInt8> {
    /// Tells these bytes from others, such as a disk may turn them into; not from those that somebody makes up.
    package var checkSum: UInt64 {
        var (sum, start) = (UInt64(0), startIndex)
        while endIndex - start >= 8 {
            var word: UInt64 = 0
            for byte in self[start..<start + 8] { word = word << 8 | UInt64(byte) }
            sum = mixed(sum ^ word)
            start += 8
        }
        var word: UInt64 = 0
        for byte in self[start...] { word = word << 8 | UInt64(byte) }
        return mixed(mixed(sum ^ word) ^ UInt64(count))
    }
}
