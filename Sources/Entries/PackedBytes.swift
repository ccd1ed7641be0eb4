internal import Verifications

/// Bytes are not what a writer has written.
package struct PackedFault: Error {
    package init() {}
}

/// Writes numbers as bytes, and between ``writeBits(_:_:)`` and ``endBits()`` as bits, the lowest first.
package struct PackedWriter {
    package init() {}

    package private(set) var bytes: [UInt8] = []
    /// Bits that do not fill a byte yet.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Seven bits a byte, the lowest first; the top bit says that there are more.
    package mutating func write(_ number: some BinaryInteger) {
        var rest = UInt64(truncatingIfNeeded: number)
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number that may be negative: 0, -1, 1 and -2 as 0, 1, 2 and 3.
    package mutating func write(signed number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// The lowest bytes of a word, the lowest first.
    package mutating func write(word: UInt64, bytes count: Int = 8) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(index * 8))) }
    }

    package mutating func write(_ text: String) {
        let text = Array(text.utf8)
        write(text.count)
        bytes += text
    }

    package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    /// The lowest `count` bits, at most 64.
    package mutating func writeBits(_ bits: UInt64, _ count: Int) {
        guard count <= 32 else {
            writeBits(bits & 0xFFFF_FFFF, 32)
            return writeBits(bits >> 32, count - 32)
        }
        pending |= (bits & (1 << UInt64(count) - 1)) << UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// A Rice code (Rice and Plaunt, 1971): a one for each multiple of 2^`parameter` in the number, a zero, the rest.
    ///
    /// ``RiceCode/escape`` ones stand before a number that would take more.
    package mutating func writeBits(rice number: UInt64, parameter: Int) {
        let multiple = number >> UInt64(parameter)
        guard multiple < RiceCode.escape else {
            writeBits(1 << RiceCode.escape - 1, Int(RiceCode.escape))
            return writeBits(number, 64)
        }
        writeBits(1 << multiple - 1, Int(multiple) + 1)
        writeBits(number, parameter)
    }

    package mutating func endBits() {
        if pendingCount > 0 { writeBits(0, 8 - pendingCount) }
    }
}

enum RiceCode {
    static let escape: UInt64 = 24
    static let parameters = 0...47

    /// The one that suits numbers with this sum.
    static func parameter(sum: UInt64, count: Int) -> Int {
        let mean = sum / UInt64(max(1, count))
        return min(parameters.upperBound, mean == 0 ? 0 : 63 - mean.leadingZeroBitCount)
    }
}

/// Reads what ``PackedWriter`` writes, and anything else without harm: whatever a length says, no more than what is
/// left is read, and nothing is set aside before it is known to be there.
package struct PackedReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var pending: UInt64 = 0
    private var pendingCount = 0

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many bytes are left.
    package var rest: Int { bytes.endIndex - position }

    package mutating func readByte() throws(PackedFault) -> UInt8 {
        guard position < bytes.endIndex else { throw PackedFault() }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func readWord(bytes count: Int = 8) throws(PackedFault) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(try readByte()) << UInt64(index * 8) }
        return word
    }

    /// A number, refused above a limit.
    package mutating func readNumber(_ limit: Int = .max) throws(PackedFault) -> Int {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let byte = try readByte()
            number |= UInt64(byte & 127) << shift
            guard byte > 127 else {
                // One number has one spelling: equal snapshots have equal bytes.
                guard byte > 0 || shift == 0, number <= UInt64(limit) else { throw PackedFault() }
                return Int(number)
            }
        }
        throw PackedFault()
    }

    package mutating func readSigned(_ range: ClosedRange<Int>) throws(PackedFault) -> Int {
        let number = try readNumber()
        let value = number & 1 == 0 ? number >> 1 : ~(number >> 1)
        guard range.contains(value) else { throw PackedFault() }
        return value
    }

    /// How many elements follow that take at least so many bytes each.
    package mutating func readCount(bytesEach: Int) throws(PackedFault) -> Int {
        let count = try readNumber()
        guard count <= rest / bytesEach else { throw PackedFault() }
        return count
    }

    package mutating func readText(_ limit: Int) throws(PackedFault) -> String {
        let slice = try readBytes(readNumber(limit))
        guard let text = String(validating: slice, as: UTF8.self) else { throw PackedFault() }
        return text
    }

    package mutating func readBytes(_ count: Int) throws(PackedFault) -> ArraySlice<UInt8> {
        guard count <= rest else { throw PackedFault() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func readBits(_ count: Int) throws(PackedFault) -> UInt64 {
        guard count <= 56 else {
            let low = try readBits(32)
            return low | (try readBits(count - 32)) << 32
        }
        if pendingCount < count {
            // One test of the bounds for all bytes that fit.
            let more = (63 - pendingCount) >> 3
            if bytes.endIndex - position >= more {
                for byte in bytes[position..<position + more] {
                    pending |= UInt64(byte) << UInt64(pendingCount)
                    pendingCount += 8
                }
                position += more
            }
            while pendingCount < count {
                pending |= UInt64(try readByte()) << UInt64(pendingCount)
                pendingCount += 8
            }
        }
        defer {
            pending >>= UInt64(count)
            pendingCount -= count
        }
        return pending & (1 << UInt64(count) - 1)
    }

    package mutating func readBits(riceWith parameter: Int) throws(PackedFault) -> UInt64 {
        var multiple: UInt64 = 0
        while multiple < RiceCode.escape, try readBits(1) == 1 { multiple += 1 }
        guard multiple < RiceCode.escape else { return try readBits(64) }
        return multiple << UInt64(parameter) | (try readBits(parameter))
    }

    /// Ends bits, which fill their last byte with zeros.
    package mutating func endBits() throws(PackedFault) {
        // Whole bytes that were taken ahead go back.
        position -= pendingCount >> 3
        guard pending & (1 << UInt64(pendingCount & 7) - 1) == 0 else { throw PackedFault() }
        (pending, pendingCount) = (0, 0)
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
