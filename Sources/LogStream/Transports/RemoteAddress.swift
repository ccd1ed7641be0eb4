/// The address of a caller, as much of it as tells one person from others.
///
/// ```
/// 203.0.113.9   10.0.0.1:80   ::ffff:203.0.113.9            version 4: all of it
/// 2001:DB8::1   fe80::1%eth0   [2001:db8::1]:443            version 6: the first half, which names a network
/// ```
///
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest>, whose `remoteIp` may have
/// a port; RFC 4291 for the spellings of version 6.
struct RemoteAddress: Equatable {
    let bits: UInt64
    let version: UInt64

    /// Nil for what is no address.
    init?(_ text: RawText) {
        let (colon, dot) = (UInt8.colon, UInt8(ascii: "."))
        let hostEnd = text.index(of: colon, from: 0) ?? text.count
        if text.cut(0..<hostEnd).contains(dot) {
            guard let number = RemoteAddress.version4(text.cut(0..<hostEnd)), text.isPort(from: hostEnd) else {
                return nil
            }
            (bits, version) = (number, 4)
            return
        }
        let isBracketed = text.first == .openBracket
        let end = isBracketed ? text.index(of: .closeBracket, from: 0) : text.count
        guard let end, !isBracketed || text.isPort(from: end + 1),
            let number = RemoteAddress.version6(text.cut((isBracketed ? 1 : 0)..<end))
        else { return nil }
        let isMapped = number >> 32 == 0xFFFF
        (bits, version) = isMapped ? (UInt64(number & 0xFFFF_FFFF), 4) : (UInt64(number >> 64), 6)
    }

    private static func version4(_ text: RawText) -> UInt64? {
        var (number, count, start): (UInt64, Int, Int) = (0, 0, 0)
        while start <= text.count, count < 4 {
            let end = text.index(of: UInt8(ascii: "."), from: start) ?? text.count
            let part = text.cut(start..<end)
            // Zeros in front would make it octal elsewhere.
            guard part.count <= 3, let value = part.wholeNumber, value < 256,
                part.count == 1 || part[0] != UInt8(ascii: "0")
            else { return nil }
            (number, count, start) = (number << 8 | UInt64(value), count + 1, end + 1)
        }
        return count == 4 && start > text.count ? number : nil
    }

    private static func version6(_ text: RawText) -> UInt128? {
        let text = text.cut(0..<(text.index(of: UInt8(ascii: "%"), from: 0) ?? text.count))
        var (number, count, gap): (UInt128, Int, Int?) = (0, 0, nil)
        var start = 0
        if text.hasPrefix("::") { (gap, start) = (0, 2) }
        while start < text.count {
            let end = text.index(of: .colon, from: start) ?? text.count
            let part = text.cut(start..<end)
            if part.isEmpty {
                // Zeros are left out in one place.
                guard gap == nil, count > 0 else { return nil }
                gap = count
            } else if end == text.count, part.contains(UInt8(ascii: ".")) {
                guard let last = version4(part) else { return nil }
                (number, count) = (number << 32 | UInt128(last), count + 2)
            } else {
                guard part.count <= 4, end != text.count - 1, let group = part.hexadecimalNumber else { return nil }
                (number, count) = (number << 16 | UInt128(group), count + 1)
            }
            guard count <= 8 else { return nil }
            start = end + 1
        }
        guard let gap else { return count == 8 ? number : nil }
        guard count < 8 else { return nil }
        let behind = 16 * (count - gap)
        return (number >> behind) << (behind + 16 * (8 - count)) | number & ((1 << behind) - 1)
    }
}

extension RawText {
    /// True for nothing at all, or a colon and the number of a port.
    fileprivate func isPort(from start: Int) -> Bool {
        guard start < count else { return true }
        return self[start] == .colon && cut(start + 1..<count).wholeNumber.map { $0 <= 0xFFFF } ?? false
    }
}
