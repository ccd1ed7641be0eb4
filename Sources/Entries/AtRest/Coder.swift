package import Verifications

/// Bytes are not what was written.
package struct MalformedBytes: Error {
    package init() {}
}

/// Codes values as bytes, in one of two directions: a type says once what its bytes are, and within which limits.
///
/// Each function takes the value to write and returns the one that was written, or takes any and returns the one that
/// was read. What is outside its limits is written as the nearest value within them, and refused when it is read:
/// everything written can be read back.
package protocol Coder {
    associatedtype Failure: Error
    static var isReading: Bool { get }
    var texts: CodedTexts { get set }

    /// The lowest `count` bits, at most 64.
    mutating func bits(_ bits: UInt64, _ count: Int) throws(Failure) -> UInt64
    /// Fills the last byte with zeros.
    mutating func endBits() throws(Failure)
    mutating func bytes(_ bytes: ArraySlice<UInt8>) throws(Failure) -> ArraySlice<UInt8>
    /// Refuses what was read unless it is possible.
    func require(_ isPossible: @autoclosure () -> Bool) throws(Failure)
    /// The value that was read, or the one to write; nil is refused.
    func require<Value>(_ read: @autoclosure () -> Value?, or written: Value) throws(Failure) -> Value
}

package struct CodedTexts {
    fileprivate private(set) var texts: [String] = []
    private var places: [ExactName: Int] = [:]

    fileprivate func place(of text: String) -> Int { places[ExactName(text)] ?? texts.count }

    fileprivate mutating func append(_ text: String, isReading: Bool) {
        if !isReading { places[ExactName(text)] = texts.count }
        texts.append(text)
    }
}

enum Limits {
    static let counts = 0...1 << 40
    static let bytes = 0...1 << 50
    /// Entries of one row of a store, and how far two of them are apart.
    static let inPart = 0...1 << 24
    static let distances = -1 << 24...1 << 24
    /// From year 1 to year 9999.
    static let days = -719_162...2_932_896
    /// In bytes: a path of PATH_MAX bytes that are not UTF-8 becomes as many U+FFFD, three bytes each.
    static let text = 3 * 4096
}

extension Coder {
    /// Seven bits a byte, the lowest first; the top bit says that there are more.
    ///
    /// A range below zero makes 0, 1, 2 and 3 of 0, -1, 1 and -2.
    @discardableResult
    package mutating func number<Number: FixedWidthInteger>(
        _ number: Number, in range: ClosedRange<Int>
    ) throws(Failure) -> Number {
        let isSigned = range.lowerBound < 0
        let value = min(max(Int(clamping: number), range.lowerBound), range.upperBound)
        var rest = UInt64(bitPattern: Int64(isSigned ? value << 1 ^ value >> 63 : value))
        var (word, shift, group): (UInt64, UInt64, UInt64) = (0, 0, 128)
        while group > 127 {
            try require(shift < 63)
            group = try bits(rest > 127 ? rest & 127 | 128 : rest, 8)
            word |= (group & 127) << shift
            (rest, shift) = (rest >> 7, shift + 7)
        }
        let read = isSigned && word & 1 == 1 ? ~Int(word >> 1) : Int(isSigned ? word >> 1 : word)
        // One number has one spelling: equal values have equal bytes.
        try require((group > 0 || shift == 7) && range.contains(read))
        return try require(Number(exactly: read), or: number)
    }

    @discardableResult
    package mutating func word(_ word: UInt64) throws(Failure) -> UInt64 { try bits(word, 64) }

    /// A text is written once, and afterwards its number.
    package mutating func text(_ text: String) throws(Failure) -> String {
        let text = Self.isReading ? "" : text.shortened(to: Limits.text)
        let place = try number(Self.isReading ? 0 : texts.place(of: text), in: 0...texts.texts.count)
        guard place == texts.texts.count else { return texts.texts[place] }
        let bytes = try bytes(Array(text.utf8)[...])
        try require(bytes.count <= Limits.text)
        let read = try require(String(validating: bytes, as: UTF8.self), or: text)
        texts.append(read, isReading: Self.isReading)
        return read
    }

    package mutating func flag(_ flag: Bool) throws(Failure) -> Bool { try number(flag ? 1 : 0, in: 0...1) == 1 }

    /// 0 for nothing, else one more than the number.
    package mutating func optional(_ value: Int?, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        let limit = range.upperBound
        let next = try number(value.map { min($0, limit - 1) + 1 } ?? 0, in: 0...limit)
        return next > 0 ? next - 1 : nil
    }

    /// Codes their number and returns the elements, which are blank as long as they are to be read.
    package mutating func elements<Element>(
        _ elements: [Element], or blank: Element
    ) throws(Failure) -> LazyMapSequence<Range<Int>, Element> {
        let isReading = Self.isReading
        return (0..<(try number(elements.count, in: 0...Int.max))).lazy.map { isReading ? blank : elements[$0] }
    }

    mutating func name(_ name: ExactName?) throws(Failure) -> ExactName? {
        let text = try text(name?.text ?? "")
        return text.isEmpty ? nil : ExactName(text)
    }

    package mutating func identity(_ name: FunctionIdentity?) throws(Failure) -> FunctionIdentity {
        let generation = Generation(rawValue: try number(name?.generation?.rawValue ?? 0, in: 0...2))
        return FunctionIdentity(
            project: try text(name?.project ?? ""), region: try text(name?.region ?? ""),
            name: try text(name?.name ?? ""), generation: generation)
    }

    /// A day as its distance from an earlier one.
    mutating func day(_ day: Day, after last: Day?) throws(Failure) -> Day {
        let start = Int(last?.number ?? 0)
        let step = try number(Int(day.number) - start, in: -Limits.days.count...Limits.days.count)
        try require(Limits.days.contains(start + step) && (last == nil || step > 0))
        return Day(number: Int32(start + step))
    }
}

package struct ByteEncoder: Coder {
    package static var isReading: Bool { false }
    package var texts = CodedTexts()
    package private(set) var written: [UInt8]
    private var pending: UInt64 = 0
    private var pendingCount = 0

    package init(after written: [UInt8] = []) { self.written = written }

    @inline(__always)
    package mutating func bits(_ bits: UInt64, _ count: Int) -> UInt64 {
        if count > 32 { _ = self.bits(bits, 32) }
        let (rest, restCount) = count > 32 ? (bits >> 32, count - 32) : (bits, count)
        pending |= (rest & (1 << UInt64(restCount) - 1)) << UInt64(pendingCount)
        pendingCount += restCount
        while pendingCount >= 8 {
            written.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
        return bits & (.max >> UInt64(64 - count))
    }

    package mutating func endBits() {
        if pendingCount > 0 { _ = bits(0, 8 - pendingCount) }
    }

    package mutating func bytes(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        number(bytes.count, in: 0...Int.max)
        endBits()
        written += bytes
        return bytes
    }

    @inline(__always)
    package func require(_ isPossible: @autoclosure () -> Bool) {}

    @inline(__always)
    package func require<Value>(_ read: @autoclosure () -> Value?, or written: Value) -> Value { written }
}

/// Reads what ``ByteEncoder`` writes, and anything else without harm: regardless of a length, no more than what is left
/// is read, and nothing is set aside before it is known to be there.
package struct ByteDecoder: Coder {
    package static var isReading: Bool { true }
    package var texts = CodedTexts()
    private let source: ArraySlice<UInt8>
    private var position: Int
    private var pending: UInt64 = 0
    private var pendingCount = 0

    package init(_ bytes: ArraySlice<UInt8>) { (source, position) = (bytes, bytes.startIndex) }
    package var rest: ArraySlice<UInt8> { source[(position - pendingCount >> 3)...] }

    /// Refuses bytes after the last value.
    package mutating func end() throws(MalformedBytes) {
        try endBits()
        try require(position == source.endIndex)
    }

    @inline(__always)
    package mutating func bits(_ bits: UInt64, _ count: Int) throws(MalformedBytes) -> UInt64 {
        guard count <= 56 else {
            let low = try self.bits(0, 32)
            return low | (try self.bits(0, count - 32)) << 32
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

    package mutating func endBits() throws(MalformedBytes) {
        // Whole bytes that were taken ahead go back.
        position -= pendingCount >> 3
        try require(pending & (1 << UInt64(pendingCount & 7) - 1) == 0)
        (pending, pendingCount) = (0, 0)
    }

    package mutating func bytes(_: ArraySlice<UInt8>) throws(MalformedBytes) -> ArraySlice<UInt8> {
        let count = try number(0, in: 0...Int.max)
        try endBits()
        try require(count <= source.endIndex - position)
        defer { position += count }
        return source[position..<position + count]
    }

    @inline(__always)
    package func require(_ isPossible: @autoclosure () -> Bool) throws(MalformedBytes) {
        guard isPossible() else { throw MalformedBytes() }
    }

    @inline(__always)
    package func require<Value>(_ read: @autoclosure () -> Value?, or _: Value) throws(MalformedBytes) -> Value {
        guard let value = read() else { throw MalformedBytes() }
        return value
    }
}

extension String {
    /// A text that is longer, in bytes, loses its middle to an ellipsis.
    fileprivate func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let ellipsis = "…"
        let kept = (limit - ellipsis.utf8.count) / 2
        var end = utf8.index(startIndex, offsetBy: kept)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        var start = utf8.index(endIndex, offsetBy: -kept)
        while start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
        return String(self[..<end]) + ellipsis + String(self[start...])
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
