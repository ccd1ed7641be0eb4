internal import Verifications

/// Hashes of the trace and the span of an HTTP request, the same for its row and for its verification.
///
/// A row has its span in 16 hexadecimal digits, a line in decimal: what is hashed is the number's decimal digits, as
/// there are more lines than rows. Nobody who does not know the key can choose the hashes.
extension EntryReader {
    /// ``PackedRequestID/none`` when the record names neither a trace nor, as entries of Python do, a span alone.
    @inline(__always)
    func request(_ options: borrowing ScanOptions, service: UInt64, isRow: Bool) -> PackedRequestID {
        let key = options.fingerprintKey
        let span = fields.spanID.kind == .string ? plain(fields.spanID) : nil
        guard fields.trace.kind == .string, let trace = plain(fields.trace) else {
            guard !isRow, let span else { return .none }
            return PackedRequestID(span: RequestHash.span(span, key, isRow: false))
        }
        return PackedRequestID(
            trace: RequestHash.trace(trace, key, service: service) & options.traceMask,
            span: span.map { RequestHash.span($0, key, isRow: isRow) })
    }

    @inline(__always)
    private func plain(_ value: JSONValue) -> RawText? {
        value.isEscaped || value.text.isEmpty ? string(value) : value.text
    }
}

enum RequestHash {
    /// A trace is 32 hexadecimal digits, after the project's name or alone; others are rare.
    @inline(__always)
    static func trace(_ trace: RawText, _ key: HashKey, service: UInt64) -> UInt64 {
        guard trace.count >= 32 else { return hash(trace, key, service: service) }
        // Safe: the trace has that many bytes from there on.
        let digits = unsafe UnsafeRawPointer(trace.start + (trace.count - 32))
        let first = unsafe digits.loadUnaligned(as: UInt64.self)
        let second = unsafe digits.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let third = unsafe digits.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        let fourth = unsafe digits.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        let half = folded(first ^ key.low ^ service, second ^ key.high)
        return folded(third ^ key.high ^ half, fourth ^ key.low ^ service)
    }

    @inline(__always)
    static func span(_ span: RawText, _ key: HashKey, isRow: Bool) -> UInt64 {
        guard span.count > 16, span.count <= 20 else { return otherSpan(span, key, isRow: isRow) }
        return digits(span, key)
    }

    @inline(__always)
    private static func digits(_ span: RawText, _ key: HashKey) -> UInt64 {
        // Safe: the span has more than 16 bytes.
        let start = unsafe UnsafeRawPointer(span.start)
        let first = unsafe start.loadUnaligned(as: UInt64.self)
        let second = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let last = unsafe start.loadUnaligned(fromByteOffset: span.count - 8, as: UInt64.self)
        // A large factor for every key: the lowest bits of the product depend only on the lowest bits of the factors.
        return folded(folded(first ^ key.low, second ^ key.high) ^ last, (key.low ^ 0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A span in hexadecimal, or one with few digits.
    @inline(never)
    private static func otherSpan(_ span: RawText, _ key: HashKey, isRow: Bool) -> UInt64 {
        // Sixteen digits may be of both kinds.
        let isHexadecimal = span.count == 16 && (isRow || !span.allSatisfy(\.isDigit))
        guard isHexadecimal, let number = span.hexadecimalNumber else { return hash(span, key, service: 0) }
        var room = [20 of UInt8](repeating: 0)
        var place = 20
        var rest = number
        repeat {
            let pair = UInt8(rest % 100)
            place -= 2
            room[place] = UInt8(ascii: "0") + pair / 10
            room[place + 1] = UInt8(ascii: "0") + pair % 10
            rest /= 100
        } while rest > 0
        if room[place] == UInt8(ascii: "0") { place += 1 }
        return unsafe room.span.withUnsafeBufferPointer { room in
            // Safe: place < 20, and the text is not used after the call.
            let text = unsafe RawText(UnsafeBufferPointer(rebasing: room[place...]))
            return text.count > 16 ? digits(text, key) : hash(text, key, service: 0)
        }
    }

    private static func hash(_ text: RawText, _ key: HashKey, service: UInt64) -> UInt64 {
        var hash = SipHash(key: key)
        hash.add(word: service)
        hash.add(text)
        return hash.finish()
    }

    /// Both halves of a product: every bit of both words has a part in it.
    @inline(__always)
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
